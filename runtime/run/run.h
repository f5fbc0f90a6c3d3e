/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.h - declarations shared by the files of lapwing-run: options, and the session of a module.
 *
 * lapwing-run has one working thread and the watchdog (watchdog.h). It loads a module, answers its
 * requests, starts it, drains its rings and messages, prints, and always unloads it.
 */
#ifndef LAPWING_RUN_RUN_H
#define LAPWING_RUN_RUN_H

#include "lib/options.h"
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
	unsigned	terminals;	/* --terminal N, or-ed 1 << N: file descriptors that lead
					 * to a terminal elsewhere */
	const char	*remove;	/* --remove */
	int		list;		/* --list */
	int		removes;	/* staprun -d: the module is to be removed */
	int		renames;	/* staprun -R */
	int verbose, no_warnings, only_target, pass_lines, timing, strict, command_status,
		no_partial;
};
extern struct run_options opt;

/*
 * The place where a module runs. All calls return 0 or -errno (or a count); open() reports its
 * failures on stderr.
 */
struct session_ops {
	int		(*open)(const char *path);
	long		(*command)(const void *cmd, unsigned long len);
	long		(*messages)(void *buf, unsigned long size);	/* 0: none now */
	/* size: bytes of records that are mapped */
	struct wire_ring *(*ring)(u32 cpu, u64 *size);
	void		(*wait)(long ms);				/* returns when there may
									 * be data, or on a
									 * signal */
	void		(*close)(void);
};
extern const struct session_ops session_kernel, session_user;
extern const struct session_ops *session;

/* Signals that requested the end: none, SIGINT once, or SIGTERM, SIGHUP, or any two. */
enum run_exit_requested { EXIT_NOT_REQUESTED, EXIT_REQUESTED, EXIT_FORCED };
enum run_exit_requested run_exit_requested(void);

#endif
