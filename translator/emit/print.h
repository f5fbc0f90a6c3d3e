/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * print.h - the print family: every statement becomes a row of formats[] and the values that fill
 * it; print(a, b) is "%d%s".
 */
#ifndef LAPWING_EMIT_PRINT_H
#define LAPWING_EMIT_PRINT_H

#include "translator/emit/emit.h"

const char *emit_print(struct emitter *e, struct ast_node *node);

#endif
