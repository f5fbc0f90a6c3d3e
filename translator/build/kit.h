/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kit.h - builds a module without kbuild, by commands and objects that kbuild made before.
 */
#ifndef LAPWING_BUILD_KIT_H
#define LAPWING_BUILD_KIT_H

struct program;

/*
 * Builds the same module as kbuild_module(), from cached commands and objects of this kernel, which
 * it makes first if missing. 0, or -1: this script or kernel needs kbuild (-v prints why).
 */
int kit_module(const struct program *prog, const char *headers, const char *dir, const char *name);

#endif
