/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * begin_end.h - begin, end and error probes: handlers that run in no hit.
 */
#ifndef LAPWING_USER_BEGIN_END_H
#define LAPWING_USER_BEGIN_END_H

#include "runtime/rt.h"

/* Runs those of a phase in their order; an error too many ends it, and the run has failed then. */
void begin_end_run(enum rt_phase phase);

#endif
