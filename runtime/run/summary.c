/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary.c - --json-summary: the books of a run as one JSON object, for programs. Judges nothing:
 * account.c does.
 */
#include "runtime/run/summary.h"

#include "config.h"
#include "lib/data.h"
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
static struct data out;
static const char *path;

int summary_open(const char *name)
{
	path = name;
	file = name ? fopen(name, "we") : NULL;
	if (!name || file)
		return 0;
	return option_fail(FAILURE_FILE_WRITE, "--json-summary %s: %s", name, strerror(errno));
}

static void number(const char *name, u64 n) { data_value(&out, name, "%llu", n); }

static void number_or_null(const char *name, u64 n, int unknown)
{
	if (unknown)
		data_text(&out, name, NULL);
	else
		number(name, n);
}

/* Truncated, not rounded: an incomplete share is never 1. unknown: null. */
static void share(const char *name, double share, int unknown)
{
	if (unknown)
		data_text(&out, name, NULL);
	else
		data_value(&out, name, "%.6f", (double)(long)(share * 1e6 + 0.5) / 1e6);
}

static void write_times(const struct wire_account *a)
{
	data_object(&out, "time");
	data_text(&out, "unit", facts.hello.flags & WIRE_TIMES_NS ? "ns" : "cycles");
	number("hits", a->timed);
	number("min", a->took_min);
	number("avg", a->took / a->timed);
	number("max", a->took_max);
	number("p99", a->took_p99);
	if (a->took_squares != ~0ULL)
		number("variance", timing_variance(a));
	data_close(&out);
}

static void write_probe(unsigned id)
{
	const struct wire_account *a = &accounts.probe[id];
	const u64 *unknown = a->skips_unknown ? &a->missed_unsampled : NULL;

	if (a->hidden)
		return;
	data_object(&out, NULL);
	data_text(&out, "point", probe_point(id));
	data_text(&out, "where", probe_where(id));
	number("entered", a->entered);
	number("completed", a->completed);
	number("in_flight", a->in_flight);
	number("errors", a->errors);
	data_wrap(&out);
	data_object(&out, "missed");
#define WRITE(name, json, words) \
	number_or_null(json, a->missed_##name, &a->missed_##name == unknown);
	WIRE_MISSED(WRITE)
#undef WRITE
	number("condition_off", a->condition_off);
	data_close(&out);
	if (a->unread) {
		data_object(&out, "unread");
		number("hits", a->unread);
		data_object(&out, "what");
		unread_each(id, number);
		data_close(&out);
		data_close(&out);
	}
	if (a->timed)
		write_times(a);
	data_close(&out);
}

static void write_global(unsigned id)
{
	const struct account_global *g = &accounts.global[id];

	data_object(&out, NULL);
	data_text(&out, "name", g->name ? g->name : "?");
	if (g->books.is_array) {
		number("rows", g->books.rows);
		number("refused", g->books.refused);
	}
	number("lock_timeouts", g->books.lock_timeouts);
	data_close(&out);
}

static void write_ring(unsigned cpu)
{
	struct output_books b = { 0 };

	for (u32 i = cpu; i < facts.hello.nrings; i += facts.hello.ncpus) {
		struct output_books of = output_books(i);

		b.records += of.records;
		b.lost += of.lost;
		b.lost_bytes += of.lost_bytes;
	}
	data_object(&out, NULL);
	number("cpu", cpu);
	number("records", b.records);
	number("lost", b.lost);
	number("lost_bytes", b.lost_bytes);
	data_close(&out);
}

static void write_list(const char *name, unsigned n, void (*row)(unsigned i))
{
	data_array(&out, name);
	for (unsigned i = 0; i < n; i++)
		row(i);
	data_close(&out);
}

static void write_shares(const struct run_verdict *v)
{
	data_text(&out, "verdict", v->partial ? "PARTIAL" : v->unknown ? "UNKNOWN" : "COMPLETE");
	share("share", v->share, v->unknown);
	data_object(&out, "shares");
	share("hits", v->hits, v->unknown);
	share("inserts", v->inserts, 0);
	share("output", v->records, 0);
	share("samples", v->samples, facts.summary.samples_expected == WIRE_UNKNOWN);
	share("stacks", v->stacks, 0);
	share("values", v->values, 0);
	share("switches", v->switches, 0);
	share("processes", v->processes, 0);
	data_close(&out);
}

static void write_samples(const struct wire_summary *s)
{
	data_object(&out, "samples");
	number_or_null("expected", s->samples_expected, s->samples_expected == WIRE_UNKNOWN);
	number("received", s->samples);
	number("idle", s->samples_idle);
	number("own", s->samples_own);
	number("off", s->samples_off);
	number("asleep", s->samples_asleep);
	number("lost", s->samples_lost);
	number("no_room", s->samples_no_room);
	data_close(&out);
}

static void write_records(const struct wire_summary *s)
{
	struct stacks_books printed = stacks_account();

	data_object(&out, "switches");
	number("all", s->switches);
	number("lost", s->switches_lost);
	data_close(&out);
	data_object(&out, "processes");
	number("records", process_records());
	number("lost", process_records_lost());
	data_close(&out);
	data_object(&out, "stacks");
	number("taken", s->stacks + printed.stacks);
	number("cut_off", s->stacks_cut_off + printed.cut_off);
	number("callers_missing", s->stacks_skip);
	number("uncertain", s->stacks_uncertain + printed.uncertain);
	number("deeper", s->stacks_cut + printed.cut);
	data_close(&out);
}

int summary_write(const struct run_verdict *v, int status)
{
	const struct wire_summary *s = &facts.summary;
	int failed;

	if (!file)
		return 0;
	data_begin(&out, file, DATA_JSON, "lapwing-run/1");
	data_text(&out, "lapwing", PACKAGE_VERSION);
	data_text(&out, "script", facts.hello.script);
	write_shares(v);
	data_value(&out, "status", "%d", status);
	data_value(&out, "ended_by_error", v->failed ? "true" : "false");
	data_value(&out, "command_died", v->died ? "true" : "false");
	number("errors", s->errors);
	number("skipped", s->skipped);
	write_list("probes", accounts.nprobes, write_probe);
	write_list("globals", accounts.nglobals, write_global);
	write_list("rings", facts.have_hello ? facts.hello.ncpus : 0, write_ring);
	data_object(&out, "output");
	number("unwritten", output_unwritten());
	data_close(&out);
	write_samples(s);
	write_records(s);
	failed = data_end(&out, "lapwing-run", path);
	fclose(file);
	return failed;
}
