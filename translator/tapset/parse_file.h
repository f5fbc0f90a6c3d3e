/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parse_file.h - parses a script or a library file in the context of the target. */
#ifndef LAPWING_TAPSET_PARSE_FILE_H
#define LAPWING_TAPSET_PARSE_FILE_H

#include "translator/program/program.h"

/*
 * Parses a source as the user's script or as a library file; the ast takes ownership of it. NULL
 * after messages: errors; or an empty file.
 */
struct ast_node *program_parse(struct program *prog, struct source *src, int library);

#endif
