/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.h - what the files of lapwing-record share.
 *
 * lapwing-record is one thread, and one that sleeps (runtime/run/watchdog.h): it opens perf events
 * (events.c), starts or finds what is to be profiled (target.c), takes records out of the kernel's
 * rings in order of time (rings.c), keeps what is new of processes, images and stacks
 * (capture_samples.c), and writes samples to the capture. Names are found when recording is over
 * (report/symbolize.c), before the capture is closed.
 */
#ifndef LAPWING_RECORD_H
#define LAPWING_RECORD_H

#include "report/capture.h"
#include "runtime/rt.h"

#include <linux/perf_event.h>
#include <signal.h>
#include <sys/types.h>

enum stacks { STACKS_NONE, STACKS_POINTERS, STACKS_DWARF };

struct record_options {
	const char	*output;
	char		**command;	/* argv; NULL: none */
	GArray		*pids;		/* pid_t: of -p */
	int		all;		/* -a */
	char		**events;	/* -e; NULL: the processor's time */
	guint64		frequency;	/* samples a second */
	guint64		period;		/* -c: instead of that */
	enum stacks	stacks;
	int		off_cpu, quiet;
	int		guru;		/* raw codes may be sampled */
	const char	*script;	/* counts calls: started with the recording */
	const char	*table;		/* what such a script printed elsewhere; - is standard input */
	int		arcs;		/* rows of its tables; 0: the script's own */
	int		calls_only;	/* nothing is sampled */
	double		seconds;	/* more than anybody waits for: until the target ends, or a signal */
	guint64		ring_bytes;
};

/* So many clocks on a CPU share the rate of one, each with a period of its own (core/vary.h). */
#define RECORD_CLOCKS	4

/* What is counted, and what a sample of it means. */
struct record_event {
	char		*name;
	struct perf_event_attr attr;
	int		nanoseconds;	/* of period and weight */
	int		blocked;
	guint64		period;		/* 0: each sample says its own */
};

/* ---- events.c ------------------------------------------------------------------*/

/* The events of the options, struct record_event; NULL with *error set. A machine without a PMU gives the clock for cycles, and says so. */
GArray *events_choose(const struct record_options *opt, GError **error);

/* ---- target.c ------------------------------------------------------------------*/

/* Starts the command, stopped before its exec; 0 or -1 with *error set. */
int target_start(char **command, GError **error);
pid_t target_pid(void);			/* 0: there is none */
pid_t target_left(void);		/* 0: there is none, or its end is known; safe in any thread */
void target_go(void);
void target_watch(const GArray *pids);	/* processes that are there */
int target_ended(void);			/* the command, of its own or because it could not be run; or all processes that are watched */
int target_status(void);		/* as a shell gives it; waits for the end */

/* ---- rings.c -------------------------------------------------------------------*/

guint64 record_now(void);		/* CLOCK_MONOTONIC, ns */

/*
 * What did not come of the samples that there should be by what events have counted: how many, ring losses among them; of these, those
 * of idle CPUs, which are no loss. known: all events can tell.
 */
struct rings_books { guint64 missing, asleep, throttled; int known; };

/* Opens the events on threads (pid_t; NULL: everywhere). on_exec: they begin with the target's exec. 0 or -1 with *error set. */
int rings_open(const struct record_options *opt, const GArray *events, const GArray *tids, int on_exec, GError **error);
void rings_switch(int on);
/* What a program tells of itself, at its time. */
struct wire_note;
void rings_note(const struct wire_note *note, guint32 len);
/* Handles what there is, up to the time of the round before; last: all of it. */
void rings_round(int last);
/* Until there is something to read, fd (-1: none) has something, a signal or so many ms. 1: fd has. */
int rings_wait(int fd, int ms);
/* Stops the events; rings_round(1) still reads what was taken, and rings_settle() then knows what there should be. */
void rings_stop(void);
void rings_settle(struct rings_books *books);
guint64 rings_lost(void);		/* samples that had no room, as the kernel told up to now */
void rings_close(void);

/* A sample as it comes out of a ring. */
struct record_sample {
	guint64		time, ip, period;
	guint64		since, due;	/* its clock ticks on this CPU whoever runs, each `due` ns; 0: it does not */
	guint32		clock;		/* of those that share the event's rate there, below RECORD_CLOCKS */
	gint32		pid, tid;
	guint32		cpu, event;
	const guint64	*chain;
	guint64		nchain;
	const guint64	*regs;		/* user mode's; NULL: none */
	guint64		regs_mask;	/* which, by perf's numbers */
	const guint8	*stack;
	guint32		stack_bytes;
	int		kernel;		/* mode at the sample */
};

/* ---- capture_samples.c --------------------------------------------------------------------*/

struct image;

/* threads: those that began meanwhile. */
struct samples_books { guint64 received, idle, own, samples, threads, paused; };

/* tids: threads of opt->pids. */
void samples_open(struct capture_writer *w, const struct record_options *opt, const GArray *events, const GArray *tids);
void samples_add(const struct record_sample *s);
/* A type that perf does not have: a thread's process, number and name, as /proc has them now. */
#define RECORD_LOOKED	0x6c61706fu
/* Each thread that there is now. */
void samples_each_thread(void (*visit)(gint32 pid, gint32 tid, const char *name));
/* A record of processes; image as records_image() gave it. */
void samples_process(const struct perf_event_header *h, guint64 time, struct image *image);
/* A thread began (in) or ceased to run. */
void samples_switch(guint64 time, gint32 pid, gint32 tid, int in, guint32 cpu);
/* Nothing is sampled from that time on, for a while: what threads do meanwhile is not known. */
void samples_pause(guint64 time);
/* Recording ends then: threads are no longer there, whatever is still read of them. */
void samples_end(guint64 time);
struct samples_books samples_sofar(void);
/* Puts what is kept into the capture. */
void samples_flush(void);
/* No more samples: what threads did last is settled. */
struct samples_books samples_close(guint64 end);
/* Names everything, with progress on a terminal, until stop is set. How many images are left without names. */
guint samples_name(int quiet, const volatile sig_atomic_t *stop);

/* ---- ctl_handler.c -------------------------------------------------------------------*/

/* `lapwing ctl` can reach this recording from now on (control_take()). */
void ctl_handler_open(const struct record_options *options, struct capture_writer *w);
guint64 ctl_handler_close(void);		/* for how long sampling was off, ns */

#endif
