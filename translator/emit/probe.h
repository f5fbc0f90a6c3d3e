/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe.h - probe handlers and arming conditions.
 */
#ifndef LAPWING_EMIT_PROBE_H
#define LAPWING_EMIT_PROBE_H

struct emitter;

/* One handler per probe; those that say the same share one. */
void emit_probes(struct emitter *e);

#endif
