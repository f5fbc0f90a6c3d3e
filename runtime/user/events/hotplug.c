/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hotplug.c - see hotplug.h.
 */
#include "runtime/user/events/hotplug.h"

#include "runtime/user/base/run_state.h"
#include "runtime/user/events/cpu.h"
#include "runtime/user/events/event_hooks.h"
#include "runtime/user/events/loss.h"
#include "runtime/user/events/perf_open.h"
#include "runtime/user/events/perf_source.h"
#include "runtime/user/transport/message.h"

#include <unistd.h>

#define FOLLOW_NS 1000000000ULL

/*
 * The source that tells of processes there; NULL: the CPU is not there. perf takes events off a CPU
 * that goes: their time stands still.
 */
static struct perf_source *is_reported_on(int cpu)
{
	struct perf_source *s = perf_source_first();

	while (s && (s->hit || s->cpu != cpu || s->tid >= 0))
		s = s->next;
	return s;
}

static int is_alive(struct perf_source *s)
{
	u64 was = s->since, now[3] = { 0 };	/* count, time, lost records */

	if (read(s->ring.fd, now, sizeof(now)) >= (ssize_t)(2 * sizeof(now[0])))
		s->since = now[1];
	return s->since > was;
}

/* Nothing that is asked of CPUs can fail for good on one that has come: the others count it. */
static void open_cpu(int cpu)
{
	if (perf_open_cpu(cpu))
		return;
	for (const struct perf_source *s = perf_source_first(); s; s = s->next)
		if (s->cpu == cpu)
			event_hooks.cpu_counts(s);
}

/*
 * Nobody counts what happened there before its events were opened: so no call that was open then is
 * proven.
 */
static void online(int cpu, u64 now)
{
	const struct perf_source *s = is_reported_on(cpu);

	message_text(
		WIRE_WARNING,
		"CPU %d came online: hits before its perf events were opened "
			"(up to a second) are missing",
		cpu);
	if (s->joins)
		loss_add(s, now - FOLLOW_NS, now);
}

void hotplug_follow(u64 now)
{
	static u64 looked;

	if (!perf_open_is_everywhere() || run_state.state != STATE_RUNNING ||
	    now - looked < FOLLOW_NS)
		return;
	looked = now;
	for (int cpu = 0; cpu < cpu_count(); cpu++) {
		struct perf_source *s = is_reported_on(cpu);

		if (s && is_alive(s))
			continue;
		cpu_idle_refresh();
		if (s) {
			event_hooks.cpu_offline(cpu);
			perf_source_close_cpu(cpu);
		}
		open_cpu(cpu);
		if (is_reported_on(cpu))
			online(cpu, now);
	}
}
