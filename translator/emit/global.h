/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * global.h - definitions of the script's globals.
 */
#ifndef LAPWING_EMIT_GLOBAL_H
#define LAPWING_EMIT_GLOBAL_H

struct emitter;

/* Key structs, descriptors and storage of all globals. */
void emit_globals(struct emitter *e);

#endif
