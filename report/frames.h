/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frames.h - all stacks of a profile as one tree of names, programs at the root: what flame graphs
 * and stack exports show.
 */
#ifndef LAPWING_REPORT_FRAMES_H
#define LAPWING_REPORT_FRAMES_H

#include "report/filter.h"

struct frame {
	const char	*name;		/* owned by the tree */
	const char	*image;		/* owned by the profile; NULL: no code (a program, idle) */
	int		kernel, inlined;
	struct frame	*parent;	/* NULL: the root, whose name is "all" */
	GPtrArray	*children;	/* struct frame, by name */
	guint64		self, total;	/* weight here, and with what was called */
	guint64		samples;	/* of total */
};

struct frames {
	struct frame	*root;
	guint		depth;		/* of the deepest; the root's is 1 */
	guint64		cut;		/* samples with truncated stacks */
	GStringChunk	*names;
};

/* inverted: from the innermost function to its callers. */
struct frames *frames_make(const struct profile *p, const struct sample_filter *filter,
			   int inverted);
void frames_free(struct frames *f);

#endif
