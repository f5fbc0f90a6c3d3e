/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userpath.h - finds programs and the libraries they use: $PATH, "#!" lines, the dynamic loader's
 * rules, root directories of processes.
 *
 * It opens no probe and no debuginfo.
 */
#ifndef LAPWING_USERPATH_H
#define LAPWING_USERPATH_H

#include <glib.h>

struct userfile;

/* A file with its two paths. */
struct userpath {
	char	*host;		/* path on this machine */
	char	*target;	/* path when the script runs: without --sysroot */
};

/*
 * Programs by a path, or by a name in $PATH and, without wildcards, in the current directory; a
 * script is replaced by its interpreter. sysroot: a directory that replaces "/", or NULL. Array of
 * struct userpath*, which g_ptr_array_unref frees; empty: none.
 */
GPtrArray *userpath_programs(const char *name, const char *sysroot);
/*
 * The program that a process runs, by its path outside the process's root. NULL: no such process.
 */
struct userpath *userpath_process(int pid);
/* The program of a command line: its first word. */
GPtrArray *userpath_command(const char *command, const char *sysroot);
void userpath_free(struct userpath *p);

/* All shared libraries that a program needs, directly or indirectly. Freed as above. */
GPtrArray *userpath_needed(const struct userpath *program, const char *sysroot);
/*
 * Shared libraries whose name or path matches a pattern ("libc.so.6", "libc", "libssl*",
 * "/usr/lib/x*.so"): among those that the program and its libraries need, else any by that path,
 * or in the library directories. Freed as above.
 */
GPtrArray *userpath_libraries(const struct userpath *program, const char *pattern,
			      const char *sysroot);
/* The same among those that a process has mapped. */
GPtrArray *userpath_mapped(int pid, const char *pattern);
/* The file whose code a process has mapped at an address, and the offset in it. NULL: none. */
struct userpath *userpath_at(int pid, guint64 address, guint64 *offset);

#endif
