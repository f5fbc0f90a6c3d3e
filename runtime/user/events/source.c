/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source.c - see source.h. merge.c reads the rings.
 */
#include "runtime/user/events/source.h"

#include "runtime/core/event_kind.h"
#include "runtime/core/vary.h"
#include "perf/records.h"
#include "runtime/user/base/time.h"
#include "runtime/user/events/hooks.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/transport/message.h"
#include "symbolize/chain.h"
#include "perf/cpu_idle.h"
#include "runtime/user/events/loss.h"
#include "perf/perf_regs.h"

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

#define BUCKETS 1024
#define FOLLOW_NS 1000000000ULL
#define LATE_NS	50000	/* a tick that is due so shortly before a thread exits may be too late */
#define CLOCKS	4	/* clocks that share a rate, on a CPU */
#define CLOCKS_OF_THREAD 2
#define FORMAT_LOST (1U << 4)	/* PERF_FORMAT_LOST, since 6.0 */
#define RING_SHARE 4	/* a family's ring is so many times -s: many probes write to it */

/* What to open, on each CPU and thread. */
struct wanted {
	struct perf_event_attr attr;
	s32		pid;		/* its threads, and what they start; 0: all processes */
	int		one_cpu;	/* on any one CPU */
	hit_fn		*hit;
	const void	*row;
	struct merge_tally *tally;
};

static struct event_source *sources, *by_id[BUCKETS];
static struct merge_tally untold;	/* of process records (names, mappings): not hits */

/*
 * What is opened on CPUs that come online: all that is open on every CPU, in the order in which it
 * was opened.
 */
static struct wanted *everywhere;
static u32 neverywhere;
static u64 *idle_now;			/* per CPU */
static int ncpus;
static struct vary random_periods;

struct event_source *source_first(void) { return sources; }

struct event_source *source_of(u64 id)
{
	struct event_source *s = by_id[id % BUCKETS];

	while (s && s->id != id)
		s = s->next_id;
	return s;
}

/*
 * Hits of this process are not hits of the script, and reading their records would cause more: the
 * kernel filters them out.
 */
static void leave_us_out(const struct perf_ring *r)
{
	char filter[40];

	snprintf(filter, sizeof(filter), "common_pid != %d", getpid());
	ioctl(r->fd, PERF_EVENT_IOC_SET_FILTER, filter);
}

/*
 * The source whose ring takes the records of another source of its family; NULL: that source has
 * its own ring.
 */
static struct event_source *ring_owner(const struct event_source *of, s32 tid, int cpu)
{
	hit_fn *hit = of->tally->tells ? NULL : of->hit;

	for (struct event_source *s = sources; s; s = s->next)
		if (s->hit == hit && s->ring.page && !s->alone && s->tid == tid && s->cpu == cpu)
			return s;
	return NULL;
}

/* The attributes of w, with as much of the sample as the script needs. */
static struct perf_event_attr complete(const struct wanted *w)
{
	struct perf_event_attr a = w->attr;
	/* no handler uses the stacks of an event that excludes user call chains */
	int stacks = w->hit && !a.exclude_callchain_user;

	if (!a.sample_period && (w->hit || !a.task)) {	/* it only counts */
		a.inherit = w->pid > 0;
		return a;
	}
	a.sample_type |= PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	if (a.freq)
		a.sample_type |= PERF_SAMPLE_PERIOD;	/* perf chooses it */
	if (a.sample_regs_user)
		a.sample_type |= PERF_SAMPLE_REGS_USER;
	if (w->hit && user_wants_counts()) {
		a.sample_type |= PERF_SAMPLE_READ;
		a.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID |
				PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
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
	a.wakeup_watermark = (u32)(session.how.ring_bytes / 4);
	a.inherit = w->pid > 0;
	a.inherit_thread = a.inherit_thread && a.inherit;
	/* the count of each thread, from which the expected samples are computed */
	a.inherit_stat = a.inherit && a.sample_period > 1;
	return a;
}

static int open_ring(struct event_source *s, struct perf_event_attr *a)
{
	struct event_source *owner =
		a->sample_type && !s->alone ? ring_owner(s, s->tid, s->cpu) : NULL;
	u64 bytes = owner || !a->sample_type ? 0 : RING_SHARE * session.how.ring_bytes;
	int rc = perf_ring_open(&s->ring, a, s->tid, s->cpu,
				a->read_format & PERF_FORMAT_GROUP ? event_hooks.group(s->cpu) : -1,
				bytes);

	s->owner = owner ? owner : bytes ? s : NULL;
	if (!rc && owner)
		owner->joins |= s->joins;
	if (!rc && owner && ioctl(s->ring.fd, PERF_EVENT_IOC_SET_OUTPUT, owner->ring.fd)) {
		rc = -errno;
		perf_ring_close(&s->ring);
	}
	return rc;
}

static int open_one(const struct wanted *w, s32 tid, int cpu, u64 period)
{
	struct perf_event_attr a = complete(w);
	struct event_source *s = calloc(1, sizeof(*s));
	int rc, waits, clock = event_is_clock(a.type, a.config);

	if (!s)
		return -ENOMEM;
	if (!a.freq)
		a.sample_period = period;
	*s = (struct event_source){ .hit = w->hit,
				    .row = w->row,
				    .tally = w->tally,
				    .tid = tid,
				    .cpu = cpu,
				    .period = a.freq ? 0 : period,
				    /* clocks tick one by one; other events may occur together */
				    .alone = w->hit && a.type == PERF_TYPE_SOFTWARE && !clock,
				    .clock = tid < 0 && clock,
				    .idle_since = idle_now ? idle_now[cpu] : 0,
				    .joins = !w->hit || (a.type == PERF_TYPE_TRACEPOINT &&
							 (w->tally->joins || rt_script.joins)) };
	/* until it has its ring, so as to miss nothing; a group is enabled as a whole */
	waits = w->hit && a.sample_type && !a.read_format;
	a.disabled |= waits;
	rc = open_ring(s, &a);
	if (rc == -EINVAL && a.read_format & FORMAT_LOST) {
		a.read_format &= ~(u64)FORMAT_LOST;
		rc = open_ring(s, &a);
	}
	if (rc == -EACCES && tid > 0) {		/* not root: user code only */
		a.exclude_kernel = 1;
		w->tally->partly = 1;
		rc = open_ring(s, &a);
	}
	if (rc) {
		free(s);
		return rc;
	}
	if (a.type == PERF_TYPE_TRACEPOINT && tid < 0 && !w->tally->elsewhere &&
	    !w->tally->with_own_hits)
		leave_us_out(&s->ring);
	ioctl(s->ring.fd, PERF_EVENT_IOC_ID, &s->id);
	s->sample_type = a.sample_type;
	s->regs = a.sample_regs_user;
	s->tells_lost = (a.read_format & FORMAT_LOST) != 0;
	s->next = sources;
	sources = s;
	s->next_id = by_id[s->id % BUCKETS];
	by_id[s->id % BUCKETS] = s;
	return waits && ioctl(s->ring.fd, PERF_EVENT_IOC_ENABLE, 0) ? -errno : 0;
}

/*
 * Opens a clock, or several that share its rate. Each of a thread's clocks starts with a whole
 * period: with fewer clocks, more is seen of threads that exit soon.
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

static void idle_look(void)
{
	if (!idle_now) {
		ncpus = (int)sysconf(_SC_NPROCESSORS_CONF);
		idle_now = calloc((size_t)ncpus, sizeof(*idle_now));
	}
	if (idle_now)
		idle_read(idle_now, ncpus);
}

static int open_cpus(const struct wanted *w, s32 tid)
{
	int opened = 0, rc = 0;

	if (!idle_now || tid < 0)
		idle_look();
	for (int cpu = 0; cpu < ncpus; cpu++) {
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

/* Opens on all threads of a process, or on all CPUs. */
static int open_where(const struct wanted *w)
{
	char path[64];
	struct dirent *d;
	int rc = -ESRCH, opened = 0;
	DIR *dir;

	if (!w->pid)
		return open_cpus(w, -1);
	snprintf(path, sizeof(path), "/proc/%d/task", w->pid);
	dir = opendir(path);
	while (dir && (d = readdir(dir)))
		if (d->d_name[0] != '.') {
			rc = open_cpus(w, atoi(d->d_name));
			opened += !rc;
			/*
			 * a thread that has exited may be listed; the first one is, as long as the
			 * others live
			 */
			if (rc && rc != -ESRCH)
				break;
		}
	if (dir)
		closedir(dir);
	return rc == -ESRCH && opened ? 0 : rc;
}

/*
 * There is one file per probe and CPU: allows as many as possible. A reader that waits for a CPU
 * loses samples: gives it priority.
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
	char level[16] = "?";
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "re");

	if (f) {
		if (fscanf(f, "%15s", level) != 1)
			level[0] = '?';
		fclose(f);
	}
	if (rc == -EACCES || rc == -EPERM)
		message_error(RUN_PERF_REFUSED, "probe %s (kernel.perf_event_paranoid is %s)", what,
			      level);
	else if (rc == -ESRCH)
		message_error(RUN_PROCESS_GONE, "probe %s: process %d", what, pid);
	else if (rc == -EMFILE)
		core_error(RUN_FILES, what);
	else
		message_error(RUN_PERF, "%s: %s", what, strerror(-rc));
}

static int keep_everywhere(const struct wanted *w)
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
 * Opens events that show whether a CPU is online, if process records do not come from all CPUs.
 */
static int watch_cpus(void)
{
	struct wanted w = { .attr = { .type = PERF_TYPE_SOFTWARE,
				      .config = PERF_COUNT_SW_DUMMY,
				      .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED },
			    .tally = &untold };

	return neverywhere ? 0 : open_where(&w) ?: keep_everywhere(&w);
}

int merge_may_swap(void)
{
	static int known, may;
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_DUMMY,
					.sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_TID,
					.exclude_kernel = 1,
					.inherit = 1 };
	struct perf_ring event;

	if (known)
		return may;
	known = 1;
	may = perf_ring_open(&event, &attr, 0, -1, -1, 0) != 0;
	if (!may)
		perf_ring_close(&event);
	return may;
}

/* Counters count all that runs on a CPU, so whether a hit is wanted is checked at each hit. */
static int open_events(s32 pid, int one_cpu, const struct perf_event_attr *attr, const char *what,
		       hit_fn *hit, const void *row, struct merge_tally *tally)
{
	struct perf_event_attr track = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY,
	};
	struct wanted w = { .pid = pid, .tally = &untold };
	int rc = 0;

	records_ask(&track);
	/* the time enabled advances while its CPU is online */
	track.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | FORMAT_LOST;
	w.attr = track;
	if (!sources) {
		get_ready();
		w.pid = session.target.only ? session.target.pid : 0;
		w.attr.sample_type = w.pid && !merge_may_swap() ? PERF_SAMPLE_READ : 0;
		rc = open_where(&w) ?: keep_everywhere(&w);
	}
	merge_begin();
	if (!rc)
		event_hooks.opened();
	if (!rc && attr) {
		w = (struct wanted){ .attr = *attr,
				     .pid = user_wants_counts() ? 0 : pid,
				     .one_cpu = one_cpu,
				     .hit = hit,
				     .row = row,
				     .tally = tally };
		rc = w.pid || one_cpu ? 0 : watch_cpus();
		rc = rc ?: open_where(&w) ?: keep_everywhere(&w);
	}
	if (rc)
		report(what, rc, w.pid);
	return rc;
}

int merge_open_process(s32 pid, const struct perf_event_attr *attr, const char *what, hit_fn *hit,
		       const void *row, struct merge_tally *tally)
{
	return open_events(pid, 0, attr, what, hit, row, tally);
}

int merge_open_one(const struct perf_event_attr *attr, const char *what, hit_fn *hit,
		   const void *row, struct merge_tally *tally)
{
	return open_events(0, 1, attr, what, hit, row, tally);
}

int merge_open(const struct perf_event_attr *attr, const char *what, hit_fn *hit, const void *row,
	       struct merge_tally *tally)
{
	return merge_open_process(session.target.only ? session.target.pid : 0, attr, what, hit,
				  row, tally);
}

/* A group's member reads: number of members, two times, then a count and an ID per member. */
int source_count(const struct event_source *s, u64 *count)
{
	static u64 group[3 + 2 * 1024];
	ssize_t got;

	if (!(s->sample_type & PERF_SAMPLE_READ))
		return read(s->ring.fd, count, sizeof(*count)) == sizeof(*count) ? 0 : -1;
	got = read(s->ring.fd, group, sizeof(group)) / (ssize_t)sizeof(group[0]);
	for (ssize_t i = 3; i + 1 < got; i += 2)
		if (group[i + 1] == s->id) {
			*count = group[i];
			return 0;
		}
	return -1;
}

/* Updates a source's count, and the samples that should have come of it. */
static void settle(struct event_source *s)
{
	u64 count, mean, own;

	if (!s->hit || source_count(s, &count) || count < s->counted)
		return;
	s->tally->counted += count - s->counted;
	s->counted = count;
	own = count > s->exited ? count - s->exited : 0;
	mean = s->taken ? s->covered / s->taken : 0;
	if (s->period && own > s->since)
		s->expected += (own - s->since) / s->period;
	else if (!s->period && mean)
		s->expected = s->taken + (count > s->covered ? (count - s->covered) / mean : 0);
	s->since = own;
}

void source_exited(struct event_source *s, u64 count)
{
	if (!s->period)
		return;
	s->exited += count;
	if (s->tally->spread)
		count -= count < LATE_NS ? count : LATE_NS;
	s->expected += count / s->period;
}

int source_lost(const struct event_source *s, u64 *lost)
{
	u64 words[3];		/* a count, which is 0, a time, the lost records */

	if (!s->tells_lost || read(s->ring.fd, words, sizeof(words)) != sizeof(words))
		return -1;
	*lost = words[2];
	return 0;
}

/*
 * By how many samples the source is behind (> 0) or ahead of its rate, in thousandths of the
 * samples due in the last interval.
 */
static s64 behind(const struct event_source *s, u64 events, u64 period)
{
	s64 due = (s64)(s->since / period) - (s64)s->expected;

	return events ? (s64)((double)due * 1000 * (double)period / (double)events) : 0;
}

u32 source_vary(const void *row, u64 period, struct vary *random)
{
	u32 n = 0;

	for (struct event_source *s = sources; s; s = s->next) {
		u64 since = s->since, next;

		if (s->row != row)
			continue;
		n++;
		settle(s);
		next = vary_while(random, period, behind(s, s->since - since, period));
		if (!ioctl(s->ring.fd, PERF_EVENT_IOC_PERIOD, &next))
			s->period = next;
		if (!source_count(s, &since))
			s->since = since - s->exited;
	}
	return n;
}

void source_switch(int on)
{
	for (const struct event_source *s = sources; s; s = s->next)
		if (s->hit && !s->sample_type)
			ioctl(s->ring.fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

/* Counts lost process records, if the kernel says how many. */
static void count_untold(const struct event_source *s)
{
	u64 lost;

	if (!source_lost(s, &lost))
		untold.counted += lost;
}

void merge_pause(void)
{
	for (struct event_source *s = sources; s; s = s->next)
		if (s->hit)
			ioctl(s->ring.fd, PERF_EVENT_IOC_DISABLE, 0);
		else
			count_untold(s);
	idle_look();
}

static u64 missing_of(const struct event_source *s)
{
	return s->expected > s->taken ? s->expected - s->taken : 0;
}

/*
 * Samples for which there was no room are counted per ring: each of its sources gets a share in
 * proportion to its missing samples. Else those of the others would be taken for ticks that were
 * late or idle, and counted twice.
 */
static void share_losses(struct event_source *owner)
{
	u64 left = owner->lost, missing = 0, part;

	owner->tally->lost -= left;
	owner->lost = 0;
	for (const struct event_source *s = sources; s; s = s->next)
		missing += s->owner == owner && s->hit ? missing_of(s) : 0;
	for (struct event_source *s = sources; s && missing; s = s->next) {
		if (s->owner != owner || !s->hit)
			continue;
		part = left * missing_of(s) / missing;
		missing -= missing_of(s);
		left -= part;
		s->lost = part;
		s->tally->lost += part;
	}
	owner->lost += left;
	owner->tally->lost += left;
}

/* Adds a source's counts to its tally. A tick may be in flight when the source is stopped. */
static void close_books(struct event_source *s)
{
	u64 found, missing, due;

	found = s->taken + s->lost;
	missing = s->expected > found ? s->expected - found : 0;
	if (missing == 1 && s->tally->spread) {
		s->expected--;
		missing = 0;
	}
	s->tally->expected += s->expected;
	s->tally->sources++;
	if (!s->clock || !s->period || !idle_now || !missing)
		return;
	due = idle_now[s->cpu] > s->idle_since ? (idle_now[s->cpu] - s->idle_since) / s->period : 0;
	s->tally->asleep += idle_asleep(missing, due, s->idle);
}

/* The sources of a CPU, or all (-1), are finished, and their rings have been read. */
static void close_all(int cpu)
{
	for (int step = 0; step < 3; step++)
		for (struct event_source *s = sources; s; s = s->next) {
			if (!s->hit || (cpu >= 0 && (s->cpu != cpu || s->tid >= 0)))
				continue;
			if (step == 0)
				settle(s);
			else if (step == 1 && s->owner == s && s->lost)
				share_losses(s);
			else if (step == 2)
				close_books(s);
		}
}

void source_settle(void)
{
	close_all(-1);
}

u64 merge_untold(u64 *all)
{
	u64 lost = untold.lost > untold.counted ? untold.lost : untold.counted;

	*all = untold.taken + lost;
	return lost;
}

u64 merge_lost(const struct merge_tally *tally)
{
	return tally->counted > tally->taken ? tally->counted - tally->taken : 0;
}

/* ---- CPUs that go and come ------------------------------------------------------------*/

static void forget_id(const struct event_source *s)
{
	struct event_source **link = &by_id[s->id % BUCKETS];

	while (*link != s)
		link = &(*link)->next_id;
	*link = s->next_id;
}

static void remove_link(struct event_source **link)
{
	struct event_source *s = *link;

	*link = s->next;
	forget_id(s);
	perf_ring_close(&s->ring);
	free(s);
}

void source_close(hit_fn *hit)
{
	struct event_source **link = &sources;
	u32 left = 0;

	while (*link)
		if (hit && (*link)->hit != hit)
			link = &(*link)->next;
		else
			remove_link(link);
	for (u32 i = 0; i < neverywhere; i++)
		if (hit && everywhere[i].hit != hit)
			everywhere[left++] = everywhere[i];
	neverywhere = left;
}

/*
 * The source of process records on a CPU; NULL: the CPU is offline. perf removes events from a CPU
 * that goes offline: their time stops.
 */
static struct event_source *told_on(int cpu)
{
	struct event_source *s = sources;

	while (s && (s->hit || s->cpu != cpu || s->tid >= 0))
		s = s->next;
	return s;
}

static int is_alive(struct event_source *s)
{
	u64 was = s->since, now[3] = { 0 };	/* count, time, lost records */

	if (read(s->ring.fd, now, sizeof(now)) >= (ssize_t)(2 * sizeof(now[0])))
		s->since = now[1];
	return s->since > was;
}

static void close_cpu(int cpu)
{
	struct event_source **link = &sources;

	event_hooks.cpu_gone(cpu);
	close_all(cpu);
	while (*link)
		if ((*link)->cpu == cpu && (*link)->tid < 0) {
			if (!(*link)->hit)
				count_untold(*link);
			remove_link(link);
		} else {
			link = &(*link)->next;
		}
}

/*
 * No event can fail for good on a CPU that has come online, as the others count it. Until the CPU
 * is online, -ENODEV.
 */
static void open_cpu(int cpu)
{
	int rc = 0;

	for (u32 i = 0; i < neverywhere && rc != -ENODEV; i++) {
		rc = open_clocks(&everywhere[i], -1, cpu) ?: event_hooks.cpu_opens(sources);
		if (rc == -EINVAL && !i)	/* on some kernels */
			rc = -ENODEV;
		if (rc && rc != -ENODEV)
			message_text(
				WIRE_WARNING,
				"CPU %d came online, and perf_event_open fails there: %s: its "
				"hits are missing",
				cpu, strerror(-rc));
	}
	for (const struct event_source *s = sources; s && rc != -ENODEV; s = s->next)
		if (s->cpu == cpu)
			event_hooks.cpu_opened(s);
}

/*
 * What happened on the CPU before its events were opened is not counted, so calls that were open
 * then are unproven.
 */
static void came(int cpu, u64 now)
{
	const struct event_source *s = told_on(cpu);

	message_text(
		WIRE_WARNING,
		"CPU %d came online: what happened there until its events were opened, up to a "
		"second, is missing",
		cpu);
	if (s->joins)
		loss_add(s, now - FOLLOW_NS, now);
}

void source_follow(u64 now)
{
	static u64 looked;

	if (!neverywhere || session.state != STATE_RUNNING || now - looked < FOLLOW_NS)
		return;
	looked = now;
	for (int cpu = 0; cpu < ncpus; cpu++) {
		struct event_source *s = told_on(cpu);

		if (s && is_alive(s))
			continue;
		idle_look();
		if (s)
			close_cpu(cpu);
		open_cpu(cpu);
		if (told_on(cpu))
			came(cpu, now);
	}
}
