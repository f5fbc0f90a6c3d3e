/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partial.h - globals printed when an error ended the run.
 */
#ifndef LAPWING_CORE_PARTIAL_H
#define LAPWING_CORE_PARTIAL_H

struct rt_ctx;

/*
 * After an error that ended the run: prints the globals that hold something and that no error probe
 * reads, under one PARTIAL line. Process context, nothing runs any more; c may wait and is no
 * hit's.
 */
void core_partial(struct rt_ctx *c);

#endif
