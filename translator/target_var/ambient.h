/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ambient.h - $variables that every probe has: the time, the current process and the interrupted
 * registers.
 */
#ifndef LAPWING_AMBIENT_H
#define LAPWING_AMBIENT_H

#include "translator/program/program.h"

/* True if the AST_TARGET is one of these variables. */
int ambient_has(const struct ast_node *target);
/* Its value as a call; NULL: it is none of them. */
struct ast_node *ambient_lower(struct program *prog, const struct ast_node *target);

#endif
