/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * locals.h - declarations of a function's or handler's script variables.
 */
#ifndef LAPWING_EMIT_LOCALS_H
#define LAPWING_EMIT_LOCALS_H

#include "translator/emit/emit.h"

/* Declares struct var's in the open block: longs as s64, strings with a buffer from the arena. */
void emit_locals(struct emitter *e, const GPtrArray *locals);

#endif
