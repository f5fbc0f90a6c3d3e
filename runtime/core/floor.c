// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * floor.c - floors: what stopwatches read for empty functions; the fate of the calls that they were
 * to time; places of probes in programs.
 *
 * A floor has readings of several kinds of functions, because the kernel reaches some probes more
 * slowly than others. In a program the first instruction is emulated or, several times as slow,
 * single-stepped; returns of the kernel's functions are hooked, and those of modules, which come
 * and go, have kretprobes. Returns of programs are probed by a replaced return address, or at the
 * instructions that return. One thread calls the functions one after another; handlers read the
 * floor.
 */
#include "runtime/core/floor.h"

#include "runtime/core/about.h"
#include "runtime/core/core.h"
#include "runtime/core/fmt.h"
#include "runtime/core/num.h"
#include "runtime/core/port.h"
#include "runtime/core/sink.h"

/*
 * one part in this many: probes of one kind differ by that much, as each has its own place in the
 * kernel's tables
 */
#define FLOOR_ALIKE	50

struct floor {
	u32	n;
	s64	value[RT_EMPTY_CALLS];		/* sorted */
};

static struct floor (*floors)[RT_EMPTY_KINDS];	/* [nfloors] */

/* The kind of a probe's calls: 1: slow; 2: by instructions. */
static u32 floor_kind(const struct rt_probe *p)
{
	return (p->way & RT_WAY_SLOW ? 1 : 0) + (p->way & RT_WAY_INSTRUCTIONS ? 2 : 0);
}

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
s64 rt_is_slow(struct rt_ctx *c, s64 stopwatch)
{
	return c->probe->stopwatch == stopwatch && c->probe->way & RT_WAY_SLOW;
}
s64 rt_instructions(struct rt_ctx *c, s64 stopwatch)
{
	return c->probe->stopwatch == stopwatch && c->probe->way & RT_WAY_INSTRUCTIONS;
}

/*
 * Inserts in order: handlers on other CPUs, which may read meanwhile, find a valid reading in any
 * place.
 */
void rt_floor_take(struct rt_ctx *c, s64 floor, s64 value)
{
	struct floor *f = floors && floor >= 0 && floor < rt_script.nfloors
				  ? &floors[floor][floor_kind(c->probe)]
				  : 0;
	u32 k;

	if (!f || !c->probe->calibrates || f->n == RT_EMPTY_CALLS)
		return;
	for (k = f->n; k && f->value[k - 1] > value; k--)
		f->value[k] = f->value[k - 1];
	f->value[k] = value;
	f->n++;
}

/* The readings of one kind of call; NULL: none. */
static const struct floor *floor_of(s64 floor, u32 kind)
{
	const struct floor *f =
		floors && floor >= 0 && floor < rt_script.nfloors ? &floors[floor][kind] : 0;

	return f && f->n ? f : 0;
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
	/* readings are integers: equal times may differ by one; not if no events were counted */
	least = middle ? middle / FLOOR_ALIKE + 1 : 0;
	return up > least ? up : least;
}

/* The mean of `calls` calls, of which `part` take `more` and the others `less`. */
static s64 floor_mix(s64 less, s64 more, s64 part, s64 calls)
{
	if (part <= 0 || calls <= 0)
		return less;
	return part >= calls ? more : num_add(less, num_mul(num_sub(more, less), part) / calls);
}

s64 rt_floor(s64 floor, s64 calls, s64 slow, s64 instructions)
{
	s64 middle[RT_EMPTY_KINDS];
	u32 kind;

	for (kind = 0; kind < RT_EMPTY_KINDS; kind++)
		middle[kind] = floor_middle(floor_of(floor, kind));
	return floor_mix(floor_mix(middle[0], middle[1], slow, calls),
			 floor_mix(middle[2], middle[3], slow, calls), instructions, calls);
}

/* The largest spread of the kinds that occur among the calls. */
s64 rt_floor_spread(s64 floor, s64 calls, s64 slow, s64 instructions)
{
	s64 largest = 0;
	u32 kind;

	for (kind = 0; kind < RT_EMPTY_KINDS; kind++) {
		s64 reach = floor_reach(floor_of(floor, kind)),
		    of_way = kind & 1 ? slow : calls - slow;
		s64 of_returns = kind & 2 ? instructions : calls - instructions;

		if (of_way > 0 && of_returns > 0 && reach > largest)
			largest = reach;
	}
	return largest;
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
 * A call begins with a hit of the keeper of its readings, if there is room. The keeper's misses are
 * in the books of the other probe.
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

/* ---- the consumer's functions ------------------------------------------------------*/

u32 core_wants(void)
{
	u32 wants = 0, i;

	for (i = 0; i < rt_script.nprobes; i++) {
		const struct rt_probe *p = &rt_script.probes[i];

		wants |= p->calibrates == RT_EMPTY_PROGRAM ? WIRE_WANTS_EMPTY
			 : p->calibrates == RT_EMPTY_KERNEL
				 ? WIRE_WANTS_CALIBRATE
				 : (p->way & RT_WAY_NOP5 ? WIRE_WANTS_NOP5 : 0) |
					   (p->way & RT_WAY_REPLACES ? WIRE_REPLACES : 0);
	}
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

/* An empty function consists of an instruction and one that returns. */
static void floor_place(struct rt_uprobe *row, struct rt_exit *exit)
{
	u32 kind = floor_kind(row->probe);

	row->path = floor_consumer();
	row->offset = core_about.empty[kind][(row->probe->stopwatch - 1) % RT_EMPTIES];
	row->pid = core_about.pid;
	if (!row->exits)
		return;
	*exit = (struct rt_exit){ row->offset + core_about.empty_first[kind], RT_EXIT_RETURN };
	row->exits = exit;
}

struct rt_uprobe *core_uprobes(const void *rows, u32 n)
{
	struct rt_uprobe *copy =
		runtime_alloc((u64)n * (sizeof(*copy) + sizeof(struct rt_exit)) + 1);
	struct rt_exit *exits = (struct rt_exit *)(copy + n);
	u32 i;

	if (copy)
		memcpy(copy, rows, n * sizeof(*copy));
	for (i = 0; copy && i < n; i++) {
		if (copy[i].path) {
			copy[i].offset += core_about.nop5_breaks ? (u64)copy[i].aside : 0;
			copy[i].address += core_about.nop5_breaks ? (u64)copy[i].aside : 0;
		} else {
			floor_place(&copy[i], &exits[i]);
		}
	}
	return copy;
}

const char *core_uprobe_stuck(const struct rt_uprobe *row)
{
	return core_about.nop5_breaks ? row->stuck : 0;
}
