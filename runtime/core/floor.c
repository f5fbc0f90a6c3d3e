// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * floor.c - readings of empty functions for stopwatches, statistics of timed calls, and locations
 * of the consumer's functions.
 *
 * A floor has readings of two kinds of functions, as the kernel has a fast and a slow path to a
 * probe: in a program the first instruction is emulated, or single-stepped, which takes several
 * times as long; returns of the kernel's functions are hooked, but those of modules, which can be
 * unloaded, have kretprobes. One thread calls them one after the other; end probes read the result.
 */
#include "runtime/core/floor.h"

#include "runtime/core/about.h"
#include "runtime/core/fmt.h"
#include "runtime/core/num.h"
#include "runtime/core/port.h"
#include "runtime/core/runtime.h"
#include "runtime/core/sink.h"

#define FLOOR_ALIKE	50	/* one in this many: probes of one kind differ by as much, as
				 * each has its own entry in the kernel's tables */

struct floor {
	u32	n, sorted;
	s64	value[RT_STUB_CALLS];
};

static struct floor (*floors)[2];	/* [nfloors]: fast path, slow path */

int floor_load(void)
{
	floors = rt_script.nfloors ? runtime_alloc(rt_script.nfloors * sizeof(*floors)) : 0;
	return rt_script.nfloors && !floors ? -ENOMEM : 0;
}

void floor_unload(void)
{
	if (floors)
		runtime_free(floors);
	floors = 0;
}

s64 rt_calibrating(struct rt_ctx *c, s64 stopwatch)
{
	return c->probe->stopwatch == stopwatch && c->probe->calibrates;
}
s64 rt_detour(struct rt_ctx *c, s64 stopwatch)
{
	return c->probe->stopwatch == stopwatch && c->probe->way & RT_WAY_DETOUR;
}

void rt_floor_record(struct rt_ctx *c, s64 floor, s64 value)
{
	struct floor *f = floors && floor >= 0 && floor < rt_script.nfloors
				  ? &floors[floor][c->probe->way & RT_WAY_DETOUR]
				  : 0;

	if (f && c->probe->calibrates && f->n < RT_STUB_CALLS)
		f->value[f->n++] = value;
}

/* Insertion sort: the values are few, and nearly sorted. */
static void floor_sort(struct floor *f)
{
	u32 i, k;

	for (i = 1; i < f->n && !f->sorted; i++) {
		s64 v = f->value[i];

		for (k = i; k && f->value[k - 1] > v; k--)
			f->value[k] = f->value[k - 1];
		f->value[k] = v;
	}
	f->sorted = 1;
}

/* The readings of one kind of call, sorted; NULL: none. */
static const struct floor *floor_of(s64 floor, int detour)
{
	struct floor *f =
		floors && floor >= 0 && floor < rt_script.nfloors ? &floors[floor][detour] : 0;

	if (!f || !f->n)
		return 0;
	floor_sort(f);
	return f;
}

static s64 floor_middle(const struct floor *f)
{
	return f ? f->value[f->n / 2] : 0;
}

static s64 floor_reach(const struct floor *f)
{
	s64 middle = floor_middle(f), up, down, least;

	if (!f)
		return 0;
	up = num_sub(f->value[f->n * 95 / 100], middle);
	down = num_sub(middle, f->value[f->n * 5 / 100]);
	up = up > down ? up : down;
	least = middle / FLOOR_ALIKE + 1;	/* readings are integers: equal times may differ
						 * by one */
	return up > least ? up : least;
}

s64 rt_floor(s64 floor, s64 calls, s64 detour)
{
	s64 plain = floor_middle(floor_of(floor, 0)), slow = floor_middle(floor_of(floor, 1));

	if (detour <= 0 || calls <= 0)
		return plain;
	if (detour >= calls)
		return slow;
	return num_add(plain, num_mul(num_sub(slow, plain), detour) / calls);
}

s64 rt_floor_spread(s64 floor, s64 calls, s64 detour)
{
	s64 plain = floor_reach(floor_of(floor, 0)), slow = floor_reach(floor_of(floor, 1));

	if (detour <= 0)
		return plain;
	return detour >= calls || slow > plain ? slow : plain;
}

/* ---- calls ----------------------------------------------------------------------*/

struct floor_calls {
	u64	entered, completed, in_flight, missed, left;
};

static u64 floor_missed(const struct wire_account *a)
{
	return a->entered - a->completed - a->in_flight - a->condition_off;
}

/*
 * A call begins in the keeper of its readings, if there is room. The keeper's misses count in the
 * other probe's statistics.
 */
static struct floor_calls floor_sum(s64 stopwatch)
{
	struct floor_calls sum = { 0 };
	u64 begun = 0, known = 0;
	u32 i;

	for (i = 0; i < rt_script.nprobes; i++) {
		const struct rt_probe *p = &rt_script.probes[i];
		struct wire_account a;

		if (!p->stopwatch || p->stopwatch != stopwatch || p->calibrates)
			continue;
		runtime_books(i, &a);
		if (p->keeps) {
			begun += a.entered;
			continue;
		}
		sum.missed += floor_missed(&a);
		sum.completed += a.completed;
		sum.in_flight += a.in_flight;
		known += a.entered - a.missed_slots;
	}
	sum.left = begun > known ? begun - known : 0;
	sum.entered = sum.completed + sum.in_flight + sum.missed + sum.left;
	return sum;
}

s64 rt_calls_in_flight(s64 stopwatch) { return (s64)floor_sum(stopwatch).in_flight; }
s64 rt_calls_missed(s64 stopwatch) { return (s64)floor_sum(stopwatch).missed; }
s64 rt_calls_left(s64 stopwatch) { return (s64)floor_sum(stopwatch).left; }
s64 rt_calls_entered(s64 stopwatch) { return (s64)floor_sum(stopwatch).entered; }

/* ---- the consumer's functions --------------------------------------------------- */

u32 core_requests(void)
{
	u32 wants = 0, i;

	for (i = 0; i < rt_script.nprobes; i++)
		wants |= rt_script.probes[i].calibrates == RT_STUB_PROGRAM ? WIRE_WANTS_STUB_CALLS :
			 rt_script.probes[i].calibrates == RT_STUB_KERNEL ? WIRE_WANTS_CALIBRATE :
			 rt_script.probes[i].way & RT_WAY_NOP5 ? WIRE_WANTS_NOP5 : 0;
	return wants;
}

/* "/proc/PID/exe" */
static const char *floor_consumer(void)
{
	static char path[32];
	struct sink s = { .p = path, .size = sizeof(path) - 1 };

	sink_put(&s, "/proc/", 6);
	fmt_decimal(&s, core_about.pid);
	sink_put(&s, "/exe", 4);
	path[s.used] = 0;
	return path;
}

struct rt_uprobe *core_uprobes(const void *rows, u32 n)
{
	struct rt_uprobe *copy = runtime_alloc(n * sizeof(*copy) + 1);
	u32 i, stub;

	if (copy)
		memcpy(copy, rows, n * sizeof(*copy));
	for (i = 0; copy && i < n; i++) {
		if (copy[i].path) {
			copy[i].offset += core_about.nop5_breaks ? (u64)copy[i].aside : 0;
			copy[i].address += core_about.nop5_breaks ? (u64)copy[i].aside : 0;
			continue;
		}
		copy[i].path = floor_consumer();
		stub = (copy[i].probe->stopwatch - 1) % RT_CALIBRATION_STUBS;
		copy[i].offset = core_about.empty[copy[i].probe->way & RT_WAY_DETOUR][stub];
		copy[i].pid = core_about.pid;
	}
	return copy;
}

const char *core_uprobe_stuck(const struct rt_uprobe *row)
{
	return core_about.nop5_breaks ? row->stuck : 0;
}
