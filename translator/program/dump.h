/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dump.h - a program as text.
 */
#ifndef LAPWING_PROGRAM_DUMP_H
#define LAPWING_PROGRAM_DUMP_H

#include "translator/program/program.h"

/*
 * The program as text (--dump=NAME, stap -p2 form): globals, functions, probes with locals, locks,
 * capture.
 */
void program_dump(const struct program *prog, FILE *to);

#endif
