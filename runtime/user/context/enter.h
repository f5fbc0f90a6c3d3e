/* SPDX-License-Identifier: GPL-2.0-or-later */
/* enter.h - the probe prologue: the one way from a hit to a handler. */
#ifndef LAPWING_USER_CONTEXT_ENTER_H
#define LAPWING_USER_CONTEXT_ENTER_H

#include "runtime/user/user.h"

extern struct rt_ctx enter_ctx;

/* One hit of one probe. */
void enter_probe(const struct rt_probe *p, struct hit *hit);
/* 0: it is no hit of the script's. -1: records that would tell were lost. */
int enter_wants(const struct rt_probe *p, const struct hit *hit);
/* So many hits of p were lost on their way here. */
void enter_missed(const struct rt_probe *p, u64 n);
/* So many hits of p were counted, and the kernel made no samples of them. */
void enter_unsampled(const struct rt_probe *p, u64 n);
/* A call whose return will not be seen. */
void enter_no_slot(const struct rt_probe *p);
/* A hit of p while sampling is off, or all is. */
void enter_off(const struct rt_probe *p);
/* A call that has jumped to another function, and so does not return by its own instructions. */
void enter_jumped(const struct rt_probe *p);
/* Calls that had begun and were not over at the end. */
void enter_in_flight(const struct rt_probe *p, u64 n);
/*
 * A return of a call whose entry's handler failed; one whose entry is not known to be its own; one
 * whose counts are not its own alone.
 */
void enter_failed(const struct rt_probe *p, const struct hit *hit);
void enter_unproven(const struct rt_probe *p, const struct hit *hit);
void enter_mixed(const struct rt_probe *p, const struct hit *hit);
/* Begin, end or error probes in their order; stops at the first error in an end probe (*failed). */
void enter_phase(enum rt_phase phase);

#endif
