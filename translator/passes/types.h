/* SPDX-License-Identifier: GPL-2.0-or-later */
/* types.h - infers long, string and statistic, to a fixpoint. */
#ifndef LAPWING_PASSES_TYPES_H
#define LAPWING_PASSES_TYPES_H

#include "translator/passes/display.h"

/*
 * Pass types' first part, before branches are dropped: trims, infers what can be inferred and reports types that disagree. Target
 * variables have no type yet; what stays unknown is left to pass types.
 */
void types_agree(struct program *prog);

#endif
