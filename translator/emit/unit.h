/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unit.h - the whole generated file, in its order: header, globals, functions, probes, tables. */
#ifndef LAPWING_EMIT_UNIT_H
#define LAPWING_EMIT_UNIT_H

#include "translator/emit/emit.h"

char *emit_unit(struct program *prog);		/* the whole file; caller frees */

#endif
