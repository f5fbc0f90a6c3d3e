/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tapset.h - the script library: selects the files that a program needs.
 *
 * Files are those of each -I directory, of $SYSTEMTAP_TAPSET and of tapsets/, their subdirectories
 * for the target's kernel version and architecture first. A file is parsed when a name is used that
 * only it declares; a program without such names reads no file, not even the index.
 */
#ifndef LAPWING_TAPSET_H
#define LAPWING_TAPSET_H

#include "parser/outline.h"
#include "translator/program/program.h"

struct library;

/* Creates prog->library, after the target is known. Reads nothing yet. */
struct library *library_open(struct program *prog);
void library_close(struct library *library);

/*
 * Parses one more file that declares a function with this name. NULL: no other does. The node is in
 * prog->ast->files.
 */
struct ast_node *library_function(struct program *prog, const char *name);
/* The same for a global. */
struct ast_node *library_global(struct program *prog, const char *name);
/*
 * Parses the files with aliases that match the point, or its beginning. Returns the number of
 * files.
 */
unsigned library_aliases(struct program *prog, const struct probe_point *point);
/* A file that may define the macro; a callback for parse_env; data is the program. */
struct source *library_macro(const char *name, void *data);

/* Parses every file that is not in the program yet: for listings. */
void library_load(struct program *prog);

/* All names of one kind (char *, owned by the library), for listings and for "did you mean". */
void library_names(struct program *prog, enum outline_kind kind, GPtrArray *names);

#endif
