/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_open.c - see perf_open.h.
 */
#include "runtime/user/events/perf_open.h"

#include "lib/limits.h"
#include "perf/perf_regs.h"
#include "perf/records.h"
#include "runtime/core/vary.h"
#include "runtime/user/base/run_state.h"
#include "runtime/user/base/time.h"
#include "runtime/user/events/cpu.h"
#include "runtime/user/events/event_hooks.h"
#include "runtime/user/events/hit.h"
#include "runtime/user/events/perf_source.h"
#include "runtime/user/transport/message.h"
#include "symbolize/chain.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define CLOCKS	4	/* that share a rate, on a CPU */
#define CLOCKS_OF_THREAD 2
#define FORMAT_LOST (1U << 4)	/* PERF_FORMAT_LOST, since 6.0 */
#define RING_SHARE 4	/* how many times -s the ring of a family is: many probes write to it */

/* What to open, on each CPU and thread. */
struct wanted {
	struct perf_event_attr attr;
	s32		pid;		/* its threads, and what they start; 0: all processes */
	int		one_cpu;	/* on any one */
	hit_fn		*hit;
	const void	*row;
	struct perf_tally *tally;
};

/*
 * What CPUs that come are asked for: all that is open on every CPU, in the order in which it was
 * opened.
 */
static struct wanted *everywhere;
static u32 neverywhere;
static struct vary random_periods;

/* Counts come with records when the script asks for any. */
static int has_counters(void) { return (rt_script.capture & RT_CAP_PMU) != 0; }

/*
 * What this process does itself is no hit, and reading about it would make more of it: the kernel
 * leaves it out.
 */
static void exclude_own(const struct perf_ring *r)
{
	char filter[40];

	snprintf(filter, sizeof(filter), "common_pid != %d", getpid());
	ioctl(r->fd, PERF_EVENT_IOC_SET_FILTER, filter);
}

/*
 * The source whose ring the records of another one of its family go to; NULL: it has one of its
 * own.
 */
static struct perf_source *ring_owner(const struct perf_source *of, s32 tid, int cpu)
{
	hit_fn *hit = of->tally->with_processes ? NULL : of->hit;

	for (struct perf_source *s = perf_source_first(); s; s = s->next)
		if (s->hit == hit && s->ring.page && !s->alone && s->tid == tid && s->cpu == cpu)
			return s;
	return NULL;
}

/* With as much of the sample as the script needs. */
static struct perf_event_attr complete(const struct wanted *w)
{
	struct perf_event_attr a = w->attr;
	/* no handler asks for those of such an event */
	int stacks = w->hit && !a.exclude_callchain_user;

	if (!a.sample_period && (w->hit || !a.task)) {	/* it only counts */
		a.inherit = w->pid > 0;
		return a;
	}
	a.sample_type |= PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	if (a.freq)
		a.sample_type |= PERF_SAMPLE_PERIOD;	/* it is perf's */
	if (a.sample_regs_user)
		a.sample_type |= PERF_SAMPLE_REGS_USER;
	if (w->hit && has_counters()) {
		a.sample_type |= PERF_SAMPLE_READ;
		a.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID |
				PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	} else if (w->hit) {
		a.read_format = FORMAT_LOST;
	}
	if (stacks && rt_script.capture & (RT_CAP_STACK | RT_CAP_USTACK)) {
		a.sample_type |= PERF_SAMPLE_CALLCHAIN;
		a.exclude_callchain_kernel = !(rt_script.capture & RT_CAP_STACK);
		a.exclude_callchain_user =
			!(rt_script.capture & RT_CAP_USTACK) || rt_script.limits.user_stack;
	}
	if (stacks && rt_script.capture & RT_CAP_USTACK) {
		a.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		a.sample_regs_user |=
			rt_script.limits.user_stack ? perf_regs_mask() : perf_regs_frame_mask();
		a.sample_stack_user =
			rt_script.limits.user_stack ? rt_script.limits.user_stack : CHAIN_STACK;
	}
	a.sample_id_all = 1;
	a.use_clockid = 1;
	a.clockid = CLOCK_MONOTONIC;
	a.wakeup_events = 1;
	a.watermark = 1;
	a.wakeup_watermark = (u32)(run_state.how.ring_bytes / 4);
	a.inherit = w->pid > 0;
	a.inherit_thread = a.inherit_thread && a.inherit;
	/* the count of each, for the samples that should come of it */
	a.inherit_stat = a.inherit && a.sample_period > 1;
	return a;
}

static int open_ring(struct perf_source *s, struct perf_event_attr *a)
{
	struct perf_source *owner =
		a->sample_type && !s->alone ? ring_owner(s, s->tid, s->cpu) : NULL;
	u64 bytes = owner || !a->sample_type ? 0 : RING_SHARE * run_state.how.ring_bytes;
	int group = a->sample_type & PERF_SAMPLE_READ ? event_hooks.group(s->cpu) : -1;
	int rc = perf_ring_open(&s->ring, a, s->tid, s->cpu, group, bytes);

	s->owner = owner ? owner : bytes ? s : NULL;
	if (!rc && owner)
		owner->joins |= s->joins;
	if (!rc && owner && ioctl(s->ring.fd, PERF_EVENT_IOC_SET_OUTPUT, owner->ring.fd)) {
		rc = -errno;
		perf_ring_close(&s->ring);
	}
	return rc;
}

/* Clocks tick one by one, whatever else does; all other events of software may happen together. */
static int is_clock(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE &&
	       (a->config == PERF_COUNT_SW_CPU_CLOCK || a->config == PERF_COUNT_SW_TASK_CLOCK);
}

static int open_one(const struct wanted *w, s32 tid, int cpu, u64 period)
{
	struct perf_event_attr a = complete(w);
	struct perf_source *s = calloc(1, sizeof(*s));
	int rc, waits;

	if (!s)
		return -ENOMEM;
	if (!a.freq)
		a.sample_period = period;
	*s = (struct perf_source){ .hit = w->hit,
				   .row = w->row,
				   .tally = w->tally,
				   .tid = tid,
				   .cpu = cpu,
				   .period = a.freq ? 0 : period,
				   .alone = w->hit && a.type == PERF_TYPE_SOFTWARE && !is_clock(&a),
				   .clock = tid < 0 && is_clock(&a),
				   .idle_since = cpu_idle_ns(cpu),
				   .joins = !w->hit || (a.type == PERF_TYPE_TRACEPOINT &&
							(w->tally->joins || rt_script.joins)) };
	/* for its ring, to miss nothing; a group is enabled whole */
	waits = w->hit && a.sample_type && !(a.sample_type & PERF_SAMPLE_READ);
	a.disabled |= waits;
	rc = open_ring(s, &a);
	if (rc == -EINVAL && a.read_format & FORMAT_LOST) {
		a.read_format &= ~(u64)FORMAT_LOST;
		rc = open_ring(s, &a);
	}
	if (rc == -EACCES && tid > 0) {		/* not root: user code only */
		a.exclude_kernel = 1;
		w->tally->user_only = 1;
		rc = open_ring(s, &a);
	}
	if (rc) {
		free(s);
		return rc;
	}
	if (a.type == PERF_TYPE_TRACEPOINT && tid < 0 && !w->tally->never_own &&
	    !w->tally->includes_own)
		exclude_own(&s->ring);
	ioctl(s->ring.fd, PERF_EVENT_IOC_ID, &s->id);
	s->sample_type = a.sample_type;
	s->regs = a.sample_regs_user;
	s->reports_lost = (a.read_format & FORMAT_LOST) != 0;
	perf_source_add(s);
	return waits && ioctl(s->ring.fd, PERF_EVENT_IOC_ENABLE, 0) ? -errno : 0;
}

/*
 * A clock, or those that have its rate together. A thread's start with a whole period each: of
 * threads that end soon fewer see more.
 */
static int open_clocks(const struct wanted *w, s32 tid, int cpu)
{
	u64 periods[CLOCKS] = { w->attr.sample_period };
	u32 n = !w->tally->spread ? 1 : tid > 0 ? CLOCKS_OF_THREAD : CLOCKS;
	int rc = 0;

	if (!random_periods.state)
		random_periods = vary_seeded(time_mono() ^ (u64)getpid() << 32);
	if (n > 1)
		vary_periods(&random_periods, w->attr.sample_period, n, periods);
	for (u32 i = 0; i < n && !rc; i++)
		rc = open_one(w, tid, cpu, periods[i]);
	return rc;
}

static int open_cpus(const struct wanted *w, s32 tid)
{
	int opened = 0, rc = 0;

	if (!cpu_idle_is_known() || tid < 0)
		cpu_idle_refresh();
	for (int cpu = 0; cpu < cpu_count(); cpu++) {
		rc = open_clocks(w, tid, cpu);
		if (rc == -ENODEV || (rc == -EINVAL && opened))	/* an offline CPU */
			rc = 0;
		else if (rc)
			return rc;
		else
			opened++;
		if (opened && w->one_cpu)
			break;
	}
	return opened ? 0 : -ENODEV;
}

/* All threads of a process, or all CPUs. */
static int open_where(const struct wanted *w)
{
	char path[64];
	struct dirent *d;
	int rc = -ESRCH;
	DIR *dir;

	if (!w->pid)
		return open_cpus(w, -1);
	snprintf(path, sizeof(path), "/proc/%d/task", w->pid);
	dir = opendir(path);
	while (dir && (d = readdir(dir)))
		if (d->d_name[0] != '.') {
			rc = open_cpus(w, atoi(d->d_name));
			if (rc)
				break;
		}
	if (dir)
		closedir(dir);
	return rc;
}

/*
 * One file for each probe and CPU: as many as may be. A reader that waits for a CPU loses samples:
 * it comes first.
 */
static void get_ready(void)
{
	const struct sched_param ordinary = { 0 };
	struct rlimit most;

	if (!getrlimit(RLIMIT_NOFILE, &most) && most.rlim_cur < most.rlim_max) {
		most.rlim_cur = most.rlim_max;
		setrlimit(RLIMIT_NOFILE, &most);
	}
	if (!sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &ordinary))
		setpriority(PRIO_PROCESS, 0, -20);
}

static void report(const char *what, int rc, s32 pid)
{
	if (rc == -EACCES || rc == -EPERM)
		message_text(WIRE_ERROR, "probe %s: %s", what,
			     limits_perf("sample your own program with --only-target -c CMD"));
	else if (rc == -ESRCH)
		message_text(WIRE_ERROR, "probe %s: process %d is gone", what, pid);
	else if (rc == -ENOSPC)
		message_text(WIRE_ERROR, "probe %s: the processor's debug registers are all in use",
			     what);
	else if (rc == -EMFILE)
		message_text(WIRE_ERROR, "probe %s: too many open files: raise ulimit -n", what);
	else
		message_text(WIRE_ERROR, "probe %s: perf_event_open: %s", what, strerror(-rc));
}

static int add_to_all(const struct wanted *w)
{
	struct wanted *more = w->pid || w->one_cpu
				      ? everywhere
				      : realloc(everywhere, (neverywhere + 1) * sizeof(*more));

	if (w->pid || w->one_cpu)
		return 0;
	if (!more)
		return -ENOMEM;
	everywhere = more;
	everywhere[neverywhere++] = *w;
	return 0;
}

/*
 * What shows whether a CPU is there, where the records of processes do not come from all of them.
 */
static int watch_cpus(void)
{
	struct wanted w = { .attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY,
				      .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED },
			    .tally = &perf_process_tally };

	return neverywhere ? 0 : open_where(&w) ?: add_to_all(&w);
}

/* Counters are of CPUs: whoever is on them, hits are asked whether they are wanted. */
static int open_events(s32 pid, int one_cpu, const struct perf_event_attr *attr, const char *what,
		       hit_fn *hit, const void *row, struct perf_tally *tally)
{
	struct perf_event_attr track = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY,
	};
	struct wanted w = { .pid = pid, .tally = &perf_process_tally };
	int rc = 0;

	records_request(&track);
	/* a time that goes on while its CPU is there */
	track.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | FORMAT_LOST;
	w.attr = track;
	if (!perf_source_first()) {
		get_ready();
		w.pid = run_state.target.only ? run_state.target.pid : 0;
		rc = open_where(&w) ?: add_to_all(&w);
	}
	if (!rc)
		event_hooks.records_handle();
	if (!rc && attr) {
		w = (struct wanted){ .attr = *attr,
				     .pid = has_counters() ? 0 : pid,
				     .one_cpu = one_cpu,
				     .hit = hit,
				     .row = row,
				     .tally = tally };
		rc = w.pid || one_cpu ? 0 : watch_cpus();
		rc = rc ?: open_where(&w) ?: add_to_all(&w);
	}
	if (rc)
		report(what, rc, w.pid);
	return rc;
}

int perf_open_process(s32 pid, const struct perf_event_attr *attr, const char *what, hit_fn *hit,
		      const void *row, struct perf_tally *tally)
{
	return open_events(pid, 0, attr, what, hit, row, tally);
}

int perf_open_one(const struct perf_event_attr *attr, const char *what, hit_fn *hit,
		  const void *row, struct perf_tally *tally)
{
	return open_events(0, 1, attr, what, hit, row, tally);
}

int perf_open(const struct perf_event_attr *attr, const char *what, hit_fn *hit, const void *row,
	      struct perf_tally *tally)
{
	s32 pid = run_state.target.only ? run_state.target.pid : 0;

	return perf_open_process(pid, attr, what, hit, row, tally);
}
int perf_open_is_everywhere(void) { return neverywhere != 0; }

int perf_open_cpu(int cpu)
{
	int rc = 0;

	for (u32 i = 0; i < neverywhere && rc != -ENODEV; i++) {
		rc = open_clocks(&everywhere[i], -1, cpu);
		rc = rc ?: event_hooks.cpu_online(perf_source_first());
		if (rc == -EINVAL && !i)	/* as some kernels have it */
			rc = -ENODEV;
		if (rc && rc != -ENODEV)
			message_text(
				WIRE_WARNING,
				"CPU %d came online, but perf_event_open fails "
					"there: %s: its hits are missing",
				cpu, strerror(-rc));
	}
	return rc == -ENODEV ? rc : 0;
}

void perf_close(hit_fn *hit)
{
	u32 left = 0;

	perf_source_close(hit);
	for (u32 i = 0; i < neverywhere; i++)
		if (hit && everywhere[i].hit != hit)
			everywhere[left++] = everywhere[i];
	neverywhere = left;
}
