/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_state.h - how the run stands: what was asked of it, and what has gone wrong.
 */
#ifndef LAPWING_USER_RUN_STATE_H
#define LAPWING_USER_RUN_STATE_H

#include "runtime/rt.h"
#include "runtime/wire.h"

enum state { STATE_OPEN, STATE_BEGIN, STATE_RUNNING, STATE_END, STATE_STOPPED };

struct run_state {
	enum state	state;
	/* ended by an error: error probes run instead of end probes */
	int		failed;
	int		exit_requested;
	int		looked;		/* session_read_existing() has been called */
	int		names;		/* families ask for names of processes (thread_name()) */
	int		programs;	/* and for what they run (exe_file.h) */
	int		paused;		/* WIRE_SWITCH, as of the record that is being handled */
	u64		errors, skipped;
	struct wire_target target;
	int		executed;	/* the target has executed a program, or may have */
	s64		wall_minus_mono;	/* ns */
	u64		started;		/* CLOCK_MONOTONIC ns */
	struct wire_account *account;		/* per probe */
	/* as in wire.h */
	u64 samples, samples_idle, samples_own, samples_off, samples_asleep, samples_lost,
		samples_no_room, samples_expected;
	u32		sample_clocks;
	int		samples_unknown;	/* how many there should be is not known */
	struct wire_open how;
};
extern struct run_state run_state;

/* A handler ended by a run-time error: one too many ends the run with an error. */
void run_count_error(void);

#endif
