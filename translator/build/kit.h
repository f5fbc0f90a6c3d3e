/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kit.h - a kernel module without kbuild: one compile and one link. */
#ifndef LAPWING_BUILD_KIT_H
#define LAPWING_BUILD_KIT_H

#include "translator/program/program.h"

/*
 * The same module without kbuild, from what is kept of this kernel; makes that first when it is not
 * there. 0, or -1: this script or this kernel needs kbuild (why is said with -v).
 */
int kit_module(const struct program *prog, const char *headers, const char *dir, const char *name);

#endif
