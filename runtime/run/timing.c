/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timing.c - -t: keeps the probes' accounts and prints them at the end, a line per probe that was hit, in SystemTap's shape.
 * Written to standard error: the output stays the script's own.
 */
#include "runtime/run/run.h"

#include <stdlib.h>
#include <string.h>

static struct timed {
	u16			id;
	struct wire_account	account;
} *rows;
static unsigned nrows;

void timing_keep(u16 id, const struct wire_account *a)
{
	struct timed *more;

	if (!opt.timing || !a->timed)
		return;
	more = realloc(rows, (nrows + 1) * sizeof(*rows));
	if (!more)
		return;
	rows = more;
	rows[nrows].id = id;
	rows[nrows++].account = *a;
}

/* Of the handlers' times; as integers, like @variance. */
static u64 variance(const struct wire_account *a)
{
	long double sum = (long double)a->took, n = (long double)a->timed;
	long double v = n > 1 ? ((long double)a->took_squares - sum * sum / n) / (n - 1) : 0;

	return v > 0 ? (u64)v : 0;
}

static void print_row(const struct timed *t)
{
	const struct wire_account *a = &t->account;
	const char *point = t->id < facts.nprobes ? facts.probes[t->id] : NULL;

	fprintf(stderr, "%s, (%s), hits: %llu, %s: %llumin/%lluavg/%llumax", point ? point : "?", point ? point + strlen(point) + 1 : "?",
		a->timed, facts.hello.flags & WIRE_TIMES_NS ? "ns" : "cycles", a->took_min, a->took / a->timed, a->took_max);
	if (a->took_squares != ~0ULL)
		fprintf(stderr, ", variance: %llu", variance(a));
	fprintf(stderr, ", index: %u\n", t->id);
}

void timing_report(void)
{
	if (!opt.timing)
		return;
	fputs("----- probe hit report: \n", stderr);
	for (unsigned i = 0; i < nrows; i++)
		print_row(&rows[i]);
	free(rows);
	rows = NULL;
	nrows = 0;
}
