/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - the phases of a run: idle, begin probes, armed, end probes, stopped.
 *
 * Starting and stopping run in a workqueue bound to one CPU, so that the consumer can drain the
 * rings meanwhile and the output of begin and end probes stays in one ring.
 */
#ifndef LAPWING_KERNEL_SESSION_H
#define LAPWING_KERNEL_SESSION_H

/* 0 or -ENOMEM, nothing kept. Process context, as all of these. */
int session_load(void);
/* Call after everything is disarmed; frees. */
void session_unload(void);
/* Sends the hello: definitions, needs, WIRE_READY. */
void session_hello(void);
/* WIRE_START and WIRE_STOP (partial: as in struct wire_stop); -EBUSY out of turn. */
int session_start(void);
int session_stop(int partial);
/* The consumer has exited: disarms, runs no more handlers. Waits. */
void session_abandon(void);

#endif
