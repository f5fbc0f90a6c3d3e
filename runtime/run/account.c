/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * account.c - keeps the books that the module sends, prints on standard error what does not
 * balance, and judges the run: COMPLETE, PARTIAL with the share that the results contain, or UNKNOWN
 * (nothing is known to be missing, but something may be).
 *
 * Hits that an arming condition excluded were not wanted: they are in the books, but are no loss.
 */
#include "runtime/run/account.h"

#include "lib/verdict.h"
#include "runtime/run/child.h"
#include "runtime/run/facts.h"
#include "runtime/run/outfile.h"
#include "runtime/run/output.h"
#include "runtime/run/run.h"
#include "runtime/run/stacks.h"
#include "runtime/run/timing.h"
#include "runtime/run/track.h"
#include "runtime/run/unread.h"
#include "runtime/run/terminal.h"

#include <stdlib.h>
#include <string.h>

struct accounts accounts;

/* Makes room for row id, zeroed; 0 if there is no memory. */
static int grow(void *list, unsigned *count, unsigned id, size_t size)
{
	char *more;

	if (id < *count)
		return 1;
	more = realloc(*(void **)list, (id + 1U) * size);
	if (!more)
		return 0;
	memset(more + *count * size, 0, (id + 1U - *count) * size);
	*(void **)list = more;
	*count = id + 1U;
	return 1;
}

void account_probe(u32 id, const struct wire_account *a)
{
	if (grow(&accounts.probe, &accounts.nprobes, id, sizeof(*accounts.probe)))
		accounts.probe[id] = *a;
}

void account_global(u32 id, const struct wire_global_account *g, const char *name,
		    const char *table)
{
	struct account_global *a;

	if (!grow(&accounts.global, &accounts.nglobals, id, sizeof(*accounts.global)))
		return;
	a = &accounts.global[id];
	free(a->name);
	free(a->table);
	*a = (struct account_global){ *g, strdup(name), strdup(table) };
}

void account_free(void)
{
	for (unsigned i = 0; i < accounts.nglobals; i++) {
		free(accounts.global[i].name);
		free(accounts.global[i].table);
	}
	free(accounts.global);
	free(accounts.probe);
	memset(&accounts, 0, sizeof(accounts));
	unread_free();
}

/*
 * The hits whose outcome is known. condition_off was requested by the script or ctl: only what
 * wire_missed() counts is missing.
 */
static u64 account_known(const struct wire_account *a)
{
	return a->completed + a->in_flight + a->condition_off + wire_missed(a);
}

/* The value of -s for rings of twice the size, MB. */
static double twice(void)
{
	return (double)opt.ring_bytes / (1 << 19);
}

/*
 * The user runtime reads them if the script depends on them; for a kernel module's session
 * lapwing-run does, for names.
 */
u64 process_records_lost(void)
{
	return facts.summary.process_records_lost + track_account().lost;
}

u64 process_records(void)
{
	return facts.summary.process_records + track_account().records + track_account().lost;
}

/* ---- what does not balance ------------------------------------------------------*/

/* True if a ring lost records that calls are identified by. */
static int has_lost(void)
{
	u64 lost = facts.summary.switches_lost + process_records_lost();

	for (unsigned i = 0; i < accounts.nprobes; i++)
		lost += accounts.probe[i].missed_overload;
	return lost != 0;
}

/* True for kernel functions; the kernel alone sets how many calls of programs' functions fit. */
static int is_function(unsigned id)
{
	return strstr(probe_point(id), "function(") && strncmp(probe_point(id), "process", 7) != 0;
}

/* A warning that is composed of parts. */
struct line {
	FILE	*to;
	char	*text;
	size_t	len;
};

static FILE *line_begin(struct line *line)
{
	line->to = open_memstream(&line->text, &line->len);
	if (!line->to)
		abort();
	return line->to;
}

static void line_warn(struct line *line)
{
	fclose(line->to);
	warn("%s", line->text);
	free(line->text);
}

static void print_probe(unsigned id)
{
	const struct wire_account *a = &accounts.probe[id];
#define REASON(name, json, words) { words, a->missed_##name },
	const struct { const char *why; u64 n; } missed[] = { WIRE_MISSED(REASON) };
#undef REASON
	u64 known = account_known(a);
	struct line line;
	FILE *to;

	if (a->hidden || (!wire_missed(a) && known == a->entered))
		return;
	to = line_begin(&line);
	fprintf(to, "probe %s: %llu entered, %llu completed", probe_point(id), a->entered,
		a->completed);
	if (a->in_flight)
		fprintf(to, ", %llu in flight", a->in_flight);
	fputs("; missed:", to);
	for (unsigned i = 0; i < sizeof(missed) / sizeof(missed[0]); i++)
		if (missed[i].n)
			fprintf(to, " %llu %s", missed[i].n, missed[i].why);
	if (known != a->entered)
		fprintf(to, " %lld unknown", (long long)(a->entered - known));
	if (a->missed_slots && is_function(id))
		fputs(": too many calls were under way at once (try .maxactive(N) or -D "
		      "KRETACTIVE=N)",
		      to);
	/* not after overload in the kernel runtime: its guard ends the run */
	if ((a->missed_overload || (a->missed_unproven && has_lost())) && !facts.summary.state)
		fprintf(to, ": ring buffer full (try -s %g)", twice());
	line_warn(&line);
}

static void warn_samples_lost(void)
{
	const struct wire_summary *s = &facts.summary;
	struct line line;
	FILE *to = line_begin(&line);

	fprintf(to, "%llu samples were lost, %llu received", s->samples_lost, s->samples);
	if (s->samples_no_room)
		fprintf(to, ": %llu because a ring buffer was full (try -s %g)", s->samples_no_room,
			twice());
	/* interrupts were off, or the whole machine stood still: which of them is unknown */
	if (s->samples_lost > s->samples_no_room)
		fprintf(to, "%s %llu the kernel did not deliver in time",
			s->samples_no_room ? ";" : ":", s->samples_lost - s->samples_no_room);
	line_warn(&line);
}

static void print_samples(void)
{
	const struct wire_summary *s = &facts.summary;

	if (s->samples_lost)
		warn_samples_lost();
	if (opt.no_warnings || !(s->samples || s->samples_asleep))
		return;
	if (s->samples_expected != WIRE_UNKNOWN)
		fprintf(stderr,
			"lapwing-run: %llu samples expected, %llu received (%llu idle), %llu lost, %llu while sampling was off, "
			"%llu not taken on idle CPUs\n",
			s->samples_expected, s->samples, s->samples_idle, s->samples_lost,
			s->samples_off, s->samples_asleep);
	else
		fprintf(stderr,
			"lapwing-run: %llu samples of user code received (%llu idle), %llu lost; "
			VERDICT_KERNEL_NEEDS "\n",
			s->samples, s->samples_idle, s->samples_lost);
}

static u64 rings_lost(void)
{
	u64 lost = 0;

	for (u32 i = 0; facts.have_hello && i < facts.hello.nrings; i++)
		lost += output_books(i).lost;
	return lost;
}

static void print_output(void)
{
	u64 lost = rings_lost();

	if (lost)
		warn("There were %llu transport failures. Try -s to increase the buffer size from %g.",
		     lost, (double)opt.ring_bytes / (1 << 20));
	if (output_unwritten() && !outfile_reader_gone())
		warn("%llu pieces of output were not written", output_unwritten());
}

/* Always printed if names were used: readers must know how many are missing. */
static void print_names(void)
{
	struct stacks_books printed = stacks_account();
	u64 all = facts.summary.names + printed.names,
	    unknown = facts.summary.names_unknown + printed.unknown;

	if (all)
		fprintf(stderr, "lapwing-run: %llu of %llu addresses without a name (%.1f %%)\n",
			unknown, all, 100.0 * (double)unknown / (double)all);
}

/*
 * Arrays of one table have the same rows: only the one that refused most, the first of these, is
 * reported.
 */
static int is_told_by_another(unsigned id)
{
	const struct account_global *a = &accounts.global[id];

	for (unsigned i = 0; a->table && *a->table && i < accounts.nglobals; i++) {
		const struct account_global *b = &accounts.global[i];

		if (i != id && b->table && !strcmp(a->table, b->table) &&
		    (b->books.refused > a->books.refused ||
		     (b->books.refused == a->books.refused && i < id)))
			return 1;
	}
	return 0;
}

static void print_full(unsigned id)
{
	const struct account_global *a = &accounts.global[id];
	int is_table = a->table && *a->table;

	if (a->books.refused && !is_told_by_another(id))
		warn("%s %s refused %llu inserts: it was full", is_table ? "the table of" : "array",
		     is_table ? a->table : a->name, a->books.refused);
}

static void print_stacks(void)
{
	const struct wire_summary *s = &facts.summary;
	struct stacks_books printed = stacks_account();
	u64 all = s->stacks + printed.stacks, cut_off = s->stacks_cut_off + printed.cut_off;
	u64 uncertain = s->stacks_uncertain + printed.uncertain;

	if (s->stacks_cut + printed.cut)
		warn("%llu stacks were cut at MAXBACKTRACE addresses (try -D MAXBACKTRACE=N)",
		     s->stacks_cut + printed.cut);
	if (uncertain)
		warn("%llu of %llu user stacks may lack the innermost caller: there is no call frame "
		     "information for it (.eh_frame), or it was not read yet",
		     uncertain, all);
	if (opt.no_warnings)
		return;
	if (cut_off)
		fprintf(stderr,
			"lapwing-run: %llu of %llu user stacks do not reach the start of their "
			"thread\n",
			cut_off, all);
	if (s->stacks_skip)
		fprintf(stderr,
			"lapwing-run: %llu of %llu user stacks lack callers: an address of 0 "
			"stands for them\n",
			s->stacks_skip, all);
	if ((cut_off || s->stacks_skip) && !(s->stacks_cut + printed.cut))
		fputs("lapwing-run: in code without frame pointers --user-unwind=dwarf finds more callers\n",
		      stderr);
}

static void print_unbalanced(void)
{
	const struct wire_summary *s = &facts.summary;

	if (s->errors || s->skipped)
		warn("Number of errors: %llu, skipped probes: %llu", s->errors, s->skipped);
	if (opt.timing)
		timing_report();
	for (unsigned i = 0; i < accounts.nprobes; i++)
		print_probe(i);
	unread_print();
	for (unsigned i = 0; i < accounts.nglobals; i++)
		print_full(i);
	print_names();
	print_stacks();
	print_output();
	print_samples();
	if (process_records_lost())
		warn("%llu of %llu process records were lost: names may be out of date (try -s %g)",
		     process_records_lost(), process_records(), twice());
}

/* ---- the verdict -------------------------------------------------------------------*/

/*
 * The remaining share, in whole millionths, so that both reports can truncate it; 0 if more was
 * lost than expected.
 */
static double share(u64 all, u64 lost)
{
	return !lost ? 1
	       : lost >= all ? 0
	       : (double)(u64)((unsigned __int128)(all - lost) * 1000000 / all) / 1e6;
}

/* Missing hits, whether or not the reason is known. */
static u64 hits_lost(const struct wire_account *a)
{
	u64 known = account_known(a);

	return wire_missed(a) + (known > a->entered ? known - a->entered : a->entered - known);
}

/* A begin or end probe of the run itself: no event enters it, and it cannot miss one. */
static int is_phase(unsigned id)
{
	static const char *const phases[] = { "begin", "end", "error" };
	const char *point = probe_point(id);
	size_t len = strcspn(point, "(");

	for (unsigned i = 0; i < sizeof(phases) / sizeof(phases[0]); i++)
		if (strlen(phases[i]) == len && !strncmp(point, phases[i], len))
			return 1;
	return 0;
}

/* Counts one insert per hit, or the arrays' rows and refusals if they are more. */
static double share_of_inserts(void)
{
	u64 inserts = 0, refused = 0, hits = 0;

	for (unsigned i = 0; i < accounts.nglobals; i++) {
		const struct wire_global_account *g = &accounts.global[i].books;

		inserts += g->rows + g->refused;
		refused += g->refused;
	}
	for (unsigned i = 0; i < accounts.nprobes; i++)
		if (!is_phase(i) && !accounts.probe[i].hidden)
			hits += accounts.probe[i].completed;
	return share(hits > inserts ? hits : inserts, refused);
}

/* The share of hits at which all values were read, among hits of probes that use such values. */
static double share_of_values(void)
{
	u64 hits = 0, unread = 0;

	for (unsigned i = 0; i < accounts.nprobes; i++) {
		const struct wire_account *a = &accounts.probe[i];

		hits += a->unread ? a->completed : 0;
		unread += a->unread;
	}
	return share(hits, unread);
}

static double least(double a, double b) { return a < b ? a : b; }

static struct run_verdict judge(void)
{
	const struct wire_summary *s = &facts.summary;
	int unwritten = outfile_failed() && !outfile_reader_gone();
	struct run_verdict v = { .failed = !facts.have_summary || s->state || unwritten ||
					   facts.was_off };
	u64 hits = 0, missed = 0, records = 0, lost = rings_lost();

	for (unsigned i = 0; i < accounts.nprobes; i++) {
		const struct wire_account *a = &accounts.probe[i];

		if (a->hidden || (is_phase(i) && !a->errors))	/* shares are of events */
			continue;
		hits += a->entered - a->condition_off;
		/* -D MAXERRORS=N: the handlers that failed */
		missed += hits_lost(a) + (v.failed ? 0 : a->errors);
		v.unknown |= (int)a->skips_unknown;
	}
	for (u32 i = 0; facts.have_hello && i < facts.hello.nrings; i++)
		records += output_books(i).records;
	v.hits = share(hits, missed);
	v.inserts = share_of_inserts();
	v.nrecords = records;
	v.nlost = lost + (unwritten ? output_unwritten() : 0);
	v.nmissed = missed;
	v.records = share(records + lost, v.nlost);
	v.samples = share(s->samples + s->samples_lost, s->samples_lost);
	v.processes = share(process_records(), process_records_lost());
	v.stacks = share(s->stacks + stacks_account().stacks,
			 s->stacks_uncertain + stacks_account().uncertain);
	v.switches = share(s->switches, s->switches_lost);
	v.values = share_of_values();
	v.share = least(least(least(v.hits, v.inserts), least(v.records, v.samples)),
			least(least(v.stacks, v.values), least(v.switches, v.processes)));
	v.died = facts.have_hello && facts.hello.flags & WIRE_REPLACES ? child_died() : NULL;
	v.partial = v.failed || v.died || v.share < 1;
	return v;
}

/* Truncated, not rounded: an incomplete share never prints as 100 %. */
static void put_share(struct sink *out, const char *what, double part, const char **between)
{
	unsigned hundredths = (unsigned)(part * 1e6 + 0.5) / 100;
	char text[16];

	if (part >= 1)
		return;
	snprintf(text, sizeof(text), "%u.%02u", hundredths / 100, hundredths % 100);
	sink_text(out, *between);
	sink_text(out, text);
	sink_text(out, " % of ");
	sink_text(out, what);
	*between = ", ";
}

void account_reason(const struct run_verdict *v, struct sink *out)
{
	const char *between = v->failed || v->died ? "; " : "";

	sink_text(out, v->failed ? "the run was ended by an error" : "");
	if (v->died) {
		sink_text(out, v->failed ? "; the command died of SIG" : "the command died of SIG");
		sink_text(out, v->died);
		sink_text(out, " while its returns were probed, which may be the cause");
	}
	put_share(out, v->unknown ? "hits at most" : "hits", v->hits, &between);
	put_share(out, "inserts", v->inserts, &between);
	put_share(out, "output", v->records, &between);
	put_share(out, v->unknown ? "samples at most" : "samples", v->samples, &between);
	put_share(out, "stacks", v->stacks, &between);
	put_share(out, "values read", v->values, &between);
	put_share(out, "context switches", v->switches, &between);
	put_share(out, "records of processes", v->processes, &between);
	if (v->hits < 1 && facts.hello.flags & WIRE_JOINS)
		sink_text(out, "; values that the script makes from more than one probe may be wrong");
}

/* 0: only probes without events. */
static int had_events(void)
{
	unsigned own = 0;

	for (unsigned id = 0; id < accounts.nprobes; id++)
		own += is_phase(id);
	return own < accounts.nprobes;
}

static void print_verdict(const struct run_verdict *v)
{
	int asked = opt.verbose || opt.strict || opt.timing || opt.summary,
	    is_watched = had_events() && !opt.no_warnings && terminal_is(stderr);
	char text[VERDICT_REASON] = "";
	struct sink reason = { .p = text, .size = sizeof(text) - 1 };

	if (!v->partial && v->unknown) {
		fprintf(stderr, "UNKNOWN: %s\n", verdict_skips_text((unsigned)v->unknown));
		return;
	}
	if (!v->partial) {
		if (outfile_reader_gone())
			return;
		if (asked || is_watched)
			fputs("COMPLETE\n", stderr);
		return;
	}
	if (opt.no_partial && v->share >= 1 && !v->died)	/* SystemTap's own lines say it */
		return;
	account_reason(v, &reason);
	fprintf(stderr, "PARTIAL: %s%s%s\n", text, v->unknown ? "; " : "",
		v->unknown ? verdict_skips_text((unsigned)v->unknown) : "");
}

struct run_verdict account_report(void)
{
	struct run_verdict v = judge();

	warn_rest();
	print_unbalanced();
	print_verdict(&v);
	return v;
}
