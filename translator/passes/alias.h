/* SPDX-License-Identifier: GPL-2.0-or-later */
/* alias.h - replaces probe aliases by the points they stand for. */
#ifndef LAPWING_PASSES_ALIAS_H
#define LAPWING_PASSES_ALIAS_H

#include "translator/program/program.h"

/* Replaces aliases in the file's probes. */
void alias_file(struct program *prog, struct ast_node *file);

#endif
