/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * callee.h - .callee("pat") and .callees of family function: hits count only if the call came from
 * the given function.
 */
#ifndef LAPWING_CALLEE_H
#define LAPWING_CALLEE_H

#include "translator/program/program.h"

/* Adds the check at the start of the handler of a probe whose place has a frame. */
void callee_guard(struct program *prog, struct probe *p);

#endif
