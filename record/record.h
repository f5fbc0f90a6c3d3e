/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.h - what the files of lapwing-record share.
 *
 * lapwing-record has one thread, and a watchdog thread that sleeps (runtime/run/watchdog.h): it
 * chooses events (events.c), starts or finds what is to be profiled (target.c), opens the events
 * and reads the kernel's rings in order of time (rings.c), keeps new processes, images and stacks
 * (capture_samples.c), and writes samples to the capture. Names are found after recording
 * (report/symbolize.c), before the capture is closed.
 */
#ifndef LAPWING_RECORD_H
#define LAPWING_RECORD_H

#include "report/capture.h"
#include "runtime/rt.h"

#include <linux/perf_event.h>
#include <signal.h>
#include <sys/types.h>

enum stack_method { STACKS_NONE, STACKS_POINTERS, STACKS_DWARF };

struct record_options {
	const char	*output;
	char		**command;	/* argv; NULL: none */
	GArray		*pids;		/* pid_t: of -p */
	int		all;		/* -a */
	const char	**events;	/* -e; ended by NULL; NULL: the processor's time */
	guint64		frequency;	/* samples a second */
	guint64		period;		/* -c: instead of that */
	enum stack_method	stacks;
	int		off_cpu, quiet;
	int		guru;		/* raw codes may be sampled */
	const char	*script;	/* counts calls: started with the recording */
	/* a file of what such a script printed elsewhere; - is standard input */
	const char	*table;
	int		arcs;		/* rows of its tables; 0: the script's own */
	int		calls_only;	/* nothing is sampled */
	int		cgroups;	/* control groups with the samples, where the kernel has them */
	/* a huge number: until the target ends, or a signal */
	double		seconds;
	guint64		ring_bytes;
};

/* Clocks on a CPU that share the rate of one, each with a period of its own (core/vary.h). */
#define RECORD_CLOCKS	4

/* What an event counts, and the meaning of its samples. */
struct record_event {
	char		*name;
	struct perf_event_attr attr;
	int		nanoseconds;	/* of period and weight */
	int		blocked;
	guint64		period;		/* 0: recorded in each sample */
};

/* A sample as read from a ring. */
struct record_sample {
	guint64		time, ip, period;
	guint64		since, due;	/* its clock ticks on this CPU, whatever runs, every
					 * `due` ns; 0: it does not */
	guint32		clock;		/* index among those that share the event's rate there,
					 * below RECORD_CLOCKS */
	gint32		pid, tid;
	guint64		cgroup;		/* the kernel's ID; 0: unknown */
	guint32		cpu, event;
	const guint64	*chain;
	guint64		nchain;
	const guint64	*regs;		/* user registers; NULL: none */
	guint64		regs_mask;	/* which registers, by perf's numbers */
	const guint8	*stack;
	guint32		stack_bytes;
	int		kernel;		/* mode at the sample */
};

#endif
