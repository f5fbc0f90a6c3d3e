/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * skips.c - see skips.h.
 */
#include "runtime/run/skips.h"

#include "runtime/run/facts.h"

#include <stdlib.h>
#include <string.h>

static struct skip {
	char		*reason;
	unsigned	n;
} *skips;
static unsigned nskips;

int skips_take(const char *text)
{
	const char *reason = strncmp(text, "probe ", 6) ? NULL : strstr(text, " skipped: ");
	struct skip *more;

	if (!reason || opt.verbose || facts.started)
		return 0;
	for (unsigned i = 0; i < nskips; i++)
		if (!strcmp(skips[i].reason, reason))
			return ++skips[i].n > 1;
	more = realloc(skips, (nskips + 1) * sizeof(*more));
	if (!more)
		return 0;
	skips = more;
	skips[nskips].reason = strdup(reason);
	if (skips[nskips].reason)
		skips[nskips++].n = 1;
	return 0;
}

void skips_report(void)
{
	char text[512];

	for (unsigned i = 0; i < nskips; i++) {
		if (skips[i].n > 1) {
			snprintf(text, sizeof(text), "%u probes in all are%.400s; -v names them",
				 skips[i].n, skips[i].reason);
			warn_text(text);
		}
		free(skips[i].reason);
	}
	free(skips);
	skips = NULL;
	nskips = 0;
}
