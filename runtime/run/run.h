/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.h - what the files of lapwing-run share: options, the session of a module, the result of the
 * run.
 *
 * lapwing-run has one thread, and a watchdog thread that sleeps (watchdog.h). It loads a module,
 * answers its requests, starts it, drains its rings and messages, prints, and unloads it, whatever
 * happens in between.
 */
#ifndef LAPWING_RUN_RUN_H
#define LAPWING_RUN_RUN_H

#include "lib/data.h"
#include "runtime/rt.h"
#include "runtime/wire.h"

#include <stdio.h>
#include <sys/types.h>

struct run_options {
	const char	*module;
	char		**globals;	/* VAR=VAL after the module; ends with NULL */
	const char	*parameters;	/* --module-parameters, or NULL */
	const char	*command;	/* -c */
	int		pid;		/* -x */
	const char	*output;	/* -o */
	u64		file_bytes;	/* -S */
	unsigned	file_count;
	int		background;	/* -F */
	int		bulk;		/* -b */
	const char	*per_cpu;	/* with -b: what is between FILE and the CPU's number */
	double		timeout;	/* -T, seconds; 0: none */
	u64		ring_bytes;	/* -s */
	const char	*summary;	/* --json-summary */
	/* --terminal N, or-ed 1 << N: file descriptors that lead to a terminal elsewhere */
	unsigned	terminals;
	int		list;		/* --list, and how */
	enum data_form	form;
	int		capture;	/* the output is a capture of stp()'s records */
	int		verbose, no_warnings, only_target, pass_lines, timing, strict, command_status, no_partial;
};
extern struct run_options opt;

/*
 * Where a module runs. All calls return 0 or -errno (or a count); open() reports its failures on
 * stderr.
 */
struct run_session {
	int		(*open)(const char *path);
	long		(*command)(const void *cmd, unsigned long len);
	long		(*messages)(void *buf, unsigned long size);	/* 0: none now */
	/* size: bytes of records that are mapped */
	struct wire_ring *(*ring)(u32 cpu, u64 *size);
	/* waits until there may be something to handle, or a signal, or for ms */
	void		(*wait)(long ms);
	void		(*close)(void);
};
extern const struct run_session session_kernel, session_user;
extern const struct run_session *session;

/* What is known of the module; messages.c fills it. */
struct facts {
	struct wire_hello hello;
	int		have_hello, ready, started, exit_asked, stopped;
	int		handler_failed;		/* an error had a place in the script */
	/* the module reported that disarming takes time, but not yet that it is done */
	int		disarming;
	char		**formats;	/* kinds NUL text NUL; NULL holes */
	char		**probes;	/* point NUL where NUL */
	unsigned	nformats, nprobes;
	struct wire_summary summary;
	int		have_summary;
	unsigned	errors;		/* ERROR: lines printed */
	int		was_off;	/* ftrace_switch.h, at the end */
};
extern struct facts facts;
/* How signals requested the end. */
/* POLITELY: one SIGINT; FIRMLY: SIGTERM, SIGHUP, or two signals */
enum asked_end { ASKED_NOT, ASKED_POLITELY, ASKED_FIRMLY };
enum asked_end asked_end(void);

struct account_global {
	struct wire_global_account books;
	char		*name, *table;	/* NULL: none; table "": not of a stopwatch or profile */
};
extern struct accounts {
	struct wire_account	*probe;
	unsigned		nprobes;
	struct account_global	*global;
	unsigned		nglobals;
} accounts;
/* The shares of the data that are in the results, 0 to 1; 1 if there was no data. */
struct run_verdict {
	int	partial;
	int	unknown;		/* enum verdict_skips, or-ed: samples may be missing, and nothing tells */
	int	failed;			/* the run was ended by an error */
	/* the signal that the command died of, if return probes may be the cause; else NULL */
	const char *died;
	double	share;			/* the smallest of: */
	double	hits, inserts, records, samples, values, switches, processes;
	double	stacks;			/* those whose innermost caller is proven */
	/* records of the rings, those that were lost; hits that were not handled, of probes with events */
	u64	nrecords, nlost, nmissed;
};

#endif
