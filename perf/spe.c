/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spe.c - see spe.h. A record is a list of packets: a header of a byte, or of two where an index is
 * above 7, and a number of 1, 2, 4 or 8 bytes. It ends with a timestamp or with an end packet.
 */
#include "perf/spe.h"

#include <dirent.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#define DEVICES	"/sys/bus/event_source/devices"

enum packet { PAD, END, TIMESTAMP, EVENTS, SOURCE, CONTEXT, OPERATION, ADDRESS, COUNTER, NEITHER };

struct header {
	u8	mask, bits;
	enum packet packet;
};

/* Bits 4 and 5 of most headers are the number's size, a power of 2. */
static const struct header headers[] = {
	{ 0xff, 0x00, PAD },	 { 0xff, 0x01, END },	  { 0xff, 0x71, TIMESTAMP },
	{ 0xcf, 0x42, EVENTS },	 { 0xcf, 0x43, SOURCE },  { 0xfc, 0x64, CONTEXT },
	{ 0xfc, 0x48, OPERATION }, { 0xf8, 0xb0, ADDRESS }, { 0xf8, 0x98, COUNTER },
};

#define EXTENDED_MASK	0xfc
#define EXTENDED	0x20	/* the first of two bytes; its low bits are the index's high ones */

/* What addresses and counters are of. */
enum { OF_PC, OF_TARGET, OF_DATA };
enum { TOTAL, ISSUE, TRANSLATION };

static enum packet packet_of(u8 header)
{
	for (u32 i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		if ((header & headers[i].mask) == headers[i].bits)
			return headers[i].packet;
	return NEITHER;
}

/* ---- the PMU --------------------------------------------------------------------------*/

int spe_is(u32 type)
{
	DIR *dir = opendir(DEVICES);
	struct dirent *d;
	int is = 0;

	while (dir && !is && (d = readdir(dir))) {
		char path[300];
		u32 of_pmu;
		FILE *f;

		if (strncmp(d->d_name, "arm_spe", 7))
			continue;
		snprintf(path, sizeof(path), DEVICES "/%s/type", d->d_name);
		f = fopen(path, "re");
		is = f && fscanf(f, "%u", &of_pmu) == 1 && of_pmu == type;
		if (f)
			fclose(f);
	}
	if (dir)
		closedir(dir);
	return is;
}

/* ---- addresses -------------------------------------------------------------------------*/

/* Bits 56 to 63 hold something else. Of a kernel address they were all set. */
static u64 kernel_address(u64 value) { return value | 0xffULL << 56; }
static u64 user_address(u64 value) { return value & ~(0xffULL << 56); }

static void take_pc(struct spe_record *r, u64 value)
{
	u64 level = value >> 61 & 3;

	r->is_user = level == 0;
	r->pc = r->is_user ? user_address(value) : kernel_address(value);
}

/* The tag of the top byte is dropped: bit 55 says which half of the addresses it is in. */
static void take_data(struct spe_record *r, u64 value)
{
	r->data_addr = value >> 55 & 1 ? kernel_address(value) : user_address(value);
}

/* ---- records ---------------------------------------------------------------------------*/

static void take_operation(struct spe_record *r, u32 class, u64 value)
{
	if (class == 2)
		r->op = SPE_BRANCH;
	if (class != 1)
		return;
	r->op = SPE_MEMORY | (value & 1 ? SPE_STORE : 0);
	/* an atomic, exclusive or acquire/release access, of which bit 2 is the first */
	if ((value & 0xe2) == 0x02 && value & 4)
		r->op |= SPE_ATOMIC;
}

static void take(struct spe_record *r, enum packet packet, u32 index, u64 value)
{
	switch (packet) {	/* flat switch */
	case TIMESTAMP: r->timestamp = value; break;
	case EVENTS: r->events = value; break;
	case SOURCE: r->source = (s32)(value & 0xffff); break;
	case OPERATION: take_operation(r, index & 3, value); break;
	case ADDRESS:
		if (index == OF_PC)
			take_pc(r, value);
		else if (index == OF_DATA)
			take_data(r, value);
		break;
	case COUNTER:
		if (index == TOTAL)
			r->total = (u16)value;
		else if (index == ISSUE)
			r->issue = (u16)value;
		else if (index == TRANSLATION)
			r->translation = (u16)value;
		break;
	default:
		break;
	}
}

/* The bytes up to the next multiple of the alignment that a header at that position tells. */
static u64 to_alignment(u8 header, u64 position)
{
	u64 alignment = 1ULL << ((header & 15) + 1);

	return alignment - (position & (alignment - 1));
}

int spe_next(const u8 **at, const u8 *end, u64 position, struct spe_record *r)
{
	const u8 *p = *at;

	*r = (struct spe_record){ .timestamp = SPE_UNTIMED, .source = -1 };
	while (p < end) {
		const u8 *header = p++;
		u32 index = *header & 7, bytes;
		enum packet packet;
		u64 value = 0;

		if ((*header & EXTENDED_MASK) == EXTENDED) {
			if (p == end)
				return 0;
			if (!*p) {
				u64 skipped = to_alignment(*header, position - (u64)(end - header));

				if (skipped > (u64)(end - header))
					return 0;
				p = header + skipped;
				continue;
			}
			index = (*header & 3U) << 3 | (*p & 7U);
			packet = packet_of(*p++);
			if (packet != ADDRESS && packet != COUNTER)
				packet = NEITHER;
		} else {
			packet = packet_of(*header);
		}
		if (packet == NEITHER) {
			*at = p;
			return -1;
		}
		if (packet == PAD)
			continue;
		bytes = packet == END ? 0 : 1U << (p[-1] >> 4 & 3);
		if (bytes > (u64)(end - p))
			return 0;
		memcpy(&value, p, bytes);
		p += bytes;
		take(r, packet, index, value);
		if (packet == END || packet == TIMESTAMP) {
			*at = p;
			return 1;
		}
	}
	return 0;
}

/* ---- where the data was ------------------------------------------------------------------*/

/*
 * Arm's own processors of today number sources alike (Technical Reference Manuals, "Data source
 * packet"): implementer 0x41 and these parts.
 */
static int has_common_sources(u64 midr)
{
	static const u16 parts[] = {
		0xd0c,	/* Neoverse N1 */
		0xd40,	/* Neoverse V1 */
		0xd49,	/* Neoverse N2 */
		0xd4f,	/* Neoverse V2 */
		0xd4c,	/* Cortex-X1C */
		0xd4e,	/* Cortex-X3 */
		0xd81,	/* Cortex-A720 */
		0xd85,	/* Cortex-X925 */
		0xd87,	/* Cortex-A725 */
	};

	for (u32 i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (midr >> 24 == 0x41 && (midr >> 4 & 0xfff) == parts[i])
			return 1;
	return 0;
}

static const struct source {
	s32	number;
	u64	data_src;
} sources[] = {
	{ 0x0, PERF_MEM_S(LVL, L1) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVLNUM, L1) | PERF_MEM_S(SNOOP, NONE) },
	{ 0x8, PERF_MEM_S(LVL, L2) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVLNUM, L2) | PERF_MEM_S(SNOOP, NONE) },
	/* another core's cache */
	{ 0x9, PERF_MEM_S(LVL, L2) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVLNUM, L2) | PERF_MEM_S(SNOOPX, PEER) },
	/* the cluster's */
	{ 0xa, PERF_MEM_S(LVL, L3) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVLNUM, L3) | PERF_MEM_S(SNOOPX, PEER) },
	/* the system's */
	{ 0xb, PERF_MEM_S(LVL, L3) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVLNUM, L3) | PERF_MEM_S(SNOOP, NONE) },
	/* another cluster's */
	{ 0xc, PERF_MEM_S(LVL, L3) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVLNUM, L3) | PERF_MEM_S(SNOOPX, PEER) },
	/* another socket's cache */
	{ 0xd, PERF_MEM_S(LVLNUM, ANY_CACHE) | PERF_MEM_S(REMOTE, REMOTE) | PERF_MEM_S(SNOOPX, PEER) },
	{ 0xe, PERF_MEM_S(LVL, LOC_RAM) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVLNUM, RAM) | PERF_MEM_S(SNOOP, NONE) },
};

/* The level that the events name: the last one that was asked. */
static u64 level_of(u64 events)
{
	u64 level = 0;

	if (events & (SPE_LLC_ACCESS | SPE_LLC_MISS))
		level = PERF_MEM_S(LVL, L3) | PERF_MEM_S(LVLNUM, L3) |
			(events & SPE_LLC_MISS ? PERF_MEM_S(LVL, MISS) : PERF_MEM_S(LVL, HIT));
	else if (events & (SPE_L2_ACCESS | SPE_L2_MISS))
		level = PERF_MEM_S(LVL, L2) | PERF_MEM_S(LVLNUM, L2) |
			(events & SPE_L2_MISS ? PERF_MEM_S(LVL, MISS) : PERF_MEM_S(LVL, HIT));
	else if (events & (SPE_L1_ACCESS | SPE_L1_MISS))
		level = PERF_MEM_S(LVL, L1) | PERF_MEM_S(LVLNUM, L1) |
			(events & SPE_L1_MISS ? PERF_MEM_S(LVL, MISS) : PERF_MEM_S(LVL, HIT));
	return level | (events & SPE_REMOTE ? PERF_MEM_S(REMOTE, REMOTE) : 0);
}

u64 spe_data_src(const struct spe_record *r, u64 midr)
{
	u64 src, level = 0;

	if (!(r->op & SPE_MEMORY))
		return 0;
	src = r->op & SPE_STORE ? PERF_MEM_S(OP, STORE) : PERF_MEM_S(OP, LOAD);
	/* what a store writes is not where its data was */
	if (r->source >= 0 && !(r->op & SPE_STORE) && has_common_sources(midr))
		for (u32 i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
			level |= sources[i].number == r->source ? sources[i].data_src : 0;
	src |= level ? level : level_of(r->events);
	if (r->events & (SPE_TLB_ACCESS | SPE_TLB_WALK))
		src |= r->events & SPE_TLB_WALK ? PERF_MEM_S(TLB, MISS) | PERF_MEM_S(TLB, WK) : PERF_MEM_S(TLB, HIT);
	if (r->op & SPE_ATOMIC)
		src |= PERF_MEM_S(LOCK, LOCKED);
	return src;
}
