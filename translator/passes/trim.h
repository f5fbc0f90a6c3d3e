/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trim.h - drops what is unused: functions nobody calls, locals and globals nobody reads (a user's
 * global that is written is displayed instead), statements without effect, probes left empty.  -u
 * keeps everything.
 */
#ifndef LAPWING_PASSES_TRIM_H
#define LAPWING_PASSES_TRIM_H

#include "translator/passes/display.h"

/* Drops functions, variables and statements nothing needs; sets function->used and ->pure. Can be repeated. */
void trim_program(struct program *prog);
/* The same, but what was called when it began stays, so that its types can be judged. */
void trim_bodies(struct program *prog);
/* Drops the functions that nobody calls; pass trim's first step, -u or not. */
void trim_functions(struct program *prog);

#endif
