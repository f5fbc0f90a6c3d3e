/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * function.h - definitions of the script's functions.
 */
#ifndef LAPWING_EMIT_FUNCTION_H
#define LAPWING_EMIT_FUNCTION_H

struct emitter;

/* In the order of the program: callees first. */
void emit_functions(struct emitter *e);

#endif
