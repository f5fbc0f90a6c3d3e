/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paths.h - locations of our own files: next to the program in the build tree, or where make
 * install put them.
 */
#ifndef LAPWING_PATHS_H
#define LAPWING_PATHS_H

/*
 * A file of the project, by its name in the tree: "runtime/rt.h", "runtime/vm/lapwing-vm". NULL:
 * missing. Caller frees.
 */
char *paths_data(const char *name);
/*
 * A program of ours, "lapwing-run": next to this one, or in pkglibexecdir. NULL: missing. Caller
 * frees.
 */
char *paths_program(const char *name);
/*
 * lapwing-vm, which runs guests: in the tree, or where make install put it. NULL: missing. Caller
 * frees.
 */
char *paths_vm(void);
/*
 * The private cache, created with mode 0700: $LAPWING_CACHE, $XDG_CACHE_HOME/lapwing or
 * ~/.cache/lapwing. NULL and errno: it cannot be created, or is not ours.
 */
char *paths_cache(void);

#endif
