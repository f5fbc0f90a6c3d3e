/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user_site.h - a probed place in a user program: the translator's data in addition to the row that
 * the runtimes get.
 */
#ifndef LAPWING_USER_SITE_H
#define LAPWING_USER_SITE_H

#include "translator/debuginfo/stapsdt.h"
#include "translator/debuginfo/usernop.h"
#include "translator/families/family.h"
#include "translator/program/program.h"

#include <string.h>

struct userfile;
struct userpath;

/* A probe's row in family uprobe. */
struct user_site {
	struct rt_uprobe	row;		/* first: this part is emitted */
	struct userfile		*file;		/* of row.path */
	struct stapsdt_mark	mark;		/* .name NULL: not a mark */
	enum usernop		nop;		/* classification of row.address as a 5-byte nop */
	int			at_entry;	/* at a function's entry, or at its return */
	int			no_frame;	/* at the first instruction of a function or PLT
						 * stub, or at its return: the return address is
						 * on top of the stack */
};

/*
 * NULL: the probe is of another family. The row's type is checked, not the family's address,
 * because tests link the passes without the families.
 */
static inline const struct user_site *user_site_of(const struct probe *probe)
{
	return probe && probe->family->row == ROW_USER_SITE ? probe->row : NULL;
}

/* The files that a point's first components name. */
struct user_target {
	GPtrArray	*files;		/* struct userpath, to be probed */
	struct userpath	*path;		/* the program */
	char		*program;	/* only in processes that run it; NULL: in any */
	char		*text;		/* how the resolved point begins: process("/bin/x").library("/lib/y") */
	int		pid;		/* only in this process; 0: in any */
	/* for .absolute in a process: the file offset of the address */
	guint64		offset;
};

#endif
