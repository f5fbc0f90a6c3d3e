/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache.h - the cache of built modules and of their shared parts, by a hash of all inputs.
 */
#ifndef LAPWING_BUILD_CACHE_H
#define LAPWING_BUILD_CACHE_H

#include <glib.h>

struct program;

/*
 * The hash of a module's inputs, 64 hex digits. headers: the kernel's build folder; NULL: none, or
 * the module is for the user runtime. Caller frees.
 */
char *cache_key(const struct program *prog, const char *headers);
/* The same for the parts that all modules of a kernel share. Caller frees. */
char *cache_key_of_kernel(const struct program *prog, const char *headers);
/* The cached file of that key if it belongs to this user and is complete, or NULL. Caller frees. */
char *cache_find(const char *key, const char *suffix);
/*
 * Stores bytes (atomically; may remove files that were not used for long) and returns their path;
 * NULL: no cache. Caller frees.
 */
char *cache_store(const char *key, const char *suffix, const char *data, gsize len);
/* Removes all files of the folder with that prefix but the `count` used last. */
void cache_trim(const char *folder, const char *prefix, guint count);
/*
 * Waits for the cache's lock, one per user; closing the descriptor releases it. -1: no cache.
 */
int cache_lock(void);
/* Empties the cache and prints how much was removed. 0, or -1 and reported. */
int cache_clean(void);

#endif
