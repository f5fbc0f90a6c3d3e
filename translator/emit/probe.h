/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe.h - probe handlers and arming conditions. */
#ifndef LAPWING_EMIT_PROBE_H
#define LAPWING_EMIT_PROBE_H

#include "translator/emit/emit.h"

void emit_probes(struct emitter *e);

/* Declares variables in the open block: longs as s64, strings with a buffer from the arena. */
void emit_locals(struct emitter *e, const GPtrArray *locals);

#endif
