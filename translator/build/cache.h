/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cache.h - build results, by a key of their inputs. */
#ifndef LAPWING_BUILD_CACHE_H
#define LAPWING_BUILD_CACHE_H

#include "translator/program/program.h"

/* The key of everything that a module depends on: 64 hex digits. Caller frees. */
char *cache_key(const struct program *prog);
/* The same for the parts that all modules of a kernel share. Caller frees. */
char *cache_key_of_kernel(const struct program *prog, const char *headers);
/* The key's cached file, if it belongs to this user and is complete; or NULL. Caller frees. */
char *cache_find(const char *key, const char *suffix);
/* The same; or what root keeps ready for that kernel, if only root can have written it. */
char *cache_find_of_kernel(const char *release, const char *key, const char *suffix);
/*
 * Stores bytes atomically and returns their path; may remove the least recently used files. NULL:
 * no cache. Caller frees.
 */
char *cache_store(const char *key, const char *suffix, const char *data, gsize len);
/* Of the folder's files with that prefix, keeps the `count` most recently used. */
void cache_keep_newest(const char *folder, const char *prefix, guint count);
/*
 * Waits for the cache's lock, one per user; closing the descriptor releases it. -1: no cache.
 */
int cache_lock(void);
/* Empties the cache and prints the number of files removed. 0, or -1 after a message. */
int cache_clean(void);

#endif
