/* SPDX-License-Identifier: GPL-2.0-or-later */
/* match.h - pass match: matches probe points to families, which resolve them to concrete probes. */
#ifndef LAPWING_PASSES_MATCH_H
#define LAPWING_PASSES_MATCH_H

#include "translator/program/program.h"

/* Resolves the file's probes into prog->probes. */
void match_file(struct program *prog, struct ast_node *file);

#endif
