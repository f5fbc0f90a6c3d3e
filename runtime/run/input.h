/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * input.h - standard input to the module, a byte at a time, when the script has probes for it
 * (input.char, input.line).
 */
#ifndef LAPWING_RUN_INPUT_H
#define LAPWING_RUN_INPUT_H

#include "runtime/run/run.h"

/* Standard input, for scripts that want it. */
void input_start(void);
int input_take(void);			/* 1: there was some */
void input_end(void);

#endif
