/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * display.h - parts of passes that another pass starts.
 */
#ifndef LAPWING_PASSES_DISPLAY_H
#define LAPWING_PASSES_DISPLAY_H

#include "translator/program/program.h"

/* Adds a last `end` probe that prints user globals nobody reads (pass types calls it once types are known). */
void display_unread(struct program *prog);
/* Drops functions, variables and statements nothing needs; sets function->used and ->pure. Can be repeated. */
void trim_program(struct program *prog);
/* The same, but what was called when it began stays, so that its types can be judged. */
void trim_bodies(struct program *prog);
/* Drops the functions that nobody calls; pass trim's first step, -u or not. */
void trim_functions(struct program *prog);
/*
 * Pass types' first part, before branches are dropped: trims, infers what can be inferred and reports types that disagree. Target
 * variables have no type yet; what stays unknown is left to pass types.
 */
void types_agree(struct program *prog);

#endif
