/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fetched.c - see fetched.h.
 */
#include "runtime/user/context/fetched.h"

#include "perf/perf_regs.h"
#include "runtime/user/events/record_layout.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>

/* True if piece i begins a group of pieces with the same base. */
static int begins(const struct rt_fetch *fetch, u32 i)
{
	return !i || strcmp(fetch->pieces[i].base, fetch->pieces[i - 1].base);
}

/* True if the piece is in the probed file's own data, given by its link address. */
static int is_of_file(const struct rt_piece *p) { return !strcmp(p->base, "@"); }

/* " f0=+8(%di):u64", or from the file's data: " f0=@+4096:u64". */
static size_t describe_piece(const struct rt_uprobe *site, const struct rt_piece *p, u32 i,
			     char *text, size_t room)
{
	char type[16] = "string", at[256];

	if (is_of_file(p))
		snprintf(at, sizeof(at), "@+%lld",
			 p->offset - (s64)site->address + (s64)site->offset);
	else
		snprintf(at, sizeof(at), "%+lld(%s)", p->offset, p->base);
	if (p->bytes == 1 || p->bytes == 2 || p->bytes == 4 || p->bytes == 8)
		snprintf(type, sizeof(type), "u%u", 8 * p->bytes);
	else if (p->bytes)
		snprintf(type, sizeof(type), "u8[%u]", p->bytes);
	return (size_t)snprintf(text, room, " f%u=%s:%s", i, at, type);
}

int fetched_describe(const struct rt_uprobe *site, const struct rt_fetch *fetch, char *text,
		     size_t room)
{
	size_t used = 0;

	text[0] = 0;
	for (u32 i = 0; i < fetch->npieces && used < room; i++) {
		const struct rt_piece *p = &fetch->pieces[i];

		if (begins(fetch, i) && !is_of_file(p))
			used += (size_t)snprintf(text + used, room - used, " b%u=%s:u64", i,
						 p->base);
		if (used < room)
			used += describe_piece(site, p, i, text + used, room - used);
	}
	return used < room ? 0 : -1;
}

int fetched_alike(const struct rt_fetch *a, const struct rt_fetch *b)
{
	if (a->registers != b->registers || a->npieces != b->npieces)
		return 0;
	for (u32 i = 0; i < a->npieces; i++)
		if (a->pieces[i].bytes != b->pieces[i].bytes || begins(a, i) != begins(b, i) ||
		    is_of_file(&a->pieces[i]) != is_of_file(&b->pieces[i]))
			return 0;
	return 1;
}

u64 fetched_registers(const struct rt_fetch *fetch)
{
	return perf_regs_of(fetch->registers);
}

u64 fetched_register(const struct hit *hit, u32 n, int *known)
{
	u64 value = 0;

	*known = hit->regs && perf_regs_one(hit->regs, hit->regs_mask, n, &value);
	return value;
}

u64 fetched_word(const struct hit *hit, u32 at, u32 bytes)
{
	u64 value = 0;

	if (at <= hit->raw_bytes && bytes <= hit->raw_bytes - at)
		memcpy(&value, hit->raw + at, bytes);
	return value;
}

u64 fetched_bias(const struct hit *hit)
{
	u64 at = hit->exit ? hit->exit->offset - hit->site->offset : 0;

	return fetched_word(hit, hit->layout->address, 8) - hit->site->address - at;
}

/* A field that could not be fetched is 0, just as a field with value 0. */
static int is_readable(const struct hit *hit, const u8 *field, u64 from, u32 n)
{
	char bytes[64];
	struct iovec mine = { bytes, n }, theirs = { (void *)(unsigned long)from, n };

	for (u32 i = 0; i < n; i++)
		if (field[i])
			return 1;
	return from >= 4096 && (process_vm_readv(hit->pid, &mine, 1, &theirs, 1, 0) == (ssize_t)n ||
				errno != EFAULT);
}

/* word: offset and length of the text; length 0: it could not be fetched. */
static int copy_text(const struct hit *hit, u32 word, void *to, u64 skip, u32 n)
{
	u32 at = word & 0xffff, len = word >> 16;

	if (!len)
		return skip ? -ENOENT : -EFAULT;
	if (skip >= len || at > hit->raw_bytes || len > hit->raw_bytes - at)
		return -ENOENT;
	memset(to, 0, n);
	memcpy(to, hit->raw + at + skip, n < len - skip ? n : len - skip);
	return 0;
}

/* skip: offset in the piece; at: offset of its field in the record. */
static int copy_piece(const struct hit *hit, const struct rt_piece *p, u32 at, u64 begin, void *to,
		      u64 skip, u32 n)
{
	u32 word;

	if (at > hit->raw_bytes || (p->bytes ? p->bytes : sizeof(word)) > hit->raw_bytes - at)
		return -ENOENT;
	if (!p->bytes) {
		memcpy(&word, hit->raw + at, sizeof(word));
		return copy_text(hit, word, to, skip, n);
	}
	if (skip >= p->bytes || n > p->bytes - skip)
		return -ENOENT;
	memcpy(to, hit->raw + at + skip, n);
	return is_readable(hit, hit->raw + at, begin, p->bytes) ? 0 : -EFAULT;
}

int fetched_copy(const struct hit *hit, void *to, u64 from, u32 n)
{
	const struct rt_fetch *fetch = hit->fetch;
	u32 at = hit->pieces_at;
	u64 base = 0;
	int rc = -ENOENT;

	for (u32 i = 0; fetch && i < fetch->npieces && rc == -ENOENT; i++) {
		const struct rt_piece *p = &fetch->pieces[i];

		if (is_of_file(p)) {
			base = fetched_bias(hit);
		} else if (begins(fetch, i)) {
			base = fetched_word(hit, at, 8);
			at += 8;
		}
		if (from >= base + (u64)p->offset)
			rc = copy_piece(hit, p, at, base + (u64)p->offset, to,
					from - base - (u64)p->offset, n);
		at += p->bytes ? p->bytes : 4;
	}
	return rc;
}
