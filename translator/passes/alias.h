/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alias.h - aliases of a library file that comes in when a name of it is met.
 */
#ifndef LAPWING_PASSES_ALIAS_H
#define LAPWING_PASSES_ALIAS_H

struct ast_node;
struct program;

/* Replaces aliases in the file's probes. */
void alias_file(struct program *prog, struct ast_node *file);

#endif
