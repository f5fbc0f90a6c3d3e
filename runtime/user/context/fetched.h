/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fetched.h - what was recorded of a process at a hit in its code: registers, and pieces of its
 * memory (struct rt_fetch).
 *
 * Registers are part of the sample; pieces are fields that the event fetches: the value of each
 * base, then for each of its pieces the bytes, or a word that locates the text in the record.
 */
#ifndef LAPWING_USER_FETCHED_H
#define LAPWING_USER_FETCHED_H

#include "runtime/user/user.h"

#include <stddef.h>

/*
 * Fetch arguments for an event's description: " b0=%di:u64 f0=+8(%di):u64 ...". 0, or -1: no room.
 */
int fetched_describe(const struct rt_uprobe *site, const struct rt_fetch *fetch, char *text,
		     size_t room);
/* True if the fields of both would have the same sizes. */
int fetched_alike(const struct rt_fetch *a, const struct rt_fetch *b);
/* The registers to fetch, as perf's mask. */
u64 fetched_registers(const struct rt_fetch *fetch);
/* A register by DWARF number; 0 with *known cleared if it was not recorded. */
u64 fetched_register(const struct hit *hit, u32 n, int *known);
/* A number of up to 8 bytes at offset `at` of the record; 0 if the record is too short. */
u64 fetched_word(const struct hit *hit, u32 at, u32 bytes);
/* Load bias of the probed file: its addresses in the process minus its link addresses. */
u64 fetched_bias(const struct hit *hit);
/*
 * Copies n bytes of memory as they were at the hit. 0; -EFAULT: the process could not have read
 * them; -ENOENT: they were not recorded.
 */
int fetched_copy(const struct hit *hit, void *to, u64 from, u32 n);

#endif
