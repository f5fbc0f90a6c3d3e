/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * module.c - struct wire_module: open, commands, rounds, close. Contains the steps of a session and
 * nothing else.
 */
#include "runtime/core/about.h"
#include "runtime/core/backtrace.h"
#include "runtime/core/ctx.h"
#include "runtime/core/floor.h"
#include "runtime/core/global.h"
#include "runtime/core/num.h"
#include "runtime/core/output.h"
#include "runtime/core/partial.h"
#include "runtime/core/probe_stats.h"
#include "runtime/core/procfs.h"
#include "runtime/core/refuse.h"
#include "runtime/user/base/time.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/base/unread.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/events/source.h"
#include "runtime/user/probes/family_procfs.h"
#include "runtime/user/processes/exe_file.h"
#include "runtime/user/processes/task.h"
#include "runtime/user/session/dispatch.h"
#include "runtime/user/stacks/symbols.h"
#include "runtime/user/transport/message.h"
#include "runtime/user/transport/ring.h"
#include "runtime/user/user.h"
#include "runtime/user/values/pmu.h"
#include "symbolize/generated.h"
#include "symbolize/process.h"
#include "symbolize/symfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct user_session session;
static void *context_memory;

void *runtime_alloc(u64 bytes)
{
	void *p = aligned_alloc(RT_LINE, num_align_line(bytes));

	return p ? memset(p, 0, bytes) : NULL;
}

void runtime_free(void *p) { free(p); }
u32 runtime_parts(void) { return 1; }
u64 runtime_clock(void) { return enter_ctx.now ? enter_ctx.now : time_mono(); }

void runtime_exit_request(void)
{
	if (session.exit_asked)
		return;
	session.exit_asked = 1;
	runtime_message(WIRE_EXIT, 0, "", 0);
}

static void hello(void)
{
	u32 at = 0;
	struct wire_hello h = {
		.magic = WIRE_MAGIC,
		.version = WIRE_VERSION,
		.flags = WIRE_TIMES_NS,
		.abi = RT_ABI,
		.ncpus = 1,
		.nrings = 1,
		.nprobes = rt_script.nprobes,
		.ring_bytes = WIRE_RING_HEADER + ring_get()->size,
		/* Symbols of user images are read here; the kernel's come from the consumer. */
		.capture = rt_script.capture & ~(RT_CAP_USYMS | RT_CAP_USTACK),
		.time_mono = time_mono(),
		.memory = core_bytes(),
	};

	if (rt_script.capture & (RT_CAP_USYMS | RT_CAP_USTACK | RT_CAP_NAMES))
		h.capture |= RT_CAP_NOTES;
	h.flags |= (procfs_stdin(&at) ? WIRE_WANTS_INPUT : 0) | core_wants() |
		   (rt_script.joins & RT_JOINS ? WIRE_JOINS : 0);
	h.time_wall = h.time_mono + session.wall_minus_mono;
	strncpy(h.script, rt_script.name, sizeof(h.script) - 1);
	runtime_message(WIRE_HELLO, 0, &h, sizeof(h));
	if (!core_describe())
		runtime_message(WIRE_READY, 0, "", 0);
}

static int module_open(const struct wire_open *how)
{
	struct timespec wall;
	const char *name;

	memset(&session, 0, sizeof(session));
	session.how = *how;
	/* a power of two */
	for (session.how.ring_bytes = 65536; session.how.ring_bytes < how->ring_bytes; )
		session.how.ring_bytes *= 2;
	clock_gettime(CLOCK_REALTIME, &wall);
	session.wall_minus_mono = wall.tv_sec * 1000000000LL + wall.tv_nsec - (s64)time_mono();
	if (core_load(&name)) {
		core_error(RUN_GLOBAL, name);
		return -ENOMEM;
	}
	if (rt_script.capture & RT_CAP_LINES)
		image_want(SYMFILE_LINES);
	session.account = calloc(rt_script.nprobes + 1, sizeof(*session.account));
	context_memory = calloc(1, ctx_bytes());
	if (!session.account || !context_memory || ring_open(session.how.ring_bytes)) {
		free(session.account);
		free(context_memory);
		core_unload();
		core_error(RUN_MEMORY, NULL);
		return -ENOMEM;
	}
	ctx_init(&enter_ctx, context_memory, 0, 0);
	enter_ctx.may_wait = 1;
	hello();
	return 0;
}

/* Stops the first n families, the last one first, and then the counters. */
static void stop_families(u32 n)
{
	while (n--)
		if (rt_script.families[n].family->stop)
			rt_script.families[n].family->stop(rt_script.families[n].rows,
							   rt_script.families[n].nrows);
	pmu_stop();
}

static int start_families(void)
{
	const char *part = "counters";
	u32 i = 0;
	int rc = pmu_start();

	for (; i < rt_script.nfamilies && !rc; i++) {
		const struct rt_family_use *use = &rt_script.families[i];

		part = use->family->name;
		rc = use->family->start ? use->family->start(use->rows, use->nrows) : 0;
	}
	if (rc)
		stop_families(i ? i - 1 : 0);
	else if ((rc = pmu_begin()))
		stop_families(i);
	if (rc)
		core_start_failed(part, rc);
	return rc;
}

static void warn(const char *text)
{
	message_text(WIRE_WARNING, "%s", text);
}

static void start(void)
{
	session.started = time_mono();
	session.state = STATE_BEGIN;
	generated_on_warning(warn);
	enter_phase(RT_BEGIN);
	if (!session.failed && start_families()) {
		session.failed = 1;
		session.errors++;
	}
	if (session.failed) {
		session.state = STATE_END;
		runtime_exit_request();
		return;
	}
	dispatch_look_around();
	session.state = STATE_RUNNING;
	runtime_message(WIRE_STARTED, 0, "", 0);
}

void runtime_books(u32 probe, struct wire_account *a)
{
	*a = session.account[probe];
}

/* True if what the script reports depends on records of processes. */
static int needs_processes(void)
{
	return session.target.only || exe_asked() ||
	       rt_script.capture &
		       (RT_CAP_COMM | RT_CAP_PARENT | RT_CAP_CRED | RT_CAP_USYMS | RT_CAP_USTACK |
			RT_CAP_NAMES);
}

static void accounts(void)
{
	struct wire_summary sum = {
		.errors = session.errors,
		.samples = session.samples,
		.samples_lost = session.samples_lost,
		.samples_expected = session.samples_unknown
					    ? WIRE_UNKNOWN
					    : session.samples + session.samples_own +
						      session.samples_off + session.samples_asleep +
						      session.samples_lost,
		.samples_idle = session.samples_idle,
		.samples_own = session.samples_own,
		.samples_off = session.samples_off,
		.samples_asleep = session.samples_asleep,
		.samples_no_room = session.samples_no_room,
		.sample_clocks = session.sample_clocks,
		.state = (u32)session.failed,
	};

	pmu_account(&sum);
	if (needs_processes())
		sum.process_records_lost = merge_untold(&sum.process_records);
	if (process_notes_refused())
		message_text(WIRE_WARNING, "%llu notes from programs were dropped: there were too "
					   "many",
			     process_notes_refused());
	backtrace_account(&sum);
	backtrace_names(&enter_ctx, &sum);
	unread_send();
	for (u32 i = 0; i < rt_script.nprobes; i++) {
		session.account[i].hidden =
			rt_script.probes[i].keeps || rt_script.probes[i].calibrates;
		probe_stats_percentile(i, &session.account[i]);
		runtime_message(WIRE_ACCOUNT, i, &session.account[i], sizeof(session.account[i]));
	}
	probe_stats_globals(NULL);
	runtime_message(WIRE_SUMMARY, 0, &sum, sizeof(sum));
}

static void stop(int partial)
{
	if (session.state == STATE_STOPPED)
		return;
	if (session.state == STATE_RUNNING) {
		merge_pause();
		merge_round(1);
		stop_families(rt_script.nfamilies);
	}
	session.state = STATE_END;
	if (!session.failed)
		enter_phase(RT_END);
	if (session.failed) {
		enter_phase(RT_ERROR);
		enter_ctx.now = 0;
		if (partial)
			core_partial(&enter_ctx);
	}
	accounts();
	session.state = STATE_STOPPED;
	runtime_message(WIRE_STOPPED, 0, "", 0);
}

static long module_command(const void *cmd, unsigned long len)
{
	const struct wire_msg *m = cmd;
	unsigned long body = len - sizeof(*m);
	long rc;

	if (len < sizeof(*m) || m->len != len)
		return -EINVAL;
	switch (m->type) {
	case WIRE_TARGET:
		if (body < sizeof(session.target))
			return -EINVAL;
		memcpy(&session.target, m + 1, sizeof(session.target));
		return (long)len;
	case WIRE_SYMBOLS:
		return symbols_take((const struct wire_symbols *)(m + 1), body) ? -EINVAL
										: (long)len;
	case WIRE_BIND:
		return (long)len;
	case WIRE_GLOBAL:
		rc = session.state == STATE_OPEN
			     ? core_assign((const struct wire_global *)(m + 1), body)
			     : -EBUSY;
		return rc ? rc : (long)len;
	case WIRE_INPUT:
		rc = m->id <= body ? procfs_input((const char *)(m + 1), m->id) : -EINVAL;
		return rc ? rc : (long)len;
	case WIRE_NOTE:
		rc = merge_note((const struct wire_note *)(m + 1), body);
		return rc ? rc : (long)len;
	case WIRE_ABOUT:
		rc = core_take_about(m + 1, body);
		return rc ? rc : (long)len;
	case WIRE_SWITCH:
		rc = merge_switch(m->id);
		return rc ? rc : (long)len;
	case WIRE_TIMING:
		rc = session.state != STATE_OPEN ? -EBUSY
		     : probe_stats_timing ? 0
		     : probe_stats_time_begin();
		return rc ? rc : (long)len;
	case WIRE_START:
		if (session.state != STATE_OPEN)
			return -EBUSY;
		start();
		return (long)len;
	case WIRE_STOP:
		stop(body >= sizeof(struct wire_stop) &&
		     ((const struct wire_stop *)(m + 1))->partial);
		return (long)len;
	}
	return -EINVAL;
}

static long module_pump(void)
{
	return session.state == STATE_RUNNING ? (long)merge_round(0) : 100000000L;
}

static struct wire_ring *module_ring(u32 cpu)
{
	return cpu ? NULL : ring_get();
}

static void module_close(void)
{
	if (session.state == STATE_RUNNING)
		stop_families(rt_script.nfamilies);
	task_clear();
	unread_clear();
	exe_clear();
	symbols_clear();
	message_clear();
	ring_close();
	probe_stats_time_end();
	free(session.account);
	free(context_memory);
	core_unload();
}

__attribute__((visibility("default"))) const struct wire_module lapwing_module = {
	.magic = WIRE_MAGIC,
	.version = WIRE_VERSION,
	.open = module_open,
	.command = module_command,
	.messages = message_read,
	.ring = module_ring,
	.poll_fds = merge_fds,
	.pump = module_pump,
	.close = module_close,
};
