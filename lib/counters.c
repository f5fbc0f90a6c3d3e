/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters.c - see counters.h. A pinned event without a free counter can be opened, but reads as
 * end of file.
 */
#include "lib/counters.h"

#include "lib/failure.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST 64

static int open_counter(const struct counter *c, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = c->type,
		.config = c->config[0],
		.config1 = c->config[1],
		.config2 = c->config[2],
		.pinned = 1,
		.exclude_user = c->exclude_user != 0,
		.exclude_kernel = c->exclude_kernel != 0,
		.exclude_hv = c->exclude_hv != 0,
		.precise_ip = c->precise & 3,
		.sample_period = c->period,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0 && (errno == EACCES || errno == EPERM)) {
		attr.exclude_kernel = 1;
		fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	}
	return fd;
}

unsigned counters_try(struct counter *c, unsigned n, int cpu)
{
	int fds[MOST];
	unsigned fit = 0;

	for (unsigned i = 0; i < n; i++) {
		fds[i < MOST ? i : 0] = i < MOST ? open_counter(&c[i], cpu) : -1;
		c[i].error = i >= MOST ? EBUSY : fds[i] < 0 ? errno : 0;
	}
	for (unsigned i = 0; i < n && i < MOST; i++) {
		uint64_t value;

		if (fds[i] >= 0 && read(fds[i], &value, sizeof(value)) != sizeof(value))
			c[i].error = EBUSY;
		fit += !c[i].error;
	}
	for (unsigned i = 0; i < n && i < MOST; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	return fit;
}

unsigned counters_try_all(struct counter *c, unsigned n)
{
	int cpus = (int)sysconf(_SC_NPROCESSORS_CONF), errors[MOST];
	unsigned fit = 0;

	for (unsigned i = 0; i < n && i < MOST; i++)
		errors[i] = ENODEV;
	for (int cpu = 0; cpu < cpus; cpu++) {
		counters_try(c, n, cpu);
		for (unsigned i = 0; i < n && i < MOST; i++)
			/* ENODEV: the CPU is offline */
			if (errors[i] && (c[i].error != ENODEV || errors[i] == ENODEV))
				errors[i] = c[i].error;
	}
	for (unsigned i = 0; i < n && i < MOST; i++) {
		c[i].error = errors[i];
		fit += !errors[i];
	}
	return fit;
}

static int is_hardware(const struct counter *c)
{
	return c->type != PERF_TYPE_SOFTWARE && c->type != PERF_TYPE_TRACEPOINT &&
	       c->type != PERF_TYPE_BREAKPOINT;
}

static int watchdog_holds_one(void)
{
	FILE *f = fopen("/proc/sys/kernel/nmi_watchdog", "re");
	int on = f && getc(f) == '1';

	if (f)
		fclose(f);
	return on;
}

/* "; these fit: a, b" */
static void print_fitting(const struct counter *c, unsigned n, FILE *to)
{
	const char *before = "; these fit: ";

	for (unsigned i = 0; i < n; i++)
		if (!c[i].error && is_hardware(&c[i])) {
			fprintf(to, "%s%s", before, c[i].name);
			before = ", ";
		}
}

static int has_cycles(void)
{
	struct counter cycles = { .type = PERF_TYPE_HARDWARE,
				  .config = { PERF_COUNT_HW_CPU_CYCLES } };

	counters_try(&cycles, 1, 0);
	return !cycles.error || cycles.error == EBUSY;
}

static void explain_one(const struct counter *c, const struct counter *all, unsigned n, FILE *to)
{
	fprintf(to, "event '%s': ", c->name);
	if (c->error == EBUSY) {
		fputs("no counter is left for it", to);
		print_fitting(all, n, to);
		if (watchdog_holds_one())
			fputs("; the NMI watchdog holds one: sysctl kernel.nmi_watchdog=0", to);
	} else if (c->error == EACCES || c->error == EPERM) {
		fputs("perf events are refused: run as root, or see kernel.perf_event_paranoid",
		      to);
	} else if (is_hardware(c) && !has_cycles()) {
		fputs("this machine has no hardware counters, as most virtual machines: leave the event out, or count "
		      "task-clock, context-switches or page-faults, which every machine has (lapwing events); its host may give it a virtual PMU",
		      to);
	} else if (c->error == EOPNOTSUPP && (c->period || c->precise)) {
		fputs(c->precise ? "the PMU cannot sample it so precisely: take a 'p' off"
				 : "the PMU counts it, and cannot sample it",
		      to);
	} else {
		fprintf(to, "this machine's PMU does not count it (%s)", strerror(c->error));
	}
}

int counters_explain(const struct counter *c, unsigned n, const char *prefix, const char *number,
		     FILE *to)
{
	int wrong = 0;

	for (unsigned i = 0; i < n; i++) {
		if (!c[i].error)
			continue;
		fputs(prefix, to);
		explain_one(&c[i], c, n, to);
		if (number)
			failure_end(to, number);
		putc('\n', to);
		wrong = 1;
	}
	return wrong;
}
