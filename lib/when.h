/* SPDX-License-Identifier: GPL-2.0-or-later */
/* when.h - times as people write them. */
#ifndef LAPWING_LIB_WHEN_H
#define LAPWING_LIB_WHEN_H

#include <glib.h>

/*
 * "now", "today", "yesterday" (0:00, local), "10 min ago", "2h ago", "3 days ago", "14:05" (today),
 * "2026-11-29", "2026-11-29 14:05[:30]", to ns since 1970; now: the time to count from. 0, or -1: it
 * is none of these.
 */
int when_parse(const char *text, gint64 now, gint64 *ns);
/*
 * A time with its end: "yesterday" and "2026-11-28" are whole days, "2 h ago..now" is what it says; of
 * others *to is G_MAXINT64. 0, or -1: it is none, or ends before it begins.
 */
int when_parse_span(const char *text, gint64 now, gint64 *from, gint64 *to);
#define WHEN_FORMS	"'2 h ago', 'yesterday', '14:05' or '2026-11-29 14:05'"

#endif
