/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user.h - builds a shared object for the user runtime by one run of gcc.
 */
#ifndef LAPWING_BUILD_USER_H
#define LAPWING_BUILD_USER_H

struct program;

/*
 * Builds prog->c_text in directory dir (which holds script.c already) and leaves dir/NAME.so. 0, or
 * -1 after printing what failed and what to do.
 */
int user_module(const struct program *prog, const char *dir, const char *name);

#endif
