/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.h - what the files of lapwing-run share: options, the session behind a module, what the run came to.
 *
 * lapwing-run is one thread, and one that sleeps (watchdog.h). It loads a module, answers its questions, starts it, drains its rings
 * and messages, prints, and unloads it, whatever happens in between.
 */
#ifndef LAPWING_RUN_RUN_H
#define LAPWING_RUN_RUN_H

#include "runtime/rt.h"
#include "runtime/wire.h"

#include <stdio.h>
#include <sys/types.h>

struct options {
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
	unsigned	terminals;	/* --terminal N, or-ed 1 << N: file descriptors that end in a terminal elsewhere */
	int		verbose, no_warnings, only_target, pass_lines, timing, strict, command_status, no_partial;
};
extern struct options opt;

/* Where a module runs. All calls give 0 or -errno (or a count); failures of open() are reported on stderr by it. */
struct session {
	int		(*open)(const char *path);
	long		(*command)(const void *cmd, unsigned long len);
	long		(*messages)(void *buf, unsigned long size);	/* 0: none now */
	struct wire_ring *(*ring)(u32 cpu, u64 *size);		/* size: bytes of records that are mapped */
	void		(*wait)(long ms);				/* until there may be something, or a signal */
	void		(*close)(void);
};
extern const struct session session_kernel, session_user;
extern const struct session *session;

/* What is known of the module; messages.c fills it. */
struct facts {
	struct wire_hello hello;
	int		have_hello, ready, started, exit_asked, stopped;
	int		disarming;	/* the module said that it takes its time, and not yet that it is done */
	char		**formats;	/* kinds NUL text NUL; NULL holes */
	char		**probes;	/* point NUL where NUL */
	unsigned	nformats, nprobes;
	struct wire_summary summary;
	int		have_summary;
	unsigned	errors;		/* ERROR: lines printed */
};
extern struct facts facts;
/* How the end was asked for by signals. */
enum asked_end { ASKED_NOT, ASKED_POLITELY, ASKED_FIRMLY };	/* SIGINT once; by SIGTERM, SIGHUP, or twice */
enum asked_end asked_end(void);
/* A probe's point and place in the script; "?" when the module did not say. */
const char *probe_point(unsigned id);
const char *probe_where(unsigned id);

/* messages.c: reads and handles what there is. */
void messages_handle(void);
void messages_free(void);
/* Sends a command with its payload; 0 or -errno. */
int command_send(u16 type, u32 id, const void *payload, u32 len);

/* symbol_tables.c: the kernel's and running programs' symbol tables, as hello.capture wants. */
void symbols_send(void);
void symbols_asked(const struct wire_image_id *id);	/* WIRE_IMAGE */
void symbols_again(void);				/* now and then: code that processes made since */
/* The table of what holds an address, and where in it that is; NULL: not known. */
const struct wire_symtab *symbols_find(int user, pid_t pid, u64 addr, u64 *at);
void symbols_free(void);

struct pollfd;

/* track.c: what processes run, as perf's records tell. image() is called for each image when it is first mapped by somebody. */
struct image;
void track_open(void (*image)(struct image *im));
void track_read(void);				/* takes what there is */
void track_note(const struct wire_note *note, u32 len);	/* what a program tells of itself, at its time */
void track_until(u64 time);			/* processes are then as they were at that time, CLOCK_MONOTONIC ns */
int track_fds(struct pollfd *fds, int max);	/* to wait on; how many */
struct track_books { u64 records, lost; };	/* read; those that found no room: names may be those of before */
struct track_books track_account(void);
void track_close(void);

/* stacks.c: stacks that the module told of, and how they are printed. */
struct sink;
void stacks_keep(const struct wire_stack *s, u32 len);		/* WIRE_STACK, of untrusted length */
void stacks_print(struct sink *out, const struct wire_stack *s, u32 len, u64 time);	/* WIRE_ITEM_STACK of a record of that time */
void stacks_unwind(struct sink *out, const struct wire_user_stack *s, u32 len, u64 time);	/* WIRE_ITEM_USER_STACK */
/*
 * Addresses printed, those without a name; stacks unwound here, those that were deeper than what was kept, those that end
 * early otherwise, those whose innermost caller nothing proves.
 */
struct stacks_books { u64 names, unknown, stacks, cut, cut_off, uncertain; };
struct stacks_books stacks_account(void);
void stacks_free(void);

/* output.c: rings to text. */
void output_init(void);
/* Prints what the rings hold, in order of time; last: without waiting for slower CPUs. */
void output_drain(int last);
void output_next(void);			/* the next file of -S before the next handler's output; from a signal handler too */
struct output_books {
	u64	records, lost, lost_bytes;	/* of one ring: read; refused for lack of room */
};
struct output_books output_books(u32 cpu);
u64 output_unwritten(void);		/* records read that no file took */
void output_close(void);

/* outfile.c: what output.c writes to. 0 or -1, reported. */
/* NULL: stdout; -b: a file per CPU; -S: bytes per file, 0 no limit; files kept, 0 all */
int outfile_open(const char *path, int per_cpu, u64 limit, unsigned keep);
int outfile_name(const char *pattern, char *name, size_t size);	/* strftime's conversions done */
/* i: the CPU with -b, else 0 */
void outfile_write(unsigned i, const char *p, size_t len);
int outfile_is_terminal(unsigned i);
int outfile_full(unsigned i, u64 more);	/* with as many bytes more the file has what -S allows */
void outfile_next(unsigned i);
int outfile_failed(void);		/* a write failed: reported once */
int outfile_close(void);		/* 1: a write failed */

/* account.c: the books of probes and globals, and the verdict on the run. */
struct account_global {
	struct wire_global_account books;
	char		*name, *table;	/* NULL: not there; "": it is no part of a declaration's */
};
extern struct accounts {
	struct wire_account	*probe;
	unsigned		nprobes;
	struct account_global	*global;
	unsigned		nglobals;
} accounts;
/* Shares of 1 of what there was that is in the results; 1 where there was nothing. */
struct verdict {
	int	partial;
	int	failed;			/* the run was ended by an error */
	const char *died;		/* the command's signal, where return probes may be why it came; NULL: not so */
	double	share;			/* the smallest of: */
	double	hits, inserts, records, samples, values, switches, processes;
	double	stacks;			/* those whose innermost caller is proven */
};
void account_probe(u32 id, const struct wire_account *a);
void account_global(u32 id, const struct wire_global_account *g, const char *name, const char *table);
/* Prints what does not balance, and the verdict; gives it. Once, when all is read. */
struct verdict account_report(void);
/* Records of what processes run: all, and those that found no room. */
u64 process_records(void);
u64 process_records_lost(void);
void account_free(void);

/* unread.c: WIRE_UNREAD, kept; all said on standard error, a line each; those of a probe; freed. */
void unread_take(u16 id, const void *body, u32 n);
void unread_print(void);
unsigned unread_each(unsigned id, void (*each)(unsigned i, const char *what, u64 hits));	/* how many there are */
void unread_free(void);

/* summary.c: --json-summary. Opened first, so that a bad path is known in time; 0 or -1, reported. */
int summary_open(const char *path);
int summary_write(const struct verdict *v, int status);

/* ctl_handler.c: `lapwing ctl` can ask for what control.h names from now on, in control_take(). */
void ctl_handler_open(void);

/* input.c: standard input, for scripts that want it. */
void input_start(void);
int input_take(void);			/* 1: there was some */
void input_end(void);

/* timing.c: -t */
u64 timing_variance(const struct wire_account *a);
void timing_report(void);

/* explain.c: why a module does not load, in plain words and in those of the kernel log. */
void explain_listen(void);		/* before it is loaded: what is in the log by now is not about it */
void explain_load(const char *path, const char *name, int error);

/* counters.c: 1: the events of RT_EVENTS (NULL: none) cannot all be counted here, and why has been said. */
int counters_refuse(const char *events);

/* file.c: a translated script. Only one of ours or root's that nobody else can write is read; NULL, and reported; the caller frees. */
char *file_read(const char *path, size_t *size);
/* A section of the n bytes by name; NULL: it is not there, or lies outside. */
const char *file_section(const char *p, size_t n, const char *wanted, size_t *size);
/* The text behind "KEY=" in .modinfo, and only there: a script's own texts may look like it. NULL: none, or it is cut off. */
const char *file_info(const char *p, size_t n, const char *key);

/* background.c */
int background_start(void);		/* -F: goes on in a new process; -1, reported */
void background_armed(void);		/* the first process may end now */
void background_end(void);

/* child.c */
pid_t child_start(const char *command);	/* stopped before its first instruction; -1, reported */
void child_settle(void);		/* until it waits to be released: what it calls before is ours, and no probe is to see it */
void child_release(void);
int child_ended(void);			/* 1 once it has been waited for */
int child_fd(void);			/* readable when it ends; -1: it has, or there is none */
const char *child_died(void);		/* the name of the signal of a fault that ended it ("SEGV"), or NULL */
int child_report(void);			/* prints how it ended if badly; 1 then */
void child_kill(void);
void child_run(const char *command);	/* system(): goes on beside the session */
void child_wait(void);			/* for those, unless a signal comes */

/* calibration_stub.c: functions of ours in which nothing happens; where they are, and calls of them where the script wants them. */
void empties_tell(struct wire_about *about);
void empties_call(void);

/* nop5.c: 1: a probe on a nop of 5 bytes breaks programs on this kernel, or it cannot be told; 0: it does not. */
u32 nop5_ask(void);

/* remove.c */
int remove_modules(const char *name);	/* "all" or one; exit status */
int list_modules(void);

void say(const char *format, ...) __attribute__((format(printf, 1, 2)));	/* with -v */
void warn_text(const char *text);	/* "WARNING: text", once each, unless -w */

#endif
