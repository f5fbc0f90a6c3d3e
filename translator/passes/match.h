/* SPDX-License-Identifier: GPL-2.0-or-later */
/* match.h - pass match: probe points to families to concrete probes. */
#ifndef LAPWING_PASSES_MATCH_H
#define LAPWING_PASSES_MATCH_H

#include "translator/program/program.h"

/* Resolves the file's probes into prog->probes. */
void match_file(struct program *prog, struct ast_node *file);

#endif
