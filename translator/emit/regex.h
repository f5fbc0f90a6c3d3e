/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regex.h - patterns: tables of automata, and matches by them.
 */
#ifndef LAPWING_EMIT_REGEX_H
#define LAPWING_EMIT_REGEX_H

struct ast_node;
struct emitter;

void emit_regexes(struct emitter *e);		/* tables of all patterns */
/* A match, as 0 or 1. */
const char *emit_regex(struct emitter *e, struct ast_node *node);

#endif
