/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * entry.h - @entry in a library file that comes in when a name of it is met.
 */
#ifndef LAPWING_PASSES_ENTRY_H
#define LAPWING_PASSES_ENTRY_H

struct ast_node;
struct program;

/* Adds the probes that @entry needs. */
void entry_file(struct program *prog, struct ast_node *file);

#endif
