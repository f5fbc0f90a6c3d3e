/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paths.h - where our own files are: beside the program in the build tree, or where make install
 * put them.
 */
#ifndef LAPWING_PATHS_H
#define LAPWING_PATHS_H

/*
 * A file the project ships, by its name in the tree: "runtime/rt.h", "runtime/vm/lapwing-vm". NULL:
 * not there. Caller frees.
 */
char *paths_data(const char *name);
/*
 * A program of ours, "lapwing-run": beside this one, in pkglibexecdir or in bindir. NULL: not
 * there. Caller frees.
 */
char *paths_program(const char *name);
/*
 * The private cache, created with mode 0700: $LAPWING_CACHE, $XDG_CACHE_HOME/lapwing or
 * ~/.cache/lapwing. NULL and errno: it cannot be created, or is not ours.
 */
char *paths_cache(void);
/*
 * The folder in which root keeps the runtime for a kernel ready for all users (packaging/kernel).
 * NULL: there is none, or others than root can write it or a folder above it. Caller frees.
 */
char *paths_kernel(const char *release);

#endif
