/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * build.h - from C text to a module: kbuild for the kernel runtime, one gcc run for the user runtime, a cache for both.
 */
#ifndef LAPWING_BUILD_H
#define LAPWING_BUILD_H

#include "translator/program.h"

/*
 * Builds prog->c_text in directory dir (which holds script.c already) and leaves dir/NAME.ko or dir/NAME.so. 0, or -1 after saying
 * on stderr what failed and what to do.
 */
int kbuild_module(const struct program *prog, const char *dir, const char *name);
int user_module(const struct program *prog, const char *dir, const char *name);

/* What a built module depends on, as 64 hex digits. Caller frees. */
char *cache_key(const struct program *prog);
/* The cached module of that key, if it is ours and whole; else NULL. Caller frees. */
char *cache_find(const char *key, const char *suffix);
/* Puts a file there (atomically) and gives its path; NULL: no cache, said with -v. Caller frees. */
char *cache_store(const char *key, const char *suffix, const char *file);

#endif
