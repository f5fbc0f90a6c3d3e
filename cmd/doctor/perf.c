/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf.c - findings about perf events: whether they may be opened, whether there is a PMU, how many
 * counters are free.
 *
 * A fake tree has no system calls: its file /perf gives their results, in lines "cpu-clock"
 * (opens), "cycles" (opens), "counters N", "nop5 breaks", "nop5 unknown".
 */
#include "cmd/doctor/perf.h"

#include "cmd/doctor/doctor.h"
#include "lib/nop5.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_event(unsigned type, unsigned long long config, int pinned)
{
	struct perf_event_attr attr = { .type = type,
					.size = sizeof(attr),
					.config = config,
					.pinned = pinned,
					.exclude_kernel = 1 };

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

int perf_opens(const struct machine *m, const char *event)
{
	int cycles = !strcmp(event, "cycles"), fd;

	if (*m->host.root)
		return host_says(&m->host, "/perf", event);
	fd = open_event(cycles ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE,
			cycles ? PERF_COUNT_HW_CPU_CYCLES : PERF_COUNT_SW_CPU_CLOCK, 0);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* A pinned event without a free counter reads as end of file. */
static unsigned count_pinned(void)
{
	enum { MOST = 16 };
	int fds[MOST];
	unsigned n = 0, free_ones = 0;

	for (; n < MOST; n++) {
		unsigned long long value;

		fds[n] = open_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 1);
		if (fds[n] < 0)
			break;
		if (read(fds[n], &value, sizeof(value)) != sizeof(value)) {
			n++;
			break;
		}
		free_ones++;
	}
	while (n)
		close(fds[--n]);
	return free_ones;
}

/* Hardware counters that can run at once now; 0: none. */
static unsigned perf_free_counters(const struct machine *m)
{
	char *text, *at;
	unsigned n = 0;

	if (!*m->host.root)
		return count_pinned();
	text = host_read(&m->host, "/perf");
	at = text ? strstr(text, "counters ") : NULL;
	if (at)
		n = (unsigned)g_ascii_strtoull(at + 9, NULL, 10);
	g_free(text);
	return n;
}

static int nop5_of(const struct machine *m)
{
	if (!*m->host.root)
		return nop5_breaks();
	return host_says(&m->host, "/perf", "nop5 breaks") ? 1
	       : host_says(&m->host, "/perf", "nop5 unknown") ? -1
	       : 0;
}

void find_nop5(const struct machine *m, struct finding *f)
{
	int breaks = nop5_of(m);

	if (breaks > 0)
		finding_set(
			f, STATE_LIMITED,
			g_strdup(
				"the red zone of a function of ours was overwritten when its 5-byte nop was probed"),
			"uprobes on 5-byte nops break programs on this kernel: they are put beside the nop, or refused",
			g_strdup(
				"a kernel that optimizes uprobes on 10-byte nops only (a fix of ba2bfc97b462)"));
	else if (breaks < 0)
		finding_set(
			f, STATE_LIMITED, g_strdup("no uprobe could be tried"),
			"whether uprobes on 5-byte nops break programs is unknown: they are put beside the nop, or refused",
			g_strdup(host_is_root(&m->host) ? "a kernel with CONFIG_UPROBE_EVENTS"
							: "run as root"));
	else
		finding_set(f, STATE_OK, g_strdup_printf("%s: the red zone is kept", m->arch),
			    "uprobes on 5-byte nops leave programs whole", NULL);
}

void find_perf(const struct machine *m, struct finding *f)
{
	char *level = host_read(&m->host, "/proc/sys/kernel/perf_event_paranoid");
	char *evidence =
		g_strdup_printf("/proc/sys/kernel/perf_event_paranoid: %s", level ? level : "none");

	if (!level)
		finding_set(f, STATE_MISSING, evidence,
			    "the kernel has no perf events: the user runtime cannot sample",
			    g_strdup("a kernel with CONFIG_PERF_EVENTS"));
	else if (!perf_opens(m, "cpu-clock"))
		finding_set(
			f, STATE_MISSING, evidence,
			"perf events are refused: the user runtime cannot sample",
			g_strdup(
				host_is_root(&m->host)
					? "run it outside the container (seccomp refuses perf_event_open)"
					: "sysctl kernel.perf_event_paranoid=1, or run as root"));
	else if (!host_is_root(&m->host) && g_ascii_strtoll(level, NULL, 10) > 0)
		finding_set(f, STATE_LIMITED, evidence,
			    "only your own processes can be sampled, and not in the kernel above 1",
			    g_strdup("sysctl kernel.perf_event_paranoid=-1, or run as root"));
	else
		finding_set(f, STATE_OK, evidence, "all CPUs can be sampled without a module",
			    NULL);
	g_free(level);
}

void find_pmu(const struct machine *m, struct finding *f)
{
	unsigned n = perf_opens(m, "cycles") ? perf_free_counters(m) : 0;

	if (!perf_opens(m, "cycles"))
		finding_set(
			f, STATE_MISSING, g_strdup("perf_event_open(cycles) fails"),
			"no hardware counters: cycles and instructions cannot be counted, sampling uses the clock",
			g_strdup("on a virtual machine: ask its host for a virtual PMU"));
	else if (n < 2)
		finding_set(f, STATE_LIMITED,
			    g_strdup_printf("%u free hardware counter%s", n, n == 1 ? "" : "s"),
			    "cycles per instruction needs two counters at once",
			    g_strdup("end other profilers; see nmi_watchdog"));
	else
		finding_set(f, STATE_OK, g_strdup_printf("%u free hardware counters", n),
			    "cycles and instructions can be counted together", NULL);
}

void find_nmi_watchdog(const struct machine *m, struct finding *f)
{
	static const char path[] = "/proc/sys/kernel/nmi_watchdog";

	if (host_says(&m->host, path, "1"))
		finding_set(f, STATE_LIMITED, g_strdup_printf("%s: 1", path),
			    "the watchdog holds one hardware counter of every CPU",
			    g_strdup("sysctl kernel.nmi_watchdog=0"));
	else
		finding_set(
			f, STATE_OK,
			g_strdup_printf("%s: %s", path, host_has(&m->host, path) ? "0" : "none"),
			"the watchdog holds no counter", NULL);
}
