/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userreturns.h - whether programs survive that the kernel replaces return addresses of their
 * calls.
 *
 * The kernel keeps the replaced addresses of a thread in a list, in order of the calls: it does not
 * support threads that switch stacks, or stacks that move to another thread. Unwinders do not know
 * the kernel's address. This file knows neither probes nor processes.
 */
#ifndef LAPWING_USERRETURNS_H
#define LAPWING_USERRETURNS_H

#include "translator/debuginfo/userfile.h"
#include "translator/debuginfo/userpath.h"

enum userreturns {
	USERRETURNS_SAFE,
	/* if an exception passes such a call, or a library really switches stacks */
	USERRETURNS_MAY_DIE,
	USERRETURNS_DIES,
};

/* What switches stacks in a program, as clauses. NULL: nothing does. */
struct userreturns_program {
	char	*switches;	/* its own file */
	char	*library;	/* a library it needs; not checked if the program itself switches */
};

/* Opens the program and all libraries that it needs. Free with userreturns_free. */
struct userreturns_program *userreturns_program(const struct userpath *program,
						const char *sysroot);
void userreturns_free(struct userreturns_program *program);
/*
 * Whether calls of a file's functions in a program, which may be that file, survive. *why: a
 * clause, to be freed with g_free(); NULL if it is safe.
 */
enum userreturns userreturns_of(const struct userreturns_program *program, struct userfile *file,
				char **why);

#endif
