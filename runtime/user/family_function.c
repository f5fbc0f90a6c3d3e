// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family_function.c - kernel functions through kprobe events of tracefs, where the kernel has them.
 *
 * Each row is an event of its own (tracefs.h). Its record: the common fields, the address, then at an
 * entry all arguments that are in registers, at a return the caller and the result; then what the script fetches (translator/fetch.c).
 * Two rows of one function are two events; nothing is kept from the entry to the return.
 */
#include "runtime/user/tracefs.h"
#include "runtime/user/user.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#define RESULT_AT 24	/* bytes: common fields, function, caller */

static const struct tracefs_kind kind = { "kprobe_events", 'k' };
static struct merge_tally *tallies;	/* per row */

static void entered(const void *row, struct hit *hit)
{
	enter_probe(((const struct rt_function *)row)->probe, hit);
}

static void returned(const void *row, struct hit *hit)
{
	hit->result_at = RESULT_AT;
	enter_probe(((const struct rt_function *)row)->probe, hit);
}

/* " a1=$arg1:u64 ...": what lies in registers by the ABI. */
static void describe_arguments(char *text, size_t room)
{
	struct utsname machine;
	int n = uname(&machine) || strcmp(machine.machine, "aarch64") ? 6 : 8;
	size_t used = 0;

	for (int i = 1; i <= n && used < room; i++)
		used += (size_t)snprintf(text + used, room - used, " a%d=$arg%d:u64", i, i);
}

static int make_event(const struct rt_function *row, u32 i)
{
	char what[4000], values[256] = " ret=$retval:u64", how[16] = "p", offset[16] = "";

	if (!row->is_return && !row->offset)
		describe_arguments(values, sizeof(values));
	if (row->is_return && row->maxactive)
		snprintf(how, sizeof(how), "r%u", row->maxactive);
	else if (row->is_return)
		strcpy(how, "r");
	if (row->offset) {
		snprintf(offset, sizeof(offset), "+%u", row->offset);
		values[0] = 0;
	}
	snprintf(what, sizeof(what), "%s%s%s%s%s%s", row->module ? row->module : "", row->module ? ":" : "", row->function, offset, values,
		 row->fetch ? row->fetch : "");
	return tracefs_add(&kind, i, how, what);
}

static void stop(const void *rows, u32 n)
{
	const struct rt_function *row = rows;

	merge_close(entered);
	merge_close(returned);
	for (u32 i = 0; tallies && i < n; i++)
		enter_missed(row[i].probe, merge_lost(&tallies[i]));
	free(tallies);
	tallies = NULL;
	if (tracefs_root())
		tracefs_drop(&kind, n);
}

static int arm(const char *root, const struct rt_function *row, u32 i)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .sample_type = PERF_SAMPLE_RAW, .sample_period = 1 };
	int rc = make_event(row, i);

	if (rc && row->optional) {
		message_text(WIRE_WARNING, "probe %s skipped: it cannot be registered (rc %d)", row->probe->point, rc);
		return 0;
	}
	if (rc) {
		message_text(WIRE_ERROR, "probe %s registration error: %s/kprobe_events: %s", row->probe->point, root,
			     rc == -ENOENT ? "this kernel has no kprobe events, or no such function: --target=vm runs the script in a guest" :
			     strerror(-rc));
		return rc;
	}
	attr.config = (u64)tracefs_id(&kind, i);
	return merge_open(&attr, row->probe->point, row->is_return ? returned : entered, row, &tallies[i]);
}

static int start(const void *rows, u32 n)
{
	const struct rt_function *row = rows;
	const char *root = tracefs_root();
	int rc = root ? 0 : -ENOENT;

	tallies = calloc(n, sizeof(*tallies));
	if (!tallies)
		return -ENOMEM;
	if (root)
		tracefs_sweep(&kind);
	for (u32 i = 0; i < n && !rc; i++)
		rc = arm(root, &row[i], i);
	if (rc)
		stop(rows, n);
	return rc;
}

const struct rt_family rt_family_function = {
	.name	= "function",
	.start	= start,
	.stop	= stop,
};
