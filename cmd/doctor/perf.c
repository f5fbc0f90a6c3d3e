/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf.c - findings about perf events: whether they may be opened, whether there is a PMU, how many
 * counters are free. A fake tree gives the results in lines of its file /tried: "counters N",
 * "nop5 breaks", "nop5 unknown".
 */
#include "cmd/doctor/doctor.h"
#include "cmd/doctor/mend.h"
#include "lib/nop5.h"

#include <linux/capability.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A pinned event without a free counter reads as end of file. */
static unsigned count_pinned(void)
{
	enum { MOST = 16 };
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE,
					.size = sizeof(attr),
					.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
					.pinned = 1,
					.exclude_kernel = 1 };
	int fds[MOST];
	unsigned n = 0, free_ones = 0;

	for (; n < MOST; n++) {
		unsigned long long value;

		fds[n] = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
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
	text = host_read(&m->host, "/tried");
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
	return host_lists(&m->host, "/tried", "nop5 breaks") ? 1
	       : host_lists(&m->host, "/tried", "nop5 unknown") ? -1
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
				"nothing, unless a probe is refused: then a kernel that optimizes uprobes on 10-byte nops only (a fix of ba2bfc97b462)"));
	else if (breaks < 0)
		finding_set(
			f, STATE_LIMITED, g_strdup("no uprobe could be tried"),
			"whether uprobes on 5-byte nops break programs is unknown: they are put beside the nop, or refused",
			host_can(&m->host, CAP_PERFMON) || host_can(&m->host, CAP_SYS_ADMIN)
				? mend_kernel(m, "UPROBE_EVENTS")
				: mend_rights(m));
	else
		finding_set(f, STATE_OK, g_strdup_printf("%s: the red zone is kept", m->arch),
			    "uprobes on 5-byte nops leave programs whole", NULL);
}

static char *perf_mend(const struct machine *m, const char *level)
{
	return host_is_root(&m->host)
		       ? mend_rights(m)
		       : g_strdup_printf(
				 "run it as root, or as root: sysctl kernel.perf_event_paranoid=%s",
				 level);
}

void find_perf(const struct machine *m, struct finding *f)
{
	char *level = host_read(&m->host, "/proc/sys/kernel/perf_event_paranoid");
	char *evidence =
		g_strdup_printf("/proc/sys/kernel/perf_event_paranoid: %s", level ? level : "none");

	if (!level)
		finding_set(f, STATE_MISSING, g_strdup(evidence),
			    "the kernel has no perf events: the user runtime cannot sample",
			    mend_kernel(m, "PERF_EVENTS"));
	else if (!m->works[TRIAL_CLOCK])
		finding_set(f, STATE_MISSING,
			    g_strdup_printf("the event cpu-clock: no; %s", evidence),
			    "perf events are refused: the user runtime cannot sample",
			    perf_mend(m, "1"));
	else if (!m->works[TRIAL_ALL_CPUS])
		finding_set(f, STATE_LIMITED,
			    g_strdup_printf("a clock of your own was opened, of all CPUs not; %s",
					    evidence),
			    "only your own processes can be sampled", perf_mend(m, "-1"));
	else
		finding_set(f, STATE_OK,
			    g_strdup_printf("a clock was opened on every CPU; %s", evidence),
			    "all CPUs can be sampled without a module", NULL);
	g_free(evidence);
	g_free(level);
}

/* What each capability adds to lapwing watch. CAP_BPF adds nothing: it reads perf's rings. */
void find_watch(const struct machine *m, struct finding *f)
{
	static const struct { unsigned number; const char *name, *adds; } capabilities[] = {
		{ CAP_PERFMON, "CAP_PERFMON", "samples of all CPUs and of the kernel" },
		{ CAP_SYS_PTRACE, "CAP_SYS_PTRACE", "the files of programs that began before it" },
		{ CAP_DAC_READ_SEARCH, "CAP_DAC_READ_SEARCH", "names in files that only others may read" },
		{ CAP_SYSLOG, "CAP_SYSLOG", "names of the kernel's functions" },
	};
	GString *has = g_string_new(NULL);
	unsigned missing = 0;

	for (unsigned i = 0; i < G_N_ELEMENTS(capabilities); i++) {
		int can = host_can(&m->host, capabilities[i].number) ||
			  (capabilities[i].number == CAP_PERFMON && host_can(&m->host, CAP_SYS_ADMIN));

		missing += !can;
		g_string_append_printf(has, "%s%s: %s (%s)", i ? "; " : "", capabilities[i].name, can ? "yes" : "no",
				       capabilities[i].adds);
	}
	if (!m->works[TRIAL_ALL_CPUS])
		finding_set(f, STATE_MISSING, g_string_free(has, FALSE),
			    "lapwing watch cannot sample the whole machine", perf_mend(m, "-1"));
	else if (missing)
		finding_set(f, STATE_LIMITED, g_string_free(has, FALSE),
			    "lapwing watch lacks names of what other users run, or of the kernel",
			    g_strdup("systemctl start lapwing-watch, which has all of them, or run it as root"));
	else
		finding_set(f, STATE_OK, g_string_free(has, FALSE), "lapwing watch sees and names the whole machine", NULL);
}

void find_pmu(const struct machine *m, struct finding *f)
{
	unsigned n = m->works[TRIAL_CYCLES] ? perf_free_counters(m) : 0;

	if (!m->works[TRIAL_CLOCK])
		finding_set(f, STATE_UNTRIED, g_strdup("perf events are refused"),
			    "whether there are hardware counters cannot be seen", NULL);
	else if (!m->works[TRIAL_CYCLES])
		finding_set(
			f, STATE_MISSING, g_strdup("the event cycles cannot be opened, or counts nothing"),
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
