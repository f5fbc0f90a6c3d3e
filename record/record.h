/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.h - shared by the files of lapwing-record: its options, the sampled events, a sample.
 *
 * lapwing-record has one working thread and the watchdog (runtime/run/watchdog.h): it opens perf
 * events (events.c), starts or finds the target (target.c), reads the kernel's rings in time order
 * (rings.c), and writes processes, images, stacks and samples to the capture (capture_samples.c).
 * Symbolization follows the recording (report/symbolize.c), before the capture is closed.
 */
#ifndef LAPWING_RECORD_H
#define LAPWING_RECORD_H

#include "lib/options.h"

#include <glib.h>
#include <linux/perf_event.h>

enum stacks { STACKS_NONE, STACKS_POINTERS, STACKS_DWARF };

struct record_options {
	const char	*output;
	char		**command;	/* argv; NULL: none */
	GArray		*pids;		/* pid_t: of -p */
	int		all;		/* -a */
	struct option_list events;	/* -e; none: CPU time */
	guint64		frequency;	/* samples a second */
	guint64		period;		/* -c: replaces frequency */
	enum stacks	stacks;
	int		off_cpu, quiet;
	int		guru;		/* raw codes may be sampled */
	const char	*script;	/* counts calls: started with the recording */
	const char	*table;		/* output of such a script from elsewhere; - is standard
					 * input */
	int		arcs;		/* rows of its tables; 0: the script's own */
	int		calls_only;	/* nothing is sampled */
	double		seconds;	/* a very large value: until the target exits, or a
					 * signal */
	int		ring_mb;	/* -m; 0: not given */
	guint64		ring_bytes;
};

/* Number of clocks on a CPU that share one rate, each with its own period (core/vary.h). */
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
	guint32		cpu, event;
	const guint64	*chain;
	guint64		nchain;
	const guint64	*regs;		/* user mode's; NULL: none */
	guint64		regs_mask;	/* which registers, by perf's numbers */
	const guint8	*stack;
	guint32		stack_bytes;
	int		kernel;		/* mode at the sample */
};

#endif
