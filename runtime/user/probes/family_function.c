// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family_function.c - kernel functions through kprobe events of tracefs, if the kernel has them.
 *
 * Each row has an event of its own (tracefs.h); a return that keeps values of its entry has two,
 * the other one at the entry. It fetches at an entry all arguments in registers, and the stack
 * pointer if a return follows; at a return the result and the stack pointer; then what the script
 * fetches (translator/target_var/kprobe_fetch.c).
 */
#include "lib/machine.h"
#include "runtime/user/context/call.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/events/source.h"
#include "runtime/user/events/tracefs.h"
#include "runtime/user/transport/message.h"
#include "runtime/user/context/fetched.h"
#include "runtime/user/context/regs.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ACTIVE		16384	/* room for pending calls, of all functions together */
#define ACTIVE_LEAST	64
#define ACTIVE_MAX	4096	/* of one function: the kernel's KRETPROBE_MAXACTIVE_MAX */

static const struct tracefs_kind kind = { "kprobe_events", 'k', RUN_FUNCTION_NONE,
					  RUN_FUNCTION_FORBIDDEN };

static struct merge_tally *tallies;	/* two per row: its own, the keeper's */
static u32 nrows;
static struct record_layout entries, returns;	/* of all events of that kind */

static void entered(const void *row, struct hit *hit)
{
	hit->layout = &entries;
	enter_probe(((const struct rt_function *)row)->probe, hit);
}

/* Number of arguments that the ABI passes in registers. */
static u32 argument_registers(void) { return machine_is_arm64() ? 8 : 6; }

static struct call_row calls_of(const struct rt_function *row)
{
	return (struct call_row){ .row = row,
				  .probe = row->probe,
				  .keeper = row->keeper,
				  .nkept = row->nkept,
				  .with_text = row->keeps_text };
}

static void returned(const void *data, struct hit *hit)
{
	const struct rt_function *row = data;
	struct call_row calls = calls_of(row);

	hit->layout = &returns;
	if (row->keeper)
		call_return(&calls, hit, fetched_word(hit, returns.result + 8, 8) - regs_call_bytes());
	else
		enter_probe(row->probe, hit);
}

static void begun(const void *data, struct hit *hit)
{
	struct call_row calls = calls_of(data);

	hit->layout = &entries;
	call_enter(&calls, hit,
		   fetched_word(hit, entries.arguments + 8 * argument_registers(), 8));
}

/* " a1=$arg1:u64 ...". */
static void describe_arguments(char *text, size_t room, int with_stack)
{
	u32 n = argument_registers();
	size_t used = 0;

	for (u32 i = 1; i <= n && used < room; i++)
		used += (size_t)snprintf(text + used, room - used, " a%u=$arg%u:u64", i, i);
	if (with_stack && used < room)
		snprintf(text + used, room - used, " stack=$stack:u64");
}

/*
 * Number of pending calls that the kernel is to have room for: large if there are few functions, as
 * calls may sleep; 4096 is the kernel's limit.
 */
static u32 active(const struct rt_function *row)
{
	u32 asked = row->maxactive ? row->maxactive : rt_script.limits.kretactive,
	    each = ACTIVE / (nrows ? nrows : 1);

	if (asked)
		return asked < ACTIVE_MAX ? asked : ACTIVE_MAX;
	return each < ACTIVE_LEAST ? ACTIVE_LEAST : each > ACTIVE_MAX ? ACTIVE_MAX : each;
}

static int make_event(const struct rt_function *row, u32 n, int is_keeper)
{
	char what[4000], values[256] = " ret=$retval:u64 stack=$stack:u64", how[16] = "p",
			 offset[16] = "";
	const char *fetch = is_keeper ? row->keeper_fetch : row->fetch;

	if (is_keeper || (!row->is_return && !row->offset))
		describe_arguments(values, sizeof(values), is_keeper);
	if (row->is_return && !is_keeper)
		snprintf(how, sizeof(how), "r%u", active(row));
	if (row->offset) {
		snprintf(offset, sizeof(offset), "+%u", row->offset);
		values[0] = 0;
	}
	snprintf(what, sizeof(what), "%s%s%s%s%s%s", row->module ? row->module : "",
		 row->module ? ":" : "", row->function, offset, values, fetch ? fetch : "");
	return tracefs_add(&kind, n, how, what);
}

static void stop(const void *rows, u32 n)
{
	const struct rt_function *row = rows;

	merge_close(entered);
	merge_close(returned);
	merge_close(begun);
	for (u32 i = 0; tallies && i < n; i++) {
		enter_missed(row[i].probe, merge_lost(&tallies[2 * i]));
		if (row[i].keeper) {
			enter_missed(row[i].keeper, merge_lost(&tallies[2 * i + 1]));
			enter_in_flight(row[i].probe, call_count(&row[i]));
		}
	}
	free(tallies);
	tallies = NULL;
	call_clear();
	if (tracefs_root())
		tracefs_drop(&kind, 2 * n);
}

/* n: the event's number. */
static int arm(const struct rt_function *row, u32 n, int is_keeper)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT,
					.sample_type = PERF_SAMPLE_RAW,
					.sample_period = 1 };
	struct record_layout *layout = row->is_return && !is_keeper ? &returns : &entries;
	int rc = make_event(row, n, is_keeper);

	rc = rc ? rc : tracefs_own_records(&kind, n, layout);
	if (rc)
		return tracefs_refuse(&kind, row->probe, row->optional, rc);
	attr.config = (u64)tracefs_id(&kind, n);
	tallies[n].joins = row->keeper != NULL;
	return merge_open(&attr, row->probe->point,
			  is_keeper ? begun
			  : row->is_return ? returned
			  : entered,
			  row, &tallies[n]);
}

static int start(const void *rows, u32 n)
{
	const struct rt_function *row = rows;
	const char *root = tracefs_root();
	int rc = root ? 0 : -ENOENT;

	nrows = n;
	tallies = calloc(n, 2 * sizeof(*tallies));
	if (!tallies)
		return -ENOMEM;
	if (root)
		tracefs_sweep(&kind);
	for (u32 i = 0; i < n && !rc; i++) {
		rc = row[i].keeper ? arm(&row[i], 2 * i + 1, 1) : 0;
		rc = rc ? rc : arm(&row[i], 2 * i, 0);
	}
	if (rc)
		stop(rows, n);
	return rc;
}

const struct rt_family rt_family_function = {
	.name	= "function",
	.start	= start,
	.stop	= stop,
};
