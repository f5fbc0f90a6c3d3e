/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user_site.h - the translator's data about a probed place in a user program, beyond the row that
 * the runtimes get.
 */
#ifndef LAPWING_USER_SITE_H
#define LAPWING_USER_SITE_H

#include "translator/debuginfo/stapsdt.h"
#include "translator/debuginfo/usernop.h"
#include "translator/families/shared.h"
#include "translator/program/program.h"

struct userfile;

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

/* NULL: the probe is of another family. */
static inline const struct user_site *user_site_of(const struct probe *probe)
{
	return family_row_is(probe, ROW_UPROBE) ? probe->row : NULL;
}

#endif
