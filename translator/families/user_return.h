/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user_return.h - how returns of functions of a program are probed.
 *
 * The kernel replaces the return address by one of its own. A program that looks at it, or leaves
 * the function in another way, may die of that: then the instructions that return are probed, if
 * they are known for certain.
 */
#ifndef LAPWING_USER_RETURN_H
#define LAPWING_USER_RETURN_H

#include "translator/families/user_site.h"

/* Of one file, and of the functions in it that were asked for. */
struct user_return {
	/* why instructions are probed, a clause; NULL: return addresses are replaced */
	const char	*reason;
	/*
	 * the program would be sure to die: a function whose instructions are not known is not
	 * probed
	 */
	int		must;
	int		addresses;	/* they are asked for all the same (--returns=addresses) */
	unsigned	instructions, replaced;		/* functions */
	const char	*example;	/* one of the latter */
};

struct user_return user_return_of(struct family_call *call, const struct user_target *target,
				  struct userfile *file);
/*
 * Fills in site->row.exits, where instructions are probed. NULL, or why the function's returns
 * cannot be probed.
 */
const char *user_return_site(struct user_return *r, struct family_call *call,
			     struct user_site *site, const struct userfile_function *f,
			     int is_stub);
/* Warns, or says with -v, how they are probed. */
void user_return_report(const struct user_return *r, struct family_call *call, const char *path,
			const struct point_comp *comp);

#endif
