/* SPDX-License-Identifier: GPL-2.0-or-later */
/* regex.h - tables for the regular expressions of =~ and !~. */
#ifndef LAPWING_EMIT_REGEX_H
#define LAPWING_EMIT_REGEX_H

#include "translator/emit/emit.h"

void emit_regexes(struct emitter *e);		/* tables of all patterns */
/* The result of =~ or !~, 0 or 1. */
const char *emit_regex(struct emitter *e, struct ast_node *node);

#endif
