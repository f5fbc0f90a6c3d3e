/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_uprobe.c - code of user programs, through uprobe events of tracefs.
 *
 * Rows that take the same are places of one event, as those of a wildcard do: its record says which
 * one it was. So a thousand functions are one event to open, and to close, which takes the kernel
 * 0.1 s. @entry has an event more, at the function's entry, and so have returns where stacks are
 * unwound, for the addresses that the kernel is about to replace there. A handler that only counts
 * has an event that only counts: it is read when the run ends. perf's own uprobe events would need
 * no tracefs, but are one more breakpoint handler per hit for each CPU and for each thread that
 * inherits them.
 */
#include "lib/foreign.h"
#include "runtime/core/core.h"
#include "runtime/user/base/abi.h"
#include "runtime/user/base/run_state.h"
#include "runtime/user/context/call.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/events/hit.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/events/perf_open.h"
#include "runtime/user/events/perf_source.h"
#include "runtime/user/events/tracefs.h"
#include "runtime/user/probes/family.h"
#include "runtime/user/processes/exe_file.h"
#include "runtime/user/transport/message.h"
#include "runtime/user/values/fetched.h"
#include "runtime/user/values/regs.h"
#include "symbolize/image.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Bytes of a record before the number of the row, 4, and the pieces: the common fields, the
 * instruction; where a return goes.
 */
#define ENTRY_FIELDS	16
#define RETURN_FIELDS	24
#define RETURNS_MOST	64		/* limit of a thread's pending returns: the kernel's
					 * MAX_URETPROBE_DEPTH */

static const struct tracefs_kind kind = { "uprobe_events", 'u' };
static struct rt_uprobe *sites;
static u32 nsites;
/* for the first row of each event: its own and the keeper's; then all the returns' */
static struct perf_tally *tallies;

/* The row that was hit; NULL: not in one of its processes. */
static const struct rt_uprobe *prepare(int is_return, int is_keeper, struct hit *hit)
{
	u32 at = is_return ? RETURN_FIELDS : ENTRY_FIELDS, number = (u32)fetched_word(hit, at, 4);
	const struct rt_uprobe *row = &sites[number];

	if (number >= nsites)
		return NULL;
	if (row->pid && hit->pid != row->pid)
		return NULL;
	if (row->program && !exe_file_is(hit->pid, row->program))
		return NULL;
	hit->site = row;
	hit->fetch = is_keeper ? &row->keeper_fetch : &row->fetch;
	hit->pieces_at = at + 4;
	hit->user_mode = 1;
	hit->ip = fetched_word(hit, is_return ? 16 : 8, 8);
	return row;
}

static int hides_returns(void)
{
	return rt_script.capture & RT_CAP_USTACK && rt_script.limits.user_stack;
}

static struct call_row calls_of(const struct rt_uprobe *row)
{
	return (struct call_row){ .row = row,
				  .probe = row->probe,
				  .keeper = row->keeper,
				  .nkept = row->nkept,
				  .most = RETURNS_MOST,
				  .with_text = row->saves_text };
}

static void hit_site(const void *data, struct hit *hit)
{
	const struct rt_uprobe *first = data, *row = prepare(first->is_return, 0, hit);
	struct call_row calls;

	if (first->is_return && hides_returns())
		call_shows(hit->tid, regs_stack(hit) - abi_call_bytes());
	if (!row)
		return;
	if (!row->keeper) {
		enter_probe(row->probe, hit);
		return;
	}
	calls = calls_of(row);
	call_return(&calls, hit, regs_stack(hit) - abi_call_bytes());
}

static void hit_keeper(const void *data, struct hit *hit)
{
	const struct rt_uprobe *row = prepare(0, 1, hit);
	struct call_row calls;

	if (!row)
		return;
	calls = calls_of(row);
	call_enter(&calls, hit, regs_stack(hit));
}

/* At the entry of a function whose return the kernel will redirect. */
static void hit_hidden(const void *data, struct hit *hit)
{
	(void)data;
	call_hides(hit, regs_stack(hit), fetched_word(hit, ENTRY_FIELDS + 4, 8));
}

s64 rt_user_address(struct rt_ctx *c, s64 linked)
{
	const struct hit *hit = c->hit;

	if (hit->site)
		return (s64)fetched_bias(hit) + linked;
	ctx_fail(c, "the process does not map this address");
	return 0;
}

/* ---- arming --------------------------------------------------------------------*/

/*
 * A row's own event, its keeper's at the entry, and, for a return, the one that tells where that
 * goes.
 */
enum event { OWN, KEEPER, HIDDEN };

static void (*const hits[])(const void *data, struct hit *hit) = { hit_site, hit_keeper,
								   hit_hidden };

static u32 event_number(u32 first, enum event event)
{
	return event == HIDDEN ? 2 * nsites + first : 2 * first + event;
}

/* What an event that is not hidden takes. */
static const struct rt_fetch *fetch_at(const struct rt_uprobe *row, enum event event)
{
	return event == OWN ? &row->fetch : &row->keeper_fetch;
}

/*
 * Makes a row a place of event n. The kernel takes paths up to the first blank: one with blanks is
 * named by a file that is open.
 */
static int describe(const struct rt_uprobe *row, u32 n, enum event event)
{
	const char *how = row->is_return && event == OWN ? "r" : "p";
	char what[4000], fields[3000], mark[24] = "", name[32];
	int fd = strpbrk(row->path, " \t\n#\\\"'") ? foreign_open(row->path) : -1, rc = -E2BIG;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (row->semaphore)
		snprintf(mark, sizeof(mark), "(0x%llx)", row->semaphore);
	strcpy(fields, abi_return_fetch());
	if ((event == HIDDEN ||
	     !fetched_describe(row, fetch_at(row, event), fields, sizeof(fields))) &&
	    (size_t)snprintf(what, sizeof(what), "%s:0x%llx%s row=\\%u:u32%s",
			     fd < 0 ? row->path : name, row->offset, mark, (u32)(row - sites),
			     fields) < sizeof(what))
		rc = tracefs_add(&kind, n, how, what);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* True if this process runs code of the file. */
static int is_ours(const char *path)
{
	char line[4200];
	FILE *f = fopen("/proc/self/maps", "re");
	int found = !f;

	while (f && !found && fgets(line, sizeof(line), f))
		found = strstr(line, path) != NULL;
	if (f)
		fclose(f);
	return found;
}

static int report(const struct rt_uprobe *row, int rc)
{
	const char *stuck = core_uprobe_stuck(row);
	int skipped;

	if (stuck) {
		message_text(row->optional ? WIRE_WARNING : WIRE_ERROR,
			     "probe %s %s: " CORE_STUCK "%s", row->probe->point,
			     row->optional ? "skipped" : "registration error", stuck);
		return row->optional ? 0 : rc;
	}
	skipped = row->optional == RT_OPTIONAL || (row->optional && rc != -ENOENT);
	message_text(skipped ? WIRE_WARNING : WIRE_ERROR, "probe %s %s: %s", row->probe->point,
		     skipped ? "skipped" : "registration error",
		     rc == -EACCES || rc == -EPERM
			     ? "run as root: uprobe events are described in tracefs"
		     : rc == -ENOENT ? "the file is gone, or this kernel has no uprobe events"
		     : rc == -E2BIG  ? "it reads more per hit than a uprobe event can fetch"
		     : rc == -EINVAL ? "the kernel cannot probe this instruction"
				     : strerror(-rc));
	return skipped ? 0 : rc;
}

/* perf's mask of the registers that an event must record. */
static u64 registers_of(const struct rt_uprobe *row, enum event event)
{
	const struct rt_fetch stack = { .registers = 1ULL << abi_stack_register() };
	u64 mask = event == HIDDEN ? 0 : fetched_registers(fetch_at(row, event));

	return mask | (row->keeper || event == HIDDEN ? fetched_registers(&stack) : 0);
}

/* Opens one event for the rows from first to end. */
static int arm_event(u32 first, u32 end, enum event event)
{
	const struct rt_uprobe *row = &sites[first];
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT };
	u32 n = event_number(first, event), places = 0;
	int rc = 0;
	s32 pid;

	for (u32 i = first; i < end && !rc; i++) {
		rc = core_uprobe_stuck(&sites[i]) ? -EOPNOTSUPP : describe(&sites[i], n, event);
		places += !rc;
		rc = rc && event != HIDDEN ? report(&sites[i], rc) : 0;
	}
	if (rc || !places)
		return rc;
	attr.config = (u64)tracefs_id(&kind, n);
	if (!row->counter || event == HIDDEN) {
		attr.sample_period = 1;
		attr.sample_type = PERF_SAMPLE_RAW;
		attr.sample_regs_user = registers_of(row, event);
		attr.exclude_callchain_user = event == HIDDEN;
	}
	attr.inherit_thread = row->pid != 0;
	tallies[n].joins = row->keeper || event == HIDDEN || (row->is_return && hides_returns());
	tallies[n].includes_own = row->probe->calibrates != 0;
	tallies[n].never_own = !is_ours(row->path);
	if (rt_script.capture & RT_CAP_USYMS)		/* kept open: its symbols stay available
							 * whatever happens to the file */
		image_of_file(row->path);
	pid = row->pid ? row->pid : run_state.target.only ? run_state.target.pid : 0;
	return perf_open_process(pid, &attr, row->probe->point, hits[event], row, &tallies[n]);
}

/* End of the rows that are places of one event. */
static u32 event_end(u32 first, u32 n)
{
	const struct rt_uprobe *a = &sites[first];
	u32 end = first + 1;

	for (const struct rt_uprobe *b = &sites[end];
	     end < n && b->is_return == a->is_return && b->pid == a->pid &&
	     b->counter == a->counter && b->step == a->step && !b->keeper == !a->keeper &&
	     !strcmp(a->path, b->path) && fetched_equal(&a->fetch, &b->fetch) &&
	     fetched_equal(&a->keeper_fetch, &b->keeper_fetch);
	     b++)
		end++;
	return end;
}

/*
 * What a counting event has counted goes where the handler would have put it. The books of an event
 * are those of its first row.
 */
static void settle(const struct rt_uprobe *row, const struct perf_tally *tally)
{
	struct wire_account *books = &run_state.account[row->probe - rt_script.probes];

	if (!row->counter) {
		enter_tally(row->probe, &tally[OWN]);
		if (!row->keeper)
			return;
		enter_tally(row->keeper, &tally[KEEPER]);
		enter_in_flight(row->probe, call_count(row));
		return;
	}
	rt_counter_add(&enter_ctx, row->counter, (s64)tally->counted * row->step);
	books->entered += tally->counted;
	books->completed += tally->counted;
}

static void stop(const void *data, u32 n)
{
	for (u32 i = 0; i < sizeof(hits) / sizeof(hits[0]); i++)
		merge_close(hits[i]);
	for (u32 i = 0; sites && tallies && i < n; i++)
		settle(&sites[i], &tallies[2 * i]);
	runtime_free(sites);
	free(tallies);
	sites = NULL;
	tallies = NULL;
	call_forget(0);
	if (tracefs_root())
		tracefs_drop(&kind, 3 * n);
}

static int start(const void *data, u32 n)
{
	int rc = tracefs_root() ? 0 : -ENOENT;

	sites = core_uprobes(data, n);
	nsites = n;
	tallies = calloc(n, 3 * sizeof(*tallies));
	if (!sites || !tallies)
		rc = -ENOMEM;
	for (u32 i = 0; sites && i < n; i++)
		run_state.programs |= sites[i].program != NULL;
	if (!rc)
		tracefs_sweep(&kind);
	for (u32 i = 0, end; i < n && !rc; i = end) {
		end = event_end(i, n);
		rc = sites[i].is_return && hides_returns() ? arm_event(i, end, HIDDEN) : 0;
		rc = rc || !sites[i].keeper ? rc : arm_event(i, end, KEEPER);
		rc = rc ? rc : arm_event(i, end, OWN);
	}
	if (rc)
		stop(sites, n);
	return rc;
}

const struct rt_family rt_family_uprobe = {
	.name	= "uprobe",
	.start	= start,
	.stop	= stop,
};
