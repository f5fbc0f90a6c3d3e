/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cache.h - what was built, by what it was made from. */
#ifndef LAPWING_BUILD_CACHE_H
#define LAPWING_BUILD_CACHE_H

#include "translator/program/program.h"

/* What a built module depends on, as 64 hex digits. Caller frees. */
char *cache_key(const struct program *prog);
/* The same for the parts that all modules of a kernel share. Caller frees. */
char *cache_key_of_kernel(const struct program *prog, const char *headers);
/* The cached file of that key if it belongs to this user and is complete, or NULL. Caller frees. */
char *cache_find(const char *key, const char *suffix);
/*
 * Stores bytes (atomically; may remove files that were not used for long) and returns their path;
 * NULL: no cache. Caller frees.
 */
char *cache_store(const char *key, const char *suffix, const char *data, gsize len);
/* Of the folder's files whose names begin so, only the `count` used last stay. */
void cache_keep_newest(const char *folder, const char *prefix, guint count);
/*
 * Waits for the cache's lock, one per user; closing the descriptor releases it. -1: no cache.
 */
int cache_lock(void);
/* Empties the cache and prints how much was removed. 0, or -1 and reported. */
int cache_clean(void);

#endif
