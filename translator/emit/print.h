/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * print.h - print, printf and the sprint functions.
 */
#ifndef LAPWING_EMIT_PRINT_H
#define LAPWING_EMIT_PRINT_H

struct ast_node;
struct emitter;

/* The text of the sprint functions; else "". */
const char *emit_print(struct emitter *e, struct ast_node *node);

#endif
