/* SPDX-License-Identifier: GPL-2.0-or-later */
/* when.c - see when.h. */
#include "lib/when.h"

#include <stdio.h>
#include <string.h>

#define SECOND	G_GINT64_CONSTANT(1000000000)

/* "10 min ago" */
static int parse_ago(const char *text, gint64 now, gint64 *ns)
{
	static const struct { const char *names; gint64 seconds; } units[] = {
		{ "s sec second seconds", 1 },	{ "m min minute minutes", 60 },
		{ "h hour hours", 3600 },	{ "d day days", 86400 },
		{ "w week weeks", 604800 },
	};
	char unit[16], ago[8], end;
	double n;

	if (sscanf(text, "%lf %15[a-z] %7[a-z] %c", &n, unit, ago, &end) != 3 || strcmp(ago, "ago") ||
	    n < 0 || n > 1e6)
		return -1;
	for (guint i = 0; i < G_N_ELEMENTS(units); i++) {
		char **names = g_strsplit(units[i].names, " ", 0);
		int is_one = g_strv_contains((const char *const *)names, unit);

		g_strfreev(names);
		if (is_one) {
			*ns = now - (gint64)(n * (double)units[i].seconds * 1e9);
			return 0;
		}
	}
	return -1;
}

/* ns of a date and a time of day; local. 0, or -1: there is no such time. */
static int at(int year, int month, int day, int hour, int minute, int second, gint64 *ns)
{
	GDateTime *when = g_date_time_new_local(year, month, day, hour, minute, second);

	if (!when)
		return -1;
	*ns = g_date_time_to_unix(when) * SECOND;
	g_date_time_unref(when);
	return 0;
}

/* ".125", in ns; -1: it is none. */
static gint64 parse_fraction(const char *text)
{
	gint64 ns = 0, unit = SECOND / 10;

	if (!*text)
		return 0;
	if (*text++ != '.' || !*text)
		return -1;
	for (; g_ascii_isdigit(*text) && unit; unit /= 10)
		ns += unit * (*text++ - '0');
	return *text ? -1 : ns;
}

/* "2026-11-29", "2026-11-29 14:05", "2026-11-29 14:05:30", "2026-11-29 14:05:30.125" */
static int parse_date(const char *text, gint64 *ns)
{
	static const struct { const char *form; int n; } forms[] = {
		{ "%4d-%2d-%2d%n", 3 },
		{ "%4d-%2d-%2d %2d:%2d%n", 5 },
		{ "%4d-%2d-%2d %2d:%2d:%2d%n", 6 },
	};

	for (guint i = 0; i < G_N_ELEMENTS(forms); i++) {
		int t[6] = { 0 }, used = 0, *end[7] = { &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &used };
		gint64 fraction;

		end[forms[i].n] = &used;
		if (sscanf(text, forms[i].form, end[0], end[1], end[2], end[3], end[4], end[5], end[6]) !=
			    forms[i].n ||
		    !used || (forms[i].n < 6 && text[used]))
			continue;
		fraction = parse_fraction(text + used);
		if (fraction < 0 || at(t[0], t[1], t[2], t[3], t[4], t[5], ns))
			return -1;
		*ns += fraction;
		return 0;
	}
	return -1;
}

int when_parse(const char *text, gint64 now, gint64 *ns)
{
	GDateTime *utc = g_date_time_new_from_unix_local(now / SECOND), *day = utc;
	int year, month, date, rc;
	char *dated;

	if (!strcmp(text, "yesterday"))
		day = g_date_time_add_days(utc, -1);
	g_date_time_get_ymd(day, &year, &month, &date);
	if (!strcmp(text, "now")) {
		*ns = now;
		rc = 0;
	} else if (!strcmp(text, "today") || !strcmp(text, "yesterday")) {
		rc = at(year, month, date, 0, 0, 0, ns);
	} else {
		dated = g_strdup_printf("%04d-%02d-%02d %s", year, month, date, text);
		rc = parse_date(dated, ns) && parse_date(text, ns) && parse_ago(text, now, ns) ? -1 : 0;
		g_free(dated);
	}
	if (day != utc)
		g_date_time_unref(day);
	g_date_time_unref(utc);
	return rc;
}

/* The same time of the next day, which may be 23 or 25 hours later. */
static gint64 day_after(gint64 ns)
{
	GDateTime *day = g_date_time_new_from_unix_local(ns / SECOND), *next = g_date_time_add_days(day, 1);
	gint64 after = g_date_time_to_unix(next) * SECOND;

	g_date_time_unref(day);
	g_date_time_unref(next);
	return after;
}

int when_parse_span(const char *text, gint64 now, gint64 *from, gint64 *to)
{
	const char *dots = strstr(text, "..");
	char *first = dots ? g_strndup(text, (gsize)(dots - text)) : g_strdup(text);
	int year, month, day, used = 0, rc = when_parse(first, now, from);

	*to = G_MAXINT64;
	if (!rc && dots)
		rc = when_parse(dots + 2, now, to);
	else if (!rc && (!strcmp(text, "today") || !strcmp(text, "yesterday") ||
			 (sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &used) == 3 && !text[used])))
		*to = day_after(*from);
	g_free(first);
	return rc || *to <= *from ? -1 : 0;
}
