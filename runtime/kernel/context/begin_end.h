/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * begin_end.h - begin, end and error probes: handlers outside hits, in a kernel task, that may wait
 * for the reader.
 */
#ifndef LAPWING_KERNEL_BEGIN_END_H
#define LAPWING_KERNEL_BEGIN_END_H

#include "runtime/rt.h"
#include "runtime/wire.h"

/*
 * Creates their context. cpu: of the ring for their output. 0 or -ENOMEM, nothing kept. Process
 * context, as all but the last.
 */
int begin_end_load(u32 cpu);
void begin_end_unload(void);
/* Runs those of a phase in order. Too many errors end it and make the run fail. */
void begin_end_run(enum rt_phase phase);
/* Prints the globals that the error probes have not read (core_partial). */
void begin_end_partial(void);
/* Their context while none of them runs; and a row's statistics. */
struct rt_ctx *begin_end_idle(void);
const struct wire_account *begin_end_books(u32 probe);
/* True if the current task runs one of them. Any context. */
int begin_end_is_running(void);

#endif
