/* SPDX-License-Identifier: GPL-2.0-or-later */
/* build.h - what building a kernel module and a shared object have in common. */
#ifndef LAPWING_BUILD_BUILD_H
#define LAPWING_BUILD_BUILD_H

#include "translator/program/program.h"

/* -O2, or -O1 for a script so large that the better code would not make up for the wait. */
const char *build_optimization(const struct program *prog);
/* Removes a temporary folder of ours. */
void build_remove_folder(const char *dir);

#endif
