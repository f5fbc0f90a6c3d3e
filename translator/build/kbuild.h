/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kbuild.h - builds a module by the kernel's own build system.
 */
#ifndef LAPWING_BUILD_KBUILD_H
#define LAPWING_BUILD_KBUILD_H

struct program;

/*
 * The build folder of the target kernel: installed, or fetched by the guest harness. NULL: none, as
 * the harness has reported. Caller frees.
 */
char *kbuild_headers(const struct program *prog);
/*
 * Builds prog->c_text in directory dir (which holds script.c already) and leaves dir/NAME.ko.
 * headers: the result of kbuild_headers(). 0, or -1 after printing what failed and what to do.
 */
int kbuild_module(const struct program *prog, const char *headers, const char *dir,
		  const char *name);
/* One run of kbuild over dir/script.c. loud: its errors go to stderr. 0, or -1. */
int kbuild_make(const struct program *prog, const char *headers, const char *dir, const char *name,
		int loud);

#endif
