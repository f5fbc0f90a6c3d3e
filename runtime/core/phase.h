/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * phase.h - the phase that a process reported in a note (WIRE_NOTE), for phase(). Only the most
 * recent processes are kept.
 */
#ifndef LAPWING_CORE_PHASE_H
#define LAPWING_CORE_PHASE_H

#include "runtime/rt.h"
#include "runtime/wire.h"

/* Memory, if the script uses it: 0 or -ENOMEM. At load. */
int phase_load(void);
void phase_unload(void);
/*
 * Stores a note's phase; ignores other notes. One caller at a time; handlers may run concurrently.
 * 0, or -EINVAL: malformed.
 */
int phase_add(const struct wire_note *note, u64 len);

#endif
