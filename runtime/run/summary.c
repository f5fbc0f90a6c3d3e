/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary.c - --json-summary: the books of a run as one JSON object, for programs. Judges nothing:
 * account.c does.
 */
#include "runtime/run/summary.h"

#include "config.h"
#include "runtime/run/account.h"
#include "runtime/run/facts.h"
#include "runtime/run/output.h"
#include "runtime/run/run.h"
#include "runtime/run/stacks.h"
#include "runtime/run/timing.h"
#include "runtime/run/unread.h"

#include <errno.h>
#include <string.h>

static FILE *file;
static const char *path;

int summary_open(const char *name)
{
	path = name;
	file = name ? fopen(name, "we") : NULL;
	if (!name || file)
		return 0;
	fprintf(stderr, "lapwing-run: --json-summary %s: %s\n", name, strerror(errno));
	return -1;
}

static void text(const char *s)
{
	fputc('"', file);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			fprintf(file, "\\%c", *s);
		else if ((unsigned char)*s < ' ')
			fprintf(file, "\\u%04x", (unsigned)*s);
		else
			fputc(*s, file);
	}
	fputc('"', file);
}

/* Truncated, not rounded: an incomplete share is never 1. */
static double cut(double share)
{
	return (double)(long)(share * 1e6 + 0.5) / 1e6;
}

static void write_times(const struct wire_account *a)
{
	fprintf(file,
		", \"time\": { \"unit\": \"%s\", \"hits\": %llu, \"min\": %llu, \"avg\": %llu, \"max\": %llu, \"p99\": %llu",
		facts.hello.flags & WIRE_TIMES_NS ? "ns" : "cycles", a->timed, a->took_min,
		a->took / a->timed, a->took_max, a->took_p99);
	if (a->took_squares != ~0ULL)
		fprintf(file, ", \"variance\": %llu", timing_variance(a));
	fputs(" }", file);
}

static void write_unread(unsigned i, const char *what, u64 hits)
{
	fputs(i ? ", " : "{ ", file);
	text(what);
	fprintf(file, ": %llu", hits);
}

static void write_probe(unsigned id)
{
	const struct wire_account *a = &accounts.probe[id];

	fputs("{ \"point\": ", file);
	text(probe_point(id));
	fputs(", \"where\": ", file);
	text(probe_where(id));
	fprintf(file,
		", \"entered\": %llu, \"completed\": %llu, \"in_flight\": %llu, \"errors\": %llu,\n      \"missed\": { ",
		a->entered, a->completed, a->in_flight, a->errors);
#define WRITE(name, json, words) fprintf(file, "\"" json "\": %llu, ", a->missed_##name);
	WIRE_MISSED(WRITE)
#undef WRITE
	fprintf(file, "\"condition_off\": %llu }", a->condition_off);
	if (a->unread) {
		fprintf(file, ", \"unread\": { \"hits\": %llu, \"what\": ", a->unread);
		fputs(unread_each(id, write_unread) ? " } }" : "{ } }", file);
	}
	if (a->timed)
		write_times(a);
	fputs(" }", file);
}

static int is_hidden(unsigned id) { return accounts.probe[id].hidden != 0; }

static void write_global(unsigned id)
{
	const struct account_global *g = &accounts.global[id];

	fputs("{ \"name\": ", file);
	text(g->name ? g->name : "?");
	if (g->books.is_array)
		fprintf(file, ", \"rows\": %llu, \"refused\": %llu", g->books.rows,
			g->books.refused);
	fprintf(file, ", \"lock_timeouts\": %llu }", g->books.lock_timeouts);
}

static void write_ring(unsigned cpu)
{
	struct output_books b = output_books(cpu);

	fprintf(file, "{ \"cpu\": %u, \"records\": %llu, \"lost\": %llu, \"lost_bytes\": %llu }",
		cpu, b.records, b.lost, b.lost_bytes);
}

/* leave: true for rows that are not written; NULL: all are written. */
static void write_list(const char *name, unsigned n, int (*leave)(unsigned i),
		       void (*row)(unsigned i))
{
	unsigned written = 0;

	fprintf(file, ",\n  \"%s\": [", name);
	for (unsigned i = 0; i < n; i++) {
		if (leave && leave(i))
			continue;
		fputs(written++ ? ",\n    " : "\n    ", file);
		row(i);
	}
	fputs(written ? "\n  ]" : "]", file);
}

static void write_shares(const struct run_verdict *v)
{
	fprintf(file,
		"  \"shares\": { \"hits\": %.6f, \"inserts\": %.6f, \"output\": %.6f, \"samples\": %.6f, \"stacks\": %.6f, "
		"\"values\": %.6f, \"switches\": %.6f, \"processes\": %.6f },\n",
		cut(v->hits), cut(v->inserts), cut(v->records), cut(v->samples), cut(v->stacks),
		cut(v->values), cut(v->switches), cut(v->processes));
}

int summary_write(const struct run_verdict *v, int status)
{
	const struct wire_summary *s = &facts.summary;
	struct stacks_books printed = stacks_account();
	int failed;

	if (!file)
		return 0;
	fputs("{\n  \"lapwing\": \"" PACKAGE_VERSION "\",\n  \"script\": ", file);
	text(facts.hello.script);
	fprintf(file, ",\n  \"verdict\": \"%s\",\n  \"share\": %.6f,\n",
		v->partial ? "PARTIAL" : "COMPLETE", cut(v->share));
	write_shares(v);
	fprintf(file,
		"  \"status\": %d,\n  \"ended_by_error\": %s,\n  \"command_died\": %s,\n  \"errors\": %llu,\n  \"skipped\": %llu",
		status, v->failed ? "true" : "false", v->died ? "true" : "false", s->errors,
		s->skipped);
	write_list("probes", accounts.nprobes, is_hidden, write_probe);
	write_list("globals", accounts.nglobals, NULL, write_global);
	write_list("rings", facts.have_hello ? facts.hello.ncpus : 0, NULL, write_ring);
	fprintf(file, ",\n  \"output\": { \"unwritten\": %llu }", output_unwritten());
	fprintf(file,
		",\n  \"samples\": { \"expected\": %llu, \"received\": %llu, \"idle\": %llu, \"own\": %llu, \"off\": %llu, "
		"\"asleep\": %llu, \"lost\": %llu, \"no_room\": %llu },\n",
		s->samples_expected, s->samples, s->samples_idle, s->samples_own, s->samples_off,
		s->samples_asleep, s->samples_lost, s->samples_no_room);
	fprintf(file,
		"  \"switches\": { \"all\": %llu, \"lost\": %llu },\n  \"processes\": { \"records\": %llu, \"lost\": %llu },\n",
		s->switches, s->switches_lost, process_records(), process_records_lost());
	fprintf(file,
		"  \"stacks\": { \"taken\": %llu, \"cut_off\": %llu, \"callers_missing\": %llu, \"uncertain\": %llu, "
		"\"deeper\": %llu }\n}\n",
		s->stacks + printed.stacks, s->stacks_cut_off + printed.cut_off, s->stacks_skip,
		s->stacks_uncertain + printed.uncertain, s->stacks_cut + printed.cut);
	failed = ferror(file);
	if (fclose(file) || failed)
		fprintf(stderr, "ERROR: cannot write %s: %s\n", path, strerror(errno));
	else
		return 0;
	return 1;
}
