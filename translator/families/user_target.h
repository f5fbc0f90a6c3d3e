/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user_target.h - the files that a point in user programs names.
 */
#ifndef LAPWING_FAMILIES_USER_TARGET_H
#define LAPWING_FAMILIES_USER_TARGET_H

#include <glib.h>

struct family_call;

/* Files that a point's first components name. */
struct user_target {
	GPtrArray	*files;		/* struct userpath, to be probed */
	char		*program;	/* only in processes that run this; NULL: in any */
	/* how the resolved point begins: process("/bin/x").library("/lib/y") */
	char		*text;
	int		pid;		/* only in this one; 0: in any */
	/* of .absolute in a process: where its address lies in the file */
	guint64		offset;
};

/*
 * The targets of call->point, one for each program (g_ptr_array_unref()); reports why there are
 * none. code: their code is probed, so that 32-bit ones of a pattern are passed over, with a
 * warning.
 */
GPtrArray *user_targets(struct family_call *call, int code);

#endif
