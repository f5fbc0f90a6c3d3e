/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * entry.h - @entry(e) in a .return probe: a probe at the entry keeps the value, by thread and depth
 * of the thread's calls.
 */
#ifndef LAPWING_PASSES_ENTRY_H
#define LAPWING_PASSES_ENTRY_H

#include "translator/program/program.h"

/* Adds the probes that @entry needs. */
void entry_file(struct program *prog, struct ast_node *file);

#endif
