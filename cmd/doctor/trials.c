/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trials.c - tries perf events, uprobes, tracefs and a script, as the user who asks. Nothing that
 * is opened here outlives the process; tracefs is mounted in a mount namespace of its own.
 *
 * A fake tree has no system calls: its file /tried names what works, a line each.
 */
#include "cmd/doctor/trials.h"

#include "lib/paths.h"
#include "lib/run.h"
#include "lib/tracefs_mount.h"
#include "lib/uprobe.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int open_event(struct perf_event_attr attr, int pid, int cpu)
{
	attr.size = sizeof(attr);
	return (int)syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* What the event has counted; closes it. 0: nothing, or it could not be opened. */
static uint64_t close_event(int fd)
{
	uint64_t count = 0;

	if (fd >= 0 && read(fd, &count, sizeof(count)) != sizeof(count))
		count = 0;
	if (fd >= 0)
		close(fd);
	return count;
}

static const struct perf_event_attr clock_event = { .type = PERF_TYPE_SOFTWARE,
						    .config = PERF_COUNT_SW_CPU_CLOCK,
						    .freq = 1,
						    .sample_freq = 997 };

static int try_clock(void)
{
	struct perf_event_attr attr = clock_event;

	attr.exclude_kernel = 1;
	return close_event(open_event(attr, 0, -1)) > 0;
}

/* Opens the clock of every CPU that is online, with what the kernel does there. */
static int try_all_cpus(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	int opened = 0;

	for (int cpu = 0; cpu < cpus; cpu++) {
		int fd = open_event(clock_event, -1, cpu);

		if (fd < 0 && errno != ENODEV)
			return 0;
		opened |= fd >= 0;
		close_event(fd);
	}
	return opened;
}

static int try_cycles(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE,
					.config = PERF_COUNT_HW_CPU_CYCLES,
					.exclude_kernel = 1 };

	return close_event(open_event(attr, 0, -1)) > 0;
}

/* The function that is probed. */
static __attribute__((noinline)) void be_probed(void)
{
	__asm__ volatile("" ::: "memory");
}

/* Where a file that is mapped here has that address; -1: no file has. */
static int64_t offset_of(uint64_t address)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[4352];
	uint64_t start, end, offset;
	int64_t found = -1;

	while (maps && found < 0 && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64, &start, &end, &offset) ==
			    3 &&
		    address >= start && address < end)
			found = (int64_t)(address - start + offset);
	if (maps)
		fclose(maps);
	return found;
}

/* Counts a call of our own function. */
static int try_uprobe(void)
{
	int64_t offset = offset_of((uint64_t)(uintptr_t)be_probed);
	int fd = offset < 0 ? -1 : uprobe_open("/proc/self/exe", (uint64_t)offset);

	be_probed();
	return close_event(fd) == 1;
}

/* Counts that we name ourselves, which no timing can prevent. */
static int try_tracepoint(const char *tracefs)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT };
	char path[128];
	unsigned id;
	FILE *f;
	int known, fd;

	snprintf(path, sizeof(path), "%s/events/task/task_rename/id", tracefs);
	f = fopen(path, "re");
	known = f && fscanf(f, "%u", &id) == 1;
	if (f)
		fclose(f);
	if (!known)
		return 0;
	attr.config = id;
	fd = open_event(attr, 0, -1);
	prctl(PR_SET_NAME, "lapwing-doctor");
	return close_event(fd) > 0;
}

/* Opens it to append: what is there stays. */
static int can_append(const char *tracefs, const char *file)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", tracefs, file);
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Bits of the trials of tracefs. It is mounted if it was not, where nobody else sees it. */
static int try_tracefs(void)
{
	int alone = !unshare(CLONE_NEWNS) && !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
	const char *tracefs = alone || geteuid() ? tracefs_find() : NULL;

	if (!tracefs)
		return 0;
	return try_tracepoint(tracefs) | can_append(tracefs, "uprobe_events") << 1 |
	       can_append(tracefs, "kprobe_events") << 2;
}

static int in_child(int (*try)(void))
{
	int status = 0;
	pid_t child = fork();

	if (!child)
		_exit(try());
	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
		       ? WEXITSTATUS(status)
		       : 0;
}

/* Builds a script for the user runtime, loads and runs it; the cache is not touched. */
static char *try_script(void)
{
	char *lapwing = paths_program("lapwing"), *said, *end;
	const char *argv[] = { lapwing ? lapwing : "lapwing",
			       "--runtime=user",
			       "--disable-cache",
			       "-e",
			       "probe begin { exit() }",
			       NULL };
	struct run_result result = { 0 };
	GError *error = NULL;

	if (run_program(argv, NULL, NULL, 1, &result, &error))
		said = g_strdup(error->message);
	else
		said = result.status ? g_strdup(result.err) : NULL;
	if (said && (end = strchr(said, '\n')))
		*end = '\0';
	g_clear_error(&error);
	run_result_clear(&result);
	g_free(lapwing);
	return said;
}

/* Starts QEMU far enough to find all its libraries. */
static int try_qemu(const char *program)
{
	const char *argv[] = { program, "--version", NULL };
	struct run_result result = { 0 };
	int starts = !run_program(argv, NULL, NULL, 1, &result, NULL) && !result.status;

	run_result_clear(&result);
	return starts;
}

static void read_trials(struct machine *m)
{
	static const char *const words[] = {
#define TRIAL(name, words) words,
#include "cmd/doctor/trials.def"
#undef TRIAL
	};

	for (unsigned i = 0; i < TRIALS; i++)
		m->works[i] = host_lists(&m->host, "/tried", words[i]);
	if (!m->works[TRIAL_SCRIPT])
		m->no_script = g_strdup("the script did not run");
}

void trials_make(struct machine *m)
{
	int tracefs;

	if (*m->host.root) {
		read_trials(m);
		return;
	}
	m->works[TRIAL_CLOCK] = try_clock();
	m->works[TRIAL_ALL_CPUS] = try_all_cpus();
	m->works[TRIAL_CYCLES] = try_cycles();
	m->works[TRIAL_UPROBE] = try_uprobe();
	tracefs = in_child(try_tracefs);
	m->works[TRIAL_TRACEPOINT] = tracefs & 1;
	m->works[TRIAL_UPROBE_EVENTS] = tracefs >> 1 & 1;
	m->works[TRIAL_KPROBE_EVENTS] = tracefs >> 2 & 1;
	m->no_script = try_script();
	m->works[TRIAL_SCRIPT] = !m->no_script;
	m->works[TRIAL_QEMU_X86] = try_qemu("qemu-system-x86_64");
	m->works[TRIAL_QEMU_ARM64] = try_qemu("qemu-system-aarch64");
}
