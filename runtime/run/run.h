/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.h - what the files of lapwing-run share: options, the session behind a module, what the run
 * came to.
 *
 * lapwing-run is one thread, and one that sleeps (watchdog.h). It loads a module, answers its
 * questions, starts it, drains its rings and messages, prints, and unloads it, whatever happens in
 * between.
 */
#ifndef LAPWING_RUN_RUN_H
#define LAPWING_RUN_RUN_H

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
	double		timeout;	/* -T, seconds; 0: none */
	u64		ring_bytes;	/* -s */
	const char	*summary;	/* --json-summary */
	/* --terminal N, or-ed 1 << N: file descriptors that end in a terminal elsewhere */
	unsigned	terminals;
	int		verbose, no_warnings, only_target, pass_lines, timing, strict, command_status, no_partial;
};
extern struct run_options opt;

/*
 * Where a module runs. All calls give 0 or -errno (or a count); failures of open() are reported on
 * stderr by it.
 */
struct run_session {
	int		(*open)(const char *path);
	long		(*command)(const void *cmd, unsigned long len);
	long		(*messages)(void *buf, unsigned long size);	/* 0: none now */
	/* size: bytes of records that are mapped */
	struct wire_ring *(*ring)(u32 cpu, u64 *size);
	/* until there may be something, or a signal */
	void		(*wait)(long ms);
	void		(*close)(void);
};
extern const struct run_session session_kernel, session_user;
extern const struct run_session *session;

/* What is known of the module; messages.c fills it. */
struct facts {
	struct wire_hello hello;
	int		have_hello, ready, started, exit_asked, stopped;
	/* the module said that it takes its time, and not yet that it is done */
	int		disarming;
	char		**formats;	/* kinds NUL text NUL; NULL holes */
	char		**probes;	/* point NUL where NUL */
	unsigned	nformats, nprobes;
	struct wire_summary summary;
	int		have_summary;
	unsigned	errors;		/* ERROR: lines printed */
};
extern struct facts facts;
/* How the end was asked for by signals. */
/* SIGINT once; by SIGTERM, SIGHUP, or twice */
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
/* Shares of 1 of what there was that is in the results; 1 where there was nothing. */
struct run_verdict {
	int	partial;
	int	failed;			/* the run was ended by an error */
	/* the command's signal, where return probes may be why it came; NULL: not so */
	const char *died;
	double	share;			/* the smallest of: */
	double	hits, inserts, records, samples, values, switches, processes;
	double	stacks;			/* those whose innermost caller is proven */
};

#endif
