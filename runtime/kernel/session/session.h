/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - the life of a run: idle, begin probes, armed, end probes, stopped.
 *
 * Starting and stopping run in a workqueue bound to one CPU, so that the consumer can drain the
 * rings meanwhile and the output of begin and end probes stays in one ring.
 */
#ifndef LAPWING_KERNEL_SESSION_H
#define LAPWING_KERNEL_SESSION_H

int session_load(void);
/* Call after everything is disarmed; frees. */
void session_unload(void);
/* Sends the hello: definitions, needs, WIRE_READY. */
void session_hello(void);
/*
 * WIRE_START: 0, or -EBUSY: it came already, or WIRE_STOP did. WIRE_STOP: 0; partial: as in struct
 * wire_stop.
 */
int session_start(void);
int session_stop(int partial);
int session_is_asked(void);		/* 1: WIRE_START or WIRE_STOP came already */
/* The consumer is gone: disarm, run nothing more. Waits. */
void session_abandon(void);
/*
 * WIRE_TIMING: all hits take the slow path, which times them; before the start. 0, -EBUSY or
 * -ENOMEM.
 */
int session_time(void);

#endif
