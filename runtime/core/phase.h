/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * phase.h - the phases that processes report (WIRE_NOTE), for phase(). Of the reporting processes
 * the latest are remembered.
 */
#ifndef LAPWING_CORE_PHASE_H
#define LAPWING_CORE_PHASE_H

#include "runtime/rt.h"
#include "runtime/wire.h"

/* Allocates memory, if the script uses phases: 0 or -ENOMEM. At load. */
int phase_load(void);
void phase_unload(void);
/*
 * Stores a note's phase; other kinds of notes are ignored. One caller at a time; handlers may run
 * meanwhile. 0, or -EINVAL: not a note.
 */
int phase_take(const struct wire_note *note, u64 len);

#endif
