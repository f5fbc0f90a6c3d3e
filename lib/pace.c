/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pace.c - see pace.h. Only displays progress: the code that does the work calls it.
 */
#include "lib/pace.h"

#include "lib/clock.h"
#include "lib/progress.h"

#include <stdio.h>

static struct {
	const char	*who, *doing;
	double		began;		/* seconds */
	unsigned long	first;		/* `done` at the first report */
	int		always, told;
} work;

static double now(void)
{
	return (double)clock_ns() / 1e9;
}

/* Formats with thousands separators; `to` holds 32 bytes. */
static const char *grouped(char *to, unsigned long n)
{
	char *p = to + 31;

	*p = 0;
	for (unsigned digits = 0; n || !digits; n /= 10) {
		if (digits && digits % 3 == 0)
			*--p = ',';
		digits++;
		*--p = (char)('0' + n % 10);
	}
	return p;
}

void pace_time(char *to, size_t size, double left)
{
	if (left >= 120)
		snprintf(to, size, ", %.0f min left", left / 60);
	else if (left >= 0)
		snprintf(to, size, ", %.0f s left", left);
	else
		*to = 0;
}

void pace_text(char *to, size_t size, const char *doing, unsigned long done, unsigned long total,
	       double left)
{
	char some[32], all[32], time[48];

	pace_time(time, sizeof(time), left);
	if (done)
		snprintf(to, size, "%s %s of %s probes%s", doing, grouped(some, done),
			 grouped(all, total), time);
	else
		snprintf(to, size, "%s %s probe%s%s", doing, grouped(all, total),
			 total == 1 ? "" : "s", time);
}

void pace_begin(const char *who, const char *doing, int always)
{
	work.who = who;
	work.doing = doing;
	work.always = always;
	work.told = 0;
	work.began = now();
	if (!always)
		progress_begin();
}

void pace_show(unsigned long done, unsigned long total, double left)
{
	double t = now();
	char text[160];

	if (!work.told++)
		work.first = done;
	if (left < 0 && done > work.first)
		left = (t - work.began) * (double)(total - done) / (double)(done - work.first);
	pace_text(text, sizeof(text), work.doing, done, total, left);
	progress_say("%s: %s", work.who, text);
	if (work.always)
		fprintf(stderr, "%s: %s\n", work.who, text);
}

void pace_end(void)
{
	progress_end();
}
