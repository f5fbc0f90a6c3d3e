/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kbuild.h - a kernel module through the kernel's own build system. */
#ifndef LAPWING_BUILD_KBUILD_H
#define LAPWING_BUILD_KBUILD_H

#include "translator/program/program.h"

/*
 * Builds prog->c_text in directory dir (which holds script.c already) and leaves dir/NAME.ko or
 * dir/NAME.so. 0, or -1 after saying on stderr what failed and what to do.
 */
int kbuild_module(const struct program *prog, const char *dir, const char *name);

/* One run of kbuild over dir/script.c. loud: its errors go to stderr. 0, or -1. */
int kbuild_make(const struct program *prog, const char *headers, const char *dir, const char *name,
		int loud);

#endif
