/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - the life of a run: open, begin probes, armed, end probes, stopped.
 */
#ifndef LAPWING_USER_SESSION_H
#define LAPWING_USER_SESSION_H

/* WIRE_START: runs begin probes and arms the others; an error ends the run as failed. */
void session_start(void);
/*
 * Reads existing processes, once, before the first probe is armed and after records of processes
 * are enabled: a process may end before its hits are named.
 */
void session_read_existing(void);
/* WIRE_STOP (partial: as in struct wire_stop). Does nothing once it has stopped. */
void session_stop(int partial);
/* The consumer is gone: disarms, and runs nothing more. */
void session_abandon(void);

#endif
