/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_uprobe.c - code of user programs, through uprobe events of tracefs.
 *
 * Rows that fetch the same values, as those of a wildcard do, are places of one event, whose
 * records say which place was hit. So a thousand functions are one event to open and to close,
 * which takes the kernel 0.1 s. @entry needs another event, at the function's entry; so do returns
 * if stacks are unwound, for the return addresses that the kernel is about to replace. Where it
 * must not replace them, the event is at the return instructions, and one at the entry identifies
 * the call. A handler that only counts has an event that only counts, which is read when the run
 * ends. perf's own uprobe events would need no tracefs, but add a breakpoint handler per hit for
 * each CPU and for each thread that inherits them.
 */
#include "lib/foreign.h"
#include "runtime/core/ctx.h"
#include "runtime/core/floor.h"
#include "runtime/core/goroutine.h"
#include "runtime/user/context/call.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/events/source.h"
#include "runtime/user/events/tracefs.h"
#include "runtime/user/processes/exe_file.h"
#include "runtime/user/transport/message.h"
#include "runtime/user/context/fetched.h"
#include "runtime/user/context/regs.h"
#include "symbolize/image.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* the goroutine and the end of its stack, before the pieces */
#define GOROUTINE_FIELDS 16
#define RETURNS_MAX	64		/* pending in a thread: the kernel's MAX_URETPROBE_DEPTH */

static const struct tracefs_kind kind = { "uprobe_events", 'u', RUN_FILE_NONE, RUN_INSTRUCTION };
static struct rt_uprobe *sites;
static u32 nsites;
/* Of events at instructions, and of returns that the kernel replaces. */
static struct record_layout instructions, returns;
/* by event_number(): two per row, its own and the keeper's; then one per row, HIDDEN */
static struct merge_tally *tallies;

/* True if the kernel replaces the return address. */
static int is_replaced(const struct rt_uprobe *row) { return row->is_return && !row->exits; }

/* The row that was hit; NULL: in a process that it does not probe. */
static const struct rt_uprobe *prepare(int is_replaced_return, int is_keeper, struct hit *hit)
{
	const struct record_layout *layout = is_replaced_return ? &returns : &instructions;
	u32 number = (u32)fetched_word(hit, layout->fetched, 4);
	const struct rt_uprobe *row = &sites[number];

	if (number >= nsites)
		return NULL;
	if (row->pid && hit->pid != row->pid)
		return NULL;
	if (row->program && !exe_is(hit->pid, row->program))
		return NULL;
	if (!row->probe->calibrates && !enter_is_target(hit))
		return NULL;
	hit->site = row;
	hit->layout = layout;
	hit->fetch = is_keeper ? &row->keeper_fetch : &row->fetch;
	hit->pieces_at = layout->fetched + 4;
	hit->user_mode = 1;
	/* what lies before the values: at a return, the address that it returns to */
	hit->ip = fetched_word(hit, layout->fetched - 8, 8);
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
				  .most = row->exits ? 0 : RETURNS_MAX,
				  .with_text = row->keeps_text,
				  .any_thread = row->exits != NULL };
}

static void hit_site(const void *data, struct hit *hit)
{
	const struct rt_uprobe *first = data, *row = prepare(is_replaced(first), 0, hit);
	struct call_row calls;

	if (is_replaced(first) && hides_returns())
		call_shows(hit->tid, regs_stack(hit) - regs_call_bytes());
	if (!row)
		return;
	if (!row->keeper) {
		enter_probe(row->probe, hit);
		return;
	}
	calls = calls_of(row);
	call_return(&calls, hit, regs_stack(hit) - regs_call_bytes());
}

/*
 * What identifies a call of the row: the stack pointer, or the number of a goroutine's call
 * (goroutine.h), from what was fetched at offset `at`. 0: unknown.
 */
static u64 call_stack(const struct rt_uprobe *row, struct hit *hit, u32 at)
{
	hit->pieces_at = at + (row->goroutine ? GOROUTINE_FIELDS : 0);
	return row->goroutine ? goroutine_call(fetched_word(hit, at, 8),
					       fetched_word(hit, at + 8, 8), regs_stack(hit))
			      : regs_stack(hit);
}

/* At an instruction that ends a call. */
static void hit_exit(const void *data, struct hit *hit)
{
	const struct rt_uprobe *row = prepare(0, 0, hit);
	u32 at = instructions.fetched, number = (u32)fetched_word(hit, at + 4, 4);
	struct call_row calls;
	u64 stack;

	(void)data;
	if (!row || number >= row->nexits)
		return;
	calls = calls_of(row);
	stack = call_stack(row, hit, at + 16);
	hit->exit = &row->exits[number];
	if (!stack) {
		if (hit->exit->how != RT_EXIT_MAY_JUMP)
			call_end_unknown(&calls, hit);
	} else if (hit->exit->how == RT_EXIT_RETURN) {
		regs_return(hit, fetched_word(hit, at + 8, 8));
		call_return(&calls, hit, stack);
	} else {
		call_jump(&calls, hit, stack, hit->exit->how == RT_EXIT_JUMP);
	}
}

/* At the entry. */
static void hit_keeper(const void *data, struct hit *hit)
{
	const struct rt_uprobe *row = prepare(0, 1, hit);
	struct call_row calls;
	u64 stack;

	if (!row)
		return;
	calls = calls_of(row);
	stack = call_stack(row, hit, hit->pieces_at);
	if (stack)
		call_enter(&calls, hit, stack);
	else
		enter_no_slot(row->probe);
}

/* At the entry of a function whose return the kernel will redirect. */
static void hit_hidden(const void *data, struct hit *hit)
{
	(void)data;
	if (!enter_is_target(hit))
		return;
	call_hides(hit, regs_stack(hit), fetched_word(hit, instructions.fetched + 4, 8));
}

s64 rt_user_address(struct rt_ctx *c, s64 linked)
{
	const struct hit *hit = c->hit;

	if (hit->site)
		return (s64)fetched_bias(hit) + linked;
	ctx_fail(c, RUN_USER_ADDRESS);
	return 0;
}

/* ---- arming --------------------------------------------------------------------*/

/*
 * A row's own event, its keeper's at the entry, and, for a return, the one at the entry that
 * records the return address.
 */
enum event { OWN, KEEPER, HIDDEN };

static void (*const hits[])(const void *data, struct hit *hit) = { hit_site, hit_keeper,
								   hit_hidden };

static hit_fn *handler_of(const struct rt_uprobe *row, enum event event)
{
	return row->exits && event == OWN ? hit_exit : hits[event];
}

/* True if a row for returns needs an event at the entry. */
static int has_entry(const struct rt_uprobe *row) { return row->keeper || row->exits; }

static u32 event_number(u32 first, enum event event)
{
	return event == HIDDEN ? 2 * nsites + first : 2 * first + event;
}

/*
 * Adds an instruction of a row as a place of event n. path: a name of the file without blanks;
 * fields: what is fetched there.
 */
static int describe_place(const struct rt_uprobe *row, u32 n, int is_replaced_return,
			  const char *path, u64 offset, const char *fields)
{
	char what[4000], mark[24] = "";

	if (row->semaphore)
		snprintf(mark, sizeof(mark), "(0x%llx)", row->semaphore);
	if ((size_t)snprintf(what, sizeof(what), "%s:0x%llx%s row=\\%u:u32%s", path, offset, mark,
			     (u32)(row - sites), fields) >= sizeof(what))
		return -E2BIG;
	return tracefs_add(&kind, n, is_replaced_return ? "r" : "p", what);
}

static int describe_places(const struct rt_uprobe *row, u32 n, enum event event, const char *path,
			   const char *fields)
{
	char all[3072];
	int rc = 0;

	if (!row->exits || event != OWN)
		return describe_place(row, n, is_replaced(row) && event == OWN, path, row->offset,
				      fields);
	for (u32 i = 0; i < row->nexits && !rc; i++) {
		snprintf(all, sizeof(all), " exit=\\%u:u32%s", i, fields);
		rc = describe_place(row, n, 0, path, row->exits[i].offset, all);
	}
	return rc;
}

/*
 * Adds a row as a place of event n. The kernel reads paths up to the first blank: a path with
 * blanks is given as that of an open descriptor.
 */
static int describe(const struct rt_uprobe *row, u32 n, enum event event)
{
	char fields[3000] = "", name[32];
	int fd = strpbrk(row->path, " \t\n#\\\"'") ? foreign_open(row->path) : -1, rc = -E2BIG;
	size_t used;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (event == HIDDEN || (row->exits && event == OWN))
		strcpy(fields, regs_return_fetch());
	if (event != HIDDEN && row->goroutine)
		strcat(fields, regs_goroutine_fetch());
	used = strlen(fields);
	if (event == HIDDEN ||
	    !fetched_describe(row, event == OWN ? &row->fetch : &row->keeper_fetch, fields + used,
			      sizeof(fields) - used))
		rc = describe_places(row, n, event, fd < 0 ? row->path : name, fields);
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

	if (stuck)
		return refuse_probe(row->probe, row->optional, rc, RUN_NOP_CALL, stuck);
	return tracefs_refuse(&kind, row->probe, row->optional, rc);
}

/* True if one of its exits could not be probed. */
static int is_skipped(const struct rt_uprobe *row) { return row->exits && !row->nexits; }

/* perf's mask of the registers that an event is to record. */
static u64 registers_of(const struct rt_uprobe *row, enum event event)
{
	const struct rt_fetch stack = { .registers = regs_stack_bit() };
	u64 mask = event == HIDDEN
			   ? 0
			   : fetched_registers(event == OWN ? &row->fetch : &row->keeper_fetch);

	return mask | (has_entry(row) || event == HIDDEN ? fetched_registers(&stack) : 0);
}

/*
 * The process to attach to, with what it starts; 0: all, of whose hits those of the target's tree
 * are taken.
 */
static s32 process_of(const struct rt_uprobe *row)
{
	if (row->pid)
		return row->pid;
	return session.target.only && !merge_may_swap() ? session.target.pid : 0;
}

/* One event for the rows from first to end. */
static int arm_event(u32 first, u32 end, enum event event)
{
	const struct rt_uprobe *row = &sites[first];
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT };
	u32 n = event_number(first, event), places = 0;
	int rc = 0;

	for (u32 i = first; i < end && !rc; i++) {
		if (is_skipped(&sites[i]))
			continue;
		rc = core_uprobe_stuck(&sites[i]) ? -EOPNOTSUPP : describe(&sites[i], n, event);
		places += !rc;
		if (rc && sites[i].exits)		/* all of its places, or none */
			sites[i].nexits = 0;
		rc = rc && event != HIDDEN ? report(&sites[i], rc) : 0;
	}
	if (rc || !places)
		return rc;
	if (tracefs_own_records(&kind, n,
				is_replaced(row) && event == OWN ? &returns : &instructions))
		return report(row, -EIO);
	attr.config = (u64)tracefs_id(&kind, n);
	if (!row->counter || event == HIDDEN) {
		attr.sample_period = 1;
		attr.sample_type = PERF_SAMPLE_RAW;
		attr.sample_regs_user = registers_of(row, event);
		attr.exclude_callchain_user = event == HIDDEN;
	}
	attr.inherit_thread = row->pid != 0;
	tallies[n].joins = has_entry(row) || event == HIDDEN || (row->is_return && hides_returns());
	tallies[n].with_own_hits = row->probe->calibrates != 0;
	tallies[n].elsewhere = !is_ours(row->path);
	/* it stays open, so its symbols are available whatever happens to the file */
	if (rt_script.capture & RT_CAP_USYMS)
		image_of_file(row->path);
	return merge_open_process(process_of(row), &attr, row->probe->point,
				  handler_of(row, event), row, &tallies[n]);
}

/*
 * Exits are armed before the entry, so that no call is seen to begin whose end is missed. Returns
 * that the kernel replaces are joined with their entries by the kernel.
 */
static int arm_row(u32 first, u32 end)
{
	const struct rt_uprobe *row = &sites[first];
	int rc;

	if (row->exits) {
		rc = arm_event(first, end, OWN);
		return rc ? rc : arm_event(first, end, KEEPER);
	}
	rc = is_replaced(row) && hides_returns() ? arm_event(first, end, HIDDEN) : 0;
	rc = rc || !has_entry(row) ? rc : arm_event(first, end, KEEPER);
	return rc ? rc : arm_event(first, end, OWN);
}

/* The end of the rows that are places of the same event. */
static u32 event_end(u32 first, u32 n)
{
	const struct rt_uprobe *a = &sites[first];
	u32 end = first + 1;

	for (const struct rt_uprobe *b = &sites[end];
	     end < n && b->is_return == a->is_return && !b->exits == !a->exits &&
	     b->goroutine == a->goroutine && b->pid == a->pid && b->counter == a->counter &&
	     b->step == a->step && !b->keeper == !a->keeper && !strcmp(a->path, b->path) &&
	     fetched_alike(&a->fetch, &b->fetch) &&
	     fetched_alike(&a->keeper_fetch, &b->keeper_fetch);
	     b++)
		end++;
	return end;
}

/*
 * Adds what a counting event counted to the variable that the handler would have updated. An event
 * is counted in the books of its first row.
 */
static void settle(const struct rt_uprobe *row, const struct merge_tally *tally)
{
	struct wire_account *books = &session.account[row->probe - rt_script.probes];

	if (!row->counter) {
		enter_missed(row->probe, merge_lost(&tally[OWN]));
		if (!has_entry(row))
			return;
		enter_missed(row->keeper ? row->keeper : row->probe, merge_lost(&tally[KEEPER]));
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
	merge_close(hit_exit);
	call_look_around();
	for (u32 i = 0; sites && tallies && i < n; i++)
		settle(&sites[i], &tallies[2 * i]);
	runtime_free(sites);
	free(tallies);
	sites = NULL;
	tallies = NULL;
	call_clear();
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
	for (u32 i = 0; sites && i < n; i++) {
		session.programs |= sites[i].program != NULL;
		/* what counts does not ask whose hit it is */
		if (session.target.only && (user_wants_counts() || !process_of(&sites[i])))
			sites[i].counter = NULL;
	}
	if (!rc)
		tracefs_sweep(&kind);
	for (u32 i = 0, end; i < n && !rc; i = end) {
		end = event_end(i, n);
		rc = arm_row(i, end);
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
