/* SPDX-License-Identifier: GPL-2.0-or-later */
/* function.h - the script's functions. */
#ifndef LAPWING_EMIT_FUNCTION_H
#define LAPWING_EMIT_FUNCTION_H

#include "translator/emit/emit.h"

void emit_functions(struct emitter *e);

#endif
