/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * input.h - passes standard input to the module, a byte at a time, if the script has probes for it
 * (input.char, input.line).
 */
#ifndef LAPWING_RUN_INPUT_H
#define LAPWING_RUN_INPUT_H

#include "runtime/run/run.h"

/* Reads standard input, for scripts that use it. */
void input_start(void);
int input_take(void);			/* 1: something was read */
void input_end(void);

#endif
