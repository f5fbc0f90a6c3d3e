/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kit.h - a kernel module without kbuild: one compile and one link. */
#ifndef LAPWING_BUILD_KIT_H
#define LAPWING_BUILD_KIT_H

#include "translator/program/program.h"

/*
 * Builds dir/NAME.ko without kbuild, from this kernel's kit; makes the kit first if it is missing.
 * 0, or -1: this script or this kernel needs kbuild (with -v, after a message).
 */
int kit_module(const struct program *prog, const char *headers, const char *dir, const char *name);

#endif
