/* SPDX-License-Identifier: GPL-2.0-or-later */
/* when_test.c - times as people write them, from a known time on. */
#include "lib/when.h"
#include "testsuite/unit/check.h"

#include <stdlib.h>

#define NOW	1764424800LL		/* 2025-11-29 14:00:00 UTC */

int main(void)
{
	static const struct { const char *text; gint64 seconds; } known[] = {
		{ "now", NOW },
		{ "today", NOW - 14 * 3600 },
		{ "yesterday", NOW - 38 * 3600 },
		{ "2 h ago", NOW - 7200 },
		{ "2h ago", NOW - 7200 },
		{ "1.5 hours ago", NOW - 5400 },
		{ "90 s ago", NOW - 90 },
		{ "10 min ago", NOW - 600 },
		{ "3 days ago", NOW - 3 * 86400 },
		{ "1 w ago", NOW - 7 * 86400 },
		{ "13:05", NOW - 55 * 60 },
		{ "2025-11-28", NOW - 38 * 3600 },
		{ "2025-11-29 13:30", NOW - 1800 },
		{ "2025-11-29 13:30:15", NOW - 1785 },
		{ "13:30:15", NOW - 1785 },
		{ "2025-11-29 13:30:15.000", NOW - 1785 },
	};
	static const char *const wrong[] = { "", "soon", "2 h", "h ago", "-1 h ago", "2 fortnights ago", "25:00", "13:05 x",
					     "2025-13-01", "2025-11-29 13", "2025-11-29x", "2025-11-29 13:05.5", "2025-11-29 13:05:30.",
					     "2025-11-29 13:05:30.5x", "2025-11-29 13:05:30.1234567890", "last week", "2 h ago now" };
	static const struct { const char *text; gint64 from, to; } spans[] = {
		{ "today", NOW - 14 * 3600, NOW + 10 * 3600 },
		{ "yesterday", NOW - 38 * 3600, NOW - 14 * 3600 },
		{ "2025-11-20", NOW - (9 * 24 + 14) * 3600, NOW - (8 * 24 + 14) * 3600 },
		{ "2025-11-20 14:00", NOW - 9 * 24 * 3600, 0 },
		{ "2 h ago", NOW - 7200, 0 },
		{ "2 h ago..1 h ago", NOW - 7200, NOW - 3600 },
		{ "yesterday..today", NOW - 38 * 3600, NOW - 14 * 3600 },
	};
	static const char *const no_spans[] = { "", "..", "today..yesterday", "1 h ago..", "..now", "now..now", "soon" };
	gint64 ns, to;

	setenv("TZ", "UTC", 1);
	for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
		ns = 0;
		CHECK(!when_parse(known[i].text, NOW * 1000000000, &ns));
		if (ns != known[i].seconds * 1000000000)
			printf("'%s' is %lld\n", known[i].text, (long long)(ns / 1000000000 - NOW));
		CHECK(ns == known[i].seconds * 1000000000);
	}
	CHECK(!when_parse("2025-11-29 13:30:15.125", NOW * 1000000000, &ns) && ns == (NOW - 1785) * 1000000000 + 125000000);
	CHECK(!when_parse("13:30:15.000000001", NOW * 1000000000, &ns) && ns == (NOW - 1785) * 1000000000 + 1);
	for (guint i = 0; i < G_N_ELEMENTS(wrong); i++)
		if (!when_parse(wrong[i], NOW * 1000000000, &ns)) {
			printf("'%s' is taken\n", wrong[i]);
			failures++;
		}
	for (guint i = 0; i < G_N_ELEMENTS(spans); i++) {
		CHECK(!when_parse_span(spans[i].text, NOW * 1000000000, &ns, &to));
		CHECK(ns == spans[i].from * 1000000000 &&
		      to == (spans[i].to ? spans[i].to * 1000000000 : G_MAXINT64));
	}
	for (guint i = 0; i < G_N_ELEMENTS(no_spans); i++)
		CHECK(when_parse_span(no_spans[i], NOW * 1000000000, &ns, &to));
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);		/* a day of 25 hours */
	CHECK(!when_parse_span("2025-10-26", NOW * 1000000000, &ns, &to) &&
	      to - ns == 25 * 3600 * G_GINT64_CONSTANT(1000000000));
	return failures != 0;
}
