/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * track.h - what processes run, while a kernel module's session runs: perf's records of new
 * programs and mappings on every CPU, applied in order of time when output of that time is printed.
 */
#ifndef LAPWING_RUN_TRACK_H
#define LAPWING_RUN_TRACK_H

#include "runtime/run/run.h"

struct pollfd;

struct image;
void track_open(void (*image)(struct image *im));
void track_read(void);				/* takes what there is */
void track_note(const struct wire_note *note, u32 len);	/* what a program tells of itself, at its time */
void track_until(u64 time);			/* processes are then as they were at that time, CLOCK_MONOTONIC ns */
int track_fds(struct pollfd *fds, int max);	/* to wait on; how many */
struct track_books { u64 records, lost; };	/* read; those that found no room: names may be those of before */
struct track_books track_account(void);
void track_close(void);

#endif
