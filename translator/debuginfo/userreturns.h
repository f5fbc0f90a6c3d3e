/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userreturns.h - do programs mind that the kernel replaces the return addresses of their calls?
 *
 * The kernel's list of replaced addresses is a thread's, and in order: it does not know stacks that
 * take turns, or that move to another thread. What unwinds a stack does not know the kernel's
 * address. It knows neither probes nor processes.
 */
#ifndef LAPWING_USERRETURNS_H
#define LAPWING_USERRETURNS_H

#include "translator/debuginfo/userfile.h"
#include "translator/debuginfo/userpath.h"

enum userreturns {
	USERRETURNS_SAFE,
	/* where an exception passes such a call, or a library's function does what it can */
	USERRETURNS_MAY_DIE,
	USERRETURNS_DIES,
};

/* What switches stacks in a program: clauses. NULL: nothing does. */
struct userreturns_program {
	char	*switches;	/* its own file */
	char	*library;	/* one that it needs; not looked for where it does so itself */
};

/* Opens the program and all libraries that it needs. Free with userreturns_free. */
struct userreturns_program *userreturns_program(const struct userpath *program,
						const char *sysroot);
void userreturns_free(struct userreturns_program *program);
/*
 * Of calls of a file's functions in a program, which may be that file. *why: a clause, to be freed
 * with g_free(); NULL if it is safe.
 */
enum userreturns userreturns_of(const struct userreturns_program *program, struct userfile *file,
				char **why);

#endif
