/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kbuild.h - a kernel module through the kernel's own build system. */
#ifndef LAPWING_BUILD_KBUILD_H
#define LAPWING_BUILD_KBUILD_H

#include "translator/program/program.h"

/*
 * The headers of the kernel that the program is for: those of -r DIR, installed, or fetched by
 * lapwing-vm. NULL: none. Caller frees.
 */
char *kbuild_headers(const struct program *prog);
/*
 * Builds dir/script.c, which contains prog->c_text, to dir/NAME.ko. 0, or -1 after a message on
 * stderr about what failed and what to do.
 */
int kbuild_module(const struct program *prog, const char *dir, const char *name);

/*
 * Runs kbuild once on dir/script.c. runtime: the runtime's object, built before; NULL: builds it.
 * loud: its errors go to stderr. 0, or -1.
 */
int kbuild_make(const struct program *prog, const char *headers, const char *dir, const char *name,
		const char *runtime, int loud);

#endif
