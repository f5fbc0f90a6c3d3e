// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * names.c - symbolic names of numbers: flags and enumerations of system calls, sources of data.
 *
 * A table is a string, "PROT_READ=1 PROT_WRITE=2 ...", next to its library function. "O_WRONLY=1/3"
 * is a field: its bits are the mask 3. Values without a name are shown in hexadecimal.
 */
#include "runtime/core/core.h"
#include "runtime/core/sink.h"

struct row {
	struct rt_str	name;
	u64		value, mask;
};

static u64 names_number(struct rt_str table, u32 *at)
{
	u64 v = 0, base = 10;

	if (*at + 1 < table.len && table.p[*at] == '0' && table.p[*at + 1] == 'x') {
		base = 16;
		*at += 2;
	}
	for (; *at < table.len; ++*at) {
		char ch = table.p[*at];
		u32 digit = ch >= '0' && ch <= '9'   ? (u32)(ch - '0')
			    : ch >= 'a' && ch <= 'f' ? (u32)(ch - 'a' + 10)
			    : 16;

		if (digit >= base)
			break;
		v = v * base + digit;
	}
	return v;
}

/* The row at *at; 0: none. */
static int names_next(struct rt_str table, u32 *at, struct row *row)
{
	u32 start;

	while (*at < table.len && table.p[*at] == ' ')
		++*at;
	for (start = *at; *at < table.len && table.p[*at] != '='; ++*at)
		;
	if (*at >= table.len)
		return 0;
	row->name = (struct rt_str){ table.p + start, (u16)(*at - start) };
	++*at;
	row->value = row->mask = names_number(table, at);
	if (*at < table.len && table.p[*at] == '/') {
		++*at;
		row->mask = names_number(table, at);
	}
	return 1;
}

static struct rt_str names_end(struct rt_ctx *c, const struct sink *s)
{
	if (s->size)
		c->arena_used = (u32)(s->p - c->arena) + s->used;
	return (struct rt_str){ s->p, (u16)s->used };
}

static struct sink names_sink(struct rt_ctx *c)
{
	struct rt_strvar to = rt_strvar(c);

	return (struct sink){ .p = to.p, .size = to.size ? (u32)to.size - 1 : 0 };
}

static void names_hex(struct sink *s, u64 v)
{
	u32 shift = 60;

	sink_text(s, "0x");
	while (shift && !(v >> shift))
		shift -= 4;
	for (;; shift -= 4) {
		sink_char(s, "0123456789abcdef"[v >> shift & 15]);
		if (!shift)
			break;
	}
}

struct rt_str rt_decode_flags(struct rt_ctx *c, s64 value, struct rt_str table)
{
	struct sink out = names_sink(c);
	u64 left = (u64)value;
	struct row row;
	u32 at = 0;

	while (names_next(table, &at, &row)) {
		/* a row of value and mask 0 names the whole value 0 */
		if (row.mask ? (left & row.mask) != row.value : value != 0)
			continue;
		if (out.used)
			sink_char(&out, '|');
		sink_put(&out, row.name.p, row.name.len);
		left &= ~row.mask;
	}
	if (left || !out.used) {
		if (out.used)
			sink_char(&out, '|');
		names_hex(&out, left);
	}
	return names_end(c, &out);
}

struct rt_str rt_decode_value(struct rt_ctx *c, s64 value, struct rt_str table)
{
	struct sink out;
	struct row row;
	u32 at = 0;

	while (names_next(table, &at, &row))
		if (row.value == (u64)value)
			return row.name;
	out = names_sink(c);
	names_hex(&out, (u64)value);
	return names_end(c, &out);
}

s64 rt_encode_value(struct rt_str name, struct rt_str table)
{
	struct row row;
	u32 at = 0;

	while (names_next(table, &at, &row))
		if (!rt_cmp(row.name, name))
			return (s64)row.value;
	return -1;
}

/* ---- where the data of a sample was ------------------------------------------------------*/

/*
 * Fields of union perf_mem_data_src (linux/perf_event.h): sets of bits, the first of which means that
 * nothing is known; levels are numbers as well, 15 where that is not known.
 */
static const char *const source_ops[] = { NULL, "load", "store", "prefetch", "exec" },
	*const source_levels[] = { NULL, "hit", "miss", "L1", "LFB", "L2", "L3", "local RAM", "remote RAM",
				   "remote RAM (2 hops)", "remote cache", "remote cache (2 hops)", "I/O", "uncached" },
	*const source_numbers[] = { NULL, "L1", "L2", "L3", "L4", "L2 MHB", "memory-side cache", NULL, "uncached",
				    "CXL", "I/O", "any cache", "LFB", "RAM", "PMEM", NULL },
	*const source_snoops[] = { NULL, NULL, "hit", "miss", "hitm" },
	*const source_more_snoops[] = { "forwarded", "peer" },
	*const source_tlbs[] = { NULL, "hit", "miss", "L1", "L2", "walker", "fault" };

/* A part of the text: its title, then words; parts have a comma between them. */
struct source_part {
	struct sink	*out;
	const char	*title;		/* "": it has none */
	int		has_word;
};

static void source_word(struct source_part *part, const char *word)
{
	struct sink *s = part->out;

	if (!word)
		return;
	if (!part->has_word) {
		sink_text(s, s->used ? ", " : "");
		sink_text(s, part->title);
	}
	if (part->has_word || *part->title)
		sink_char(s, ' ');
	sink_text(s, word);
	part->has_word = 1;
}

/* The names of the bits from `first` on. */
static void source_bits(struct source_part *part, u64 bits, const char *const *names, u32 first,
			u32 end)
{
	u32 i;

	for (i = first; i < end; i++)
		if (bits >> i & 1)
			source_word(part, names[i]);
}

struct rt_str rt_mem_source(struct rt_ctx *c, s64 source)
{
	u64 v = (u64)source, level = v >> 5 & 0x3fff, tlb = v >> 26 & 0x7f;
	const char *number = source_numbers[v >> 33 & 15];
	struct sink out = names_sink(c);
	struct source_part access = { &out, "" }, snoop = { &out, "snoop" }, dtlb = { &out, "dTLB" },
			   lock = { &out, "" };

	source_bits(&access, v & 31, source_ops, 1, 5);
	source_word(&access, v >> 37 & 1 ? "remote" : NULL);
	source_word(&access, number);
	source_bits(&access, number ? 0 : level, source_levels, 3, 14);
	source_bits(&access, level, source_levels, 1, 3);
	source_bits(&snoop, v >> 19 & 31, source_snoops, 2, 5);
	source_bits(&snoop, v >> 38 & 3, source_more_snoops, 0, 2);
	source_bits(&dtlb, tlb, source_tlbs, 3, 7);
	source_bits(&dtlb, tlb, source_tlbs, 1, 3);
	source_word(&lock, v >> 24 & 2 ? "locked" : NULL);
	return names_end(c, &out);
}
