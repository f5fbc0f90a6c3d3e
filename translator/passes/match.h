/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.h - probes of a library file that comes in when a name of it is met.
 */
#ifndef LAPWING_PASSES_MATCH_H
#define LAPWING_PASSES_MATCH_H

struct ast_node;
struct program;

/* Resolves the file's probes into prog->probes. */
void match_file(struct program *prog, struct ast_node *file);

#endif
