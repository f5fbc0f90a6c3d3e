/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ambient.h - $variables that every probe has: the time, the current process and the interrupted
 * registers.
 */
#ifndef LAPWING_AMBIENT_H
#define LAPWING_AMBIENT_H

#include "translator/program/program.h"

/* The value of an AST_TARGET as a call; NULL: not one of these variables. */
struct ast_node *ambient_lower(struct program *prog, const struct ast_node *target);

#endif
