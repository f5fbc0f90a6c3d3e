/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dump.h - a program as text, in the shape of stap -p2: globals, functions, probes with their
 * locals, and what later passes found (locks, capture).
 */
#ifndef LAPWING_PROGRAM_DUMP_H
#define LAPWING_PROGRAM_DUMP_H

#include "translator/program/program.h"

/* The program as text (--dump=NAME, stap -p2 form): globals, functions, probes with locals, locks, capture. */
void program_dump(const struct program *prog, FILE *to);

#endif
