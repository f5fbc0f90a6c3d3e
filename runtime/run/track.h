/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * track.h - what processes run, while a session runs: perf's records of new programs and mappings
 * on every CPU, applied in order of time when output of that time is printed. A kernel module's
 * session opens events for them; the user runtime passes on those that it reads.
 */
#ifndef LAPWING_RUN_TRACK_H
#define LAPWING_RUN_TRACK_H

#include "runtime/run/run.h"

struct pollfd;

struct image;
/* image() is called when an image is mapped for the first time. */
void track_open(void (*image)(struct image *im));
void track_read(void);				/* reads pending records */
/* WIRE_PROCESS, of untrusted length */
void track_take(const void *told, u32 len);
/* a note of a program, in order of time */
void track_note(const struct wire_note *note, u32 len);
/* Sets the state of processes to that time, CLOCK_MONOTONIC ns. */
void track_until(u64 time);
/*
 * What a process ran at that time. run: how many programs and processes of that pid there were
 * before, as far as it is recorded; start: when it began, 0: before the session. The name is from
 * /proc if nothing recorded it; valid until the next call.
 */
struct track_program { u32 run; u64 start; const char *name; };
struct track_program track_program(s32 pid);
/* Reads what a process runs and maps now, so that it is known after its end. */
void track_look(s32 pid);
int track_fds(struct pollfd *fds, int max);	/* descriptors to poll; returns their number */
/* Records read and lost; after a loss, names may be outdated. */
struct track_books { u64 records, lost; };
struct track_books track_account(void);
void track_close(void);

#endif
