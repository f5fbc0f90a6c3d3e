/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parse_file.h - a script, or a file of the library, to its tree, with what the target machine makes of conditionals. */
#ifndef LAPWING_TAPSET_PARSE_FILE_H
#define LAPWING_TAPSET_PARSE_FILE_H

#include "translator/program/program.h"

/* Parses a source as the user's script or as a library file; the ast takes it over. NULL: errors, reported, or nothing in it. */
struct ast_node *program_parse(struct program *prog, struct source *src, int library);

#endif
