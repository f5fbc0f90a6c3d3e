/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * skips.c - see skips.h.
 */
#include "runtime/run/skips.h"

#include "runtime/core/run_error.h"
#include "runtime/run/facts.h"

#include <stdlib.h>
#include <string.h>

static struct skip {
	char		*reason;
	unsigned	n;		/* probes */
} *skips;
static unsigned nskips, nskipped;
static unsigned char *taken;		/* by probe: it was counted */

/* A probe may be refused once for each of its places. */
static int is_first(u32 id)
{
	if (!taken)
		taken = calloc(facts.nprobes + 1, 1);
	if (!taken || id >= facts.nprobes || taken[id])
		return 0;
	return taken[id] = 1;
}

/* The reason's row, added if it is new; NULL: no memory. */
static struct skip *skip_of(const char *reason)
{
	struct skip *more;

	for (unsigned i = 0; i < nskips; i++)
		if (!strcmp(skips[i].reason, reason))
			return &skips[i];
	more = realloc(skips, (nskips + 1) * sizeof(*more));
	if (!more)
		return NULL;
	skips = more;
	skips[nskips] = (struct skip){ .reason = strdup(reason) };
	return skips[nskips].reason ? &skips[nskips++] : NULL;
}

static void warn_of(u32 id, const char *reason)
{
	char text[1024];

	snprintf(text, sizeof(text), "probe %.400s skipped: %.400s", probe_point(id), reason);
	warn_text(text);
}

void skips_take(u32 id, const struct wire_skipped *s, u32 n)
{
	const char *what = (const char *)(s + 1);
	char reason[400];
	struct sink text = { .p = reason, .size = sizeof(reason) - 1 };
	struct skip *skip;

	if (n <= sizeof(*s) || !memchr(what, 0, n - sizeof(*s)) || !is_first(id))
		return;
	nskipped++;
	run_error_put(&text, s->row, what);
	reason[text.used] = 0;
	skip = skip_of(reason);
	if (skip)
		skip->n++;
	if (opt.verbose || !skip || skip->n == 1)
		warn_of(id, reason);
}

void skips_report(void)
{
	char text[512];

	for (unsigned i = 0; i < nskips; i++) {
		if (skips[i].n > 1 && !opt.verbose) {
			snprintf(text, sizeof(text),
				 "%u probes in all are skipped: %.400s; -v names them", skips[i].n,
				 skips[i].reason);
			warn_text(text);
		}
		free(skips[i].reason);
	}
	free(skips);
	free(taken);
	skips = NULL;
	taken = NULL;
	nskips = 0;
}

unsigned skips_count(void) { return nskipped; }
