/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * input.h - standard input, for scripts with input probes.
 */
#ifndef LAPWING_RUN_INPUT_H
#define LAPWING_RUN_INPUT_H

void input_start(void);
int input_receive(void);			/* 1: some was read */
void input_end(void);

#endif
