/* SPDX-License-Identifier: GPL-2.0-or-later */
/* enter.h - the probe prologue: the one way from a hit to a handler. */
#ifndef LAPWING_USER_CONTEXT_ENTER_H
#define LAPWING_USER_CONTEXT_ENTER_H

#include "lib/verdict.h"
#include "runtime/user/user.h"

extern struct rt_ctx enter_ctx;

/* Handles one hit of one probe. */
void enter_probe(const struct rt_probe *p, struct hit *hit);
/* 1: a hit for the script; 0: not one; -1: unknown, as records that would tell were lost. */
int enter_wants(const struct rt_probe *p, const struct hit *hit);
/* The same of whose hit it is alone, for what is kept of calls. */
int enter_is_target(const struct hit *hit);
/* n hits of p were lost before they got here. */
void enter_missed(const struct rt_probe *p, u64 n);
/* n hits of p were counted by the kernel, which made no samples of them. */
void enter_unsampled(const struct rt_probe *p, u64 n);
/* The kernel may have skipped samples of p, and nothing counts them. */
void enter_skips_unknown(const struct rt_probe *p, enum verdict_skips which);
/* A call whose return will not be seen. */
void enter_no_slot(const struct rt_probe *p);
/* A hit of p while sampling, or all of the run, is switched off. */
void enter_off(const struct rt_probe *p);
/* A call that jumped to another function, so that its own instructions do not return. */
void enter_jumped(const struct rt_probe *p);
/* n calls had begun and were still running at the end. */
void enter_in_flight(const struct rt_probe *p, u64 n);
/*
 * A return: of a call whose entry's handler failed; of a call whose entry is not proven to be its
 * own; of a call whose counts are mixed with another thread's.
 */
void enter_failed(const struct rt_probe *p, const struct hit *hit);
void enter_unproven(const struct rt_probe *p, const struct hit *hit);
void enter_mixed(const struct rt_probe *p, const struct hit *hit);
/* Runs begin, end or error probes in order; stops, except in error probes, at maxerrors. */
void enter_phase(enum rt_phase phase);

#endif
