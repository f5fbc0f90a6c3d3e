/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * confirm.c - asks for confirmation on the terminal. It decides nothing itself: the answer does.
 */
#include "translator/passes/confirm.h"

#include <stdio.h>
#include <unistd.h>

/* Measured on 2,000 functions of Linux 6.1: a probe takes 0.2 ms to arm and disarm. */
#define ARM_MS(n)	((n) / 5)
#define HIT_INSTRUCTIONS 110

static int is_yes(void)
{
	char line[16];

	return fgets(line, sizeof(line), stdin) && (line[0] == 'y' || line[0] == 'Y');
}

void confirm_many(const struct options *opt, struct diag_sink *sink,
		  const struct probe_point *point, unsigned matches)
{
	const struct loc *loc = &point->comps[0].loc;
	char *estimate, *text;

	if (matches <= CONFIRM_MANY || opt->force || opt->list_pattern)
		return;
	estimate = g_strdup_printf(
		"about %.1f s to build, %.1f where handlers differ, %.1f s to arm and disarm, %d instructions and more at "
		"each hit",
		CONFIRM_BUILD_MS(matches, 1) / 1e3, CONFIRM_BUILD_MS(matches, matches) / 1e3,
		ARM_MS(matches) / 1e3, HIT_INSTRUCTIONS);
	text = point->written ? g_strdup(point->written) : point_string(point);
	if (opt->last_pass < 5 || opt->dump_after || !isatty(0) || !isatty(2)) {
		diag(sink, loc, D_POINT_MANY, text, matches, estimate);
		diag_hint(sink, "name fewer, or --force when it is meant");
	} else {
		fprintf(stderr, "lapwing: '%s' matches %u functions: %s. Go on? [y/N] ", text,
			matches, estimate);
		fflush(stderr);
		if (!is_yes())
			diag(sink, loc, D_POINT_DECLINED, text);
	}
	g_free(estimate);
	g_free(text);
}
