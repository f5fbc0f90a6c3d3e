/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * build.h - from C text to a module: kbuild for the kernel runtime, one gcc run for the user runtime, a cache for both.
 */
#ifndef LAPWING_BUILD_H
#define LAPWING_BUILD_H

#include "translator/program/program.h"

/*
 * Builds prog->c_text in directory dir (which holds script.c already) and leaves dir/NAME.ko or dir/NAME.so. 0, or -1 after saying
 * on stderr what failed and what to do.
 */
int kbuild_module(const struct program *prog, const char *dir, const char *name);
int user_module(const struct program *prog, const char *dir, const char *name);

/* One run of kbuild over dir/script.c. loud: its errors go to stderr. 0, or -1. */
int kbuild_make(const struct program *prog, const char *headers, const char *dir, const char *name, int loud);
/*
 * The same module without kbuild, from what is kept of this kernel; makes that first when it is not there. 0, or -1: this script or this
 * kernel needs kbuild (why is said with -v).
 */
int kit_module(const struct program *prog, const char *headers, const char *dir, const char *name);
/* -O2, or -O1 for a script so large that the better code would not make up for the wait. */
const char *build_optimization(const struct program *prog);
/* rm -rf of a temporary folder of ours. */
void build_remove_folder(const char *dir);

/* What a built module depends on, as 64 hex digits. Caller frees. */
char *cache_key(const struct program *prog);
/* What the parts that all modules of a kernel share depend on. headers: its build folder. Caller frees. */
char *cache_key_of_kernel(const struct program *prog, const char *headers);
/* The cached file of that key, if it is ours and whole; else NULL. Caller frees. */
char *cache_find(const char *key, const char *suffix);
/* Keeps bytes there (atomically; may drop what was not used for long) and gives their path; NULL: no cache. Caller frees. */
char *cache_store(const char *key, const char *suffix, const char *data, gsize len);
/* Of the folder's files whose names begin so, only the `count` used last stay. */
void cache_keep_newest(const char *folder, const char *prefix, guint count);
/* Waits until nobody else of this user holds the cache's lock; closing the descriptor gives it back. -1: no cache. */
int cache_lock(void);
/* Empties the cache and says how much went. 0, or -1 after saying why not. */
int cache_clean(void);

#endif
