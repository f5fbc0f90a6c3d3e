/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fetched.h - what was taken of a process at a hit in its code: registers, and pieces of its memory
 * (struct rt_fetch).
 *
 * Registers come with the sample, pieces as fields that the event fetches: for each base its value,
 * then for each of its pieces the bytes, or a word that says where in the record the text is.
 */
#ifndef LAPWING_USER_FETCHED_H
#define LAPWING_USER_FETCHED_H

#include "runtime/user/user.h"

#include <stddef.h>

/*
 * Fetch arguments for an event's description: " b0=%di:u64 f0=+8(%di):u64 ...". 0, or -1: there is
 * no room.
 */
int fetched_describe(const struct rt_uprobe *site, const struct rt_fetch *fetch, char *text,
		     size_t room);
/* Would their fields have the same sizes? */
int fetched_alike(const struct rt_fetch *a, const struct rt_fetch *b);
/* perf's mask of the registers. */
u64 fetched_registers(const struct rt_fetch *fetch);
/* By DWARF's number; 0 with *known cleared where it was not taken. */
u64 fetched_register(const struct hit *hit, u32 n, int *known);
/* A number of up to 8 bytes of the record; 0: it is not so long. */
u64 fetched_word(const struct hit *hit, u32 at, u32 bytes);
/* How far the probed file's addresses in the process are from those it is linked for. */
u64 fetched_bias(const struct hit *hit);
/*
 * n bytes of memory as they were at the hit. 0; -EFAULT: the process could not have read them;
 * -ENOENT: they were not taken.
 */
int fetched_copy(const struct hit *hit, void *to, u64 from, u32 n);

#endif
