/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tapset.h - the script library: which of its files a program needs.
 *
 * Files are in tapsets/ and each -I folder; their subfolders for the target's kernel version and
 * architecture come first. A file is parsed when the program needs a name that the file declares
 * and nothing else does yet; a program that needs none reads no file, not even the index.
 */
#ifndef LAPWING_TAPSET_H
#define LAPWING_TAPSET_H

#include "parser/outline.h"
#include "translator/program/program.h"

/* Sets prog->library, which program_free() closes. The target must be known. Reads nothing yet. */
void library_open(struct program *prog);

/*
 * Parses one more file that declares a function with this name. NULL: no other file does. The node
 * is in prog->ast->files.
 */
struct ast_node *library_function(struct program *prog, const char *name);
/* The same for a global. */
struct ast_node *library_global(struct program *prog, const char *name);
/* True for the globals that are the script's arguments (argv.stp): argc, argv, argv_1. */
int library_is_argument(const char *name);
/*
 * Parses the files with aliases that match the point, or its beginning. Returns the number of
 * files.
 */
unsigned library_aliases(struct program *prog, const struct probe_point *point);
/* A file that may define the macro; a callback for parse_env; data is the program. */
struct source *library_macro(const char *name, void *data);

/* Parses all files that are not in the program yet, for listings. */
void library_load(struct program *prog);

/* All names of one kind (char *, owned by the library), for listings and for "did you mean". */
void library_names(struct program *prog, enum outline_kind kind, GPtrArray *names);

#endif
