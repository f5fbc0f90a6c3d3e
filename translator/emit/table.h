/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - the tables that the runtime reads: probes, families, formats.
 */
#ifndef LAPWING_EMIT_TABLE_H
#define LAPWING_EMIT_TABLE_H

struct emitter;

/* After all else: rows of formats and near texts are made by what prints and fails. */
void emit_tables(struct emitter *e);

#endif
