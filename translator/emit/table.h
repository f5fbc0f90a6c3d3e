/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - the tables at the end of the file: globals, locks, probes, the families' rows, formats,
 * "near" texts of errors, and rt_script, which refers to all of them.
 */
#ifndef LAPWING_EMIT_TABLE_H
#define LAPWING_EMIT_TABLE_H

#include "translator/emit/emit.h"

void emit_tables(struct emitter *e);

#endif
