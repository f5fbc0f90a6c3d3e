/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * library_passes.h - what the passes before names do for a library file that comes in when a name of it is met.
 */
#ifndef LAPWING_LIBRARY_PASSES_H
#define LAPWING_LIBRARY_PASSES_H

#include "translator/program/program.h"

/* Replaces aliases in the file's probes. */
void alias_file(struct program *prog, struct ast_node *file);
/* Adds the probes that @entry needs. */
void entry_file(struct program *prog, struct ast_node *file);
/* Resolves the file's probes into prog->probes. */
void match_file(struct program *prog, struct ast_node *file);

#endif
