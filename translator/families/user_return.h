/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user_return.h - how returns of a program's functions are probed.
 *
 * The kernel replaces the return address by one of its own. A program that reads it, or leaves the
 * function in another way, may crash: then the function's return instructions are probed instead,
 * if they are known for certain.
 */
#ifndef LAPWING_USER_RETURN_H
#define LAPWING_USER_RETURN_H

#include "translator/families/user_site.h"

/* How returns are probed in one file, and counts of the requested functions in it. */
struct user_return {
	/* why instructions are probed, a clause; NULL: return addresses are replaced */
	const char	*reason;
	/*
	 * replaced addresses would certainly crash the program, or --returns=instructions excludes
	 * them: a function whose return instructions are unknown is not probed
	 */
	int		must;
	int		addresses;	/* --returns=addresses asks to replace addresses anyway */
	unsigned	instructions, replaced;		/* number of functions */
	const char	*example;	/* one of those in replaced */
};

struct user_return user_return_of(struct family_call *call, const struct user_target *target,
				  struct userfile *file);
/*
 * Sets site->row.exits if return instructions are probed. NULL, or why the function's returns
 * cannot be probed.
 */
const char *user_return_site(struct user_return *r, struct family_call *call,
			     struct user_site *site, const struct userfile_function *f,
			     int is_stub);
/* Warns, or reports with -v, how the returns are probed. */
void user_return_report(const struct user_return *r, struct family_call *call, const char *path,
			const struct point_comp *comp);

#endif
