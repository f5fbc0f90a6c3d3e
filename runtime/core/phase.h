/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * phase.h - which phase a process says it is in (WIRE_NOTE), for phase(). Of the processes that
 * told the latest are remembered.
 */
#ifndef LAPWING_CORE_PHASE_H
#define LAPWING_CORE_PHASE_H

#include "runtime/rt.h"
#include "runtime/wire.h"

/* Memory, where the script asks: 0 or -ENOMEM. At load. */
int phase_load(void);
void phase_unload(void);
/*
 * Takes a note's phase; others are not looked at. One caller at a time; handlers may run meanwhile.
 * 0, or -EINVAL: no note.
 */
int phase_take(const struct wire_note *note, u64 len);

#endif
