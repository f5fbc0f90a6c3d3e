/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit.h - the whole generated file.
 */
#ifndef LAPWING_EMIT_UNIT_H
#define LAPWING_EMIT_UNIT_H

struct program;

/* Caller frees. */
char *emit_unit(struct program *prog);

#endif
