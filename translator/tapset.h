/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tapset.h - which files of the script library a program needs.
 */
#ifndef LAPWING_TAPSET_H
#define LAPWING_TAPSET_H

#include "translator/program.h"

/*
 * Parses, with parse(), each file of tapsets/ that declares a function which prog's files call and do not declare
 * themselves, until nothing more is needed. A program that calls only its own functions and builtins reads none.
 */
void tapset_load(struct program *prog, void (*parse)(struct program *prog, struct source *src));

#endif
