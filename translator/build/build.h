/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * build.h - shared by all ways to build a module from C text: kbuild and its shortcut (kit.h) for
 * the kernel runtime, one gcc run for the user runtime (user.h).
 */
#ifndef LAPWING_BUILD_BUILD_H
#define LAPWING_BUILD_BUILD_H

#include "translator/program/program.h"

/* -O2, or -O1 for a large script, whose faster code would not make up for the compile time. */
const char *build_optimization(const struct program *prog);
/* Removes a temporary folder and its contents. */
void build_remove_folder(const char *dir);

#endif
