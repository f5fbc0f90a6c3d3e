/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * other_tool.h - scripts of bpftrace and DTrace: whose they are, and what their probe is called
 * here.
 *
 * Private to parser/.
 */
#ifndef LAPWING_PARSER_OTHER_TOOL_H
#define LAPWING_PARSER_OTHER_TOOL_H

#include <stddef.h>

struct other_tool {
	const char	*tool;		/* "bpftrace's"; static */
	size_t		len;		/* bytes of the probe, or of the text's first word */
	int		predicate;	/* a condition /.../ follows */
	char		*ours;		/* the probe point of ours, or NULL; the caller frees */
};

/*
 * True, and *found set, if the text (of len bytes, need not end in a NUL) begins with a probe of
 * another tool, or the file's name ends as its scripts do (.bt, .d). Meant for text that is no
 * declaration of ours.
 */
int other_tool_find(const char *file, const char *text, size_t len, struct other_tool *found);

#endif
