/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heading.c - see heading.h.
 */
#include "report/heading.h"

#include "report/db.h"

#include "lib/failure.h"
#include "lib/failure_error.h"
#include "lib/verdict.h"
#include "report/symbolize.h"

#include <string.h>

struct profile *heading_open_db(const char *who, const char *path, gint64 since, gint64 until, enum store_how how)
{
	GError *error = NULL;
	struct profile *p = db_read(path, since, until, how, &error);

	if (!p)
		failure_report(who, error);
	return p;
}

struct profile *heading_open(const char *who, const char *path)
{
	GError *error = NULL;
	struct profile *p = profile_read(path, &error);
	guint unnamed = 0;

	if (!p) {
		failure_report(who, error);
		return NULL;
	}
	if (p->damage)
		g_printerr("%s: WARNING: '%s' is PARTIAL: %s; everything before that is shown\n", who,
			   path, p->damage);
	if (p->damage || p->books.unnamed)
		unnamed = symbolize_profile(p);
	if (unnamed)
		g_printerr("%s: interrupted: %u of %u images are shown without names\n", who,
			   unnamed, p->images->len);
	return p;
}

char *heading_time(double ns)
{
	static const struct {
		double ns;
		const char *unit;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" } };

	for (guint i = 0; i < G_N_ELEMENTS(units); i++)
		if (ns >= units[i].ns)
			return g_strdup_printf("%.3g %s", ns / units[i].ns, units[i].unit);
	return g_strdup_printf("%.0f ns", ns);
}

char *heading_span(guint64 ns)
{
	static const struct {
		double s;
		const char *unit;
	} units[] = { { 86400, "d" }, { 3600, "h" }, { 60, "min" } };

	for (guint i = 0; i < G_N_ELEMENTS(units); i++)
		if ((double)ns >= units[i].s * 1e9)
			return g_strdup_printf("%.3g %s", (double)ns / units[i].s / 1e9, units[i].unit);
	return heading_time((double)ns);
}

guint32 heading_event(const char *who, const struct profile *p, const char *name)
{
	GString *has;

	for (guint i = 0; i < p->events->len; i++)
		if (!name || !strcmp(PROFILE_AT(p->events, event, i)->name, name))
			return i;
	for (guint i = 0; i < p->events->len; i++)	/* without its modifiers */
		if (g_str_has_prefix(PROFILE_AT(p->events, event, i)->name, name) &&
		    PROFILE_AT(p->events, event, i)->name[strlen(name)] == ':')
			return i;
	if (!p->events->len) {
		failure_print(who, FAILURE_CAPTURE_LACKS, "'%s' has no samples", p->path);
		return PROFILE_NONE;
	}
	has = g_string_new(NULL);
	for (guint i = 0; i < p->events->len; i++)
		g_string_append_printf(has, " %s", PROFILE_AT(p->events, event, i)->name);
	failure_print(who, FAILURE_CAPTURE_LACKS, "'%s' has no event '%s'; it has:%s", p->path,
		      name, has->str);
	g_string_free(has, TRUE);
	return PROFILE_NONE;
}

static void print_event(const struct profile *p, guint32 number, FILE *to)
{
	const struct profile_event *e = PROFILE_AT(p->events, event, number);
	char *every;

	fprintf(to, "event    %s", e->name);
	if (p->calls->len) {
		fprintf(to, ": those that a script wrote by stp(), each of weight 1");
	} else if (e->blocked) {
		fprintf(to, ": time off the CPU, exact");
	} else if (e->nanoseconds && e->varied) {
		fprintf(to, ": at several rates, each sample weighs the time that it stands for");
	} else if (e->nanoseconds && !e->period) {
		fprintf(to, ": times of calls, as a script took them");
	} else if (e->nanoseconds) {
		every = heading_time((double)e->period);
		fprintf(to, ": a sample every %s", every);
		g_free(every);
	} else if (e->period) {
		fprintf(to, ": a sample every %" G_GUINT64_FORMAT, e->period);
	} else {
		fprintf(to,
			": at a steady rate, each sample weighs what was counted since the one before");
	}
	fputc('\n', to);
}

/* A thread's clock starts with it: a thread that lives for less than a period has no sample. */
static guint64 cut_short(const struct profile_books *b)
{
	guint64 known = b->received + b->lost + b->asleep, over = b->expected > known ? b->expected - known : 0;

	return over > 10 && over > b->expected / 10 ? over : 0;
}

static void print_short(const struct profile_books *b, FILE *to)
{
	guint64 over = cut_short(b);

	if (over)
		fprintf(to,
			"short    %" G_GUINT64_FORMAT
			" periods (%.0f %%) were cut short, as their threads ended or moved: a "
			"higher -F, or -a, whose clocks belong to the CPUs, loses fewer\n",
			over, 100.0 * (double)over / (double)b->expected);
}

void heading_run(const struct profile *p, FILE *to)
{
	GDateTime *when = g_date_time_new_from_unix_utc((gint64)(p->wall / 1000000000));
	char *date = when ? g_date_time_format(when, "%Y-%m-%d %H:%M:%S UTC") : g_strdup("?"),
	     *span = heading_span(profile_end(p) - p->start);

	fprintf(to, "command  %s%s\n", *p->command ? p->command : "(none)",
		p->system_wide ? " (the whole machine)" : "");
	fprintf(to, "when     %s, for %s, on %s (%s, Linux %s, %u CPUs)\n", date, span, p->host,
		p->machine, p->kernel, p->cpus);
	g_free(span);
	g_free(date);
	if (when)
		g_date_time_unref(when);
}

void heading_print(const struct profile *p, guint32 event, FILE *to)
{
	const struct profile_books *b = &p->books;
	guint64 ns = profile_end(p) - p->start;
	char *own;

	heading_run(p, to);
	print_event(p, event, to);
	if (b->complete) {
		own = heading_span(b->own_cpu);
		fprintf(to, "samples  %" G_GUINT64_FORMAT " received", b->received);
		if (!b->skips_unknown)
			fprintf(to, " of %" G_GUINT64_FORMAT " expected", b->expected);
		fprintf(to, ", %" G_GUINT64_FORMAT " lost, %" G_GUINT64_FORMAT " idle", b->lost,
			b->idle);
		if (b->asleep)
			fprintf(to, ", %" G_GUINT64_FORMAT " not taken on idle CPUs", b->asleep);
		if (b->own)
			fprintf(to, ", %" G_GUINT64_FORMAT " left out: of recording itself",
				b->own);
		fprintf(to, "; recording took %s of CPU time (%.2f %% of one CPU)\n", own,
			ns ? 100.0 * (double)b->own_cpu / (double)ns : 0);
		g_free(own);
	}
	print_short(b, to);
	if (b->paused) {
		own = heading_span(b->paused);
		fprintf(to, "paused   sampling was off for %s\n", own);
		g_free(own);
	}
}

/* The options that choose samples, as part of a sentence. */
static char *describe_filter(const struct profile *p, const struct sample_filter *filter)
{
	const struct {
		const char *what, *value;
	} parts[] = { { "program", filter->name },
		      { "phase", filter->phase },
		      { "unit", filter->unit },
		      { "image", filter->image },
		      { "function", filter->function },
		      { "mode", filter->mode } };
	GString *text = g_string_new("event ");

	g_string_append_printf(text, "'%s'", PROFILE_AT(p->events, event, filter->event)->name);
	for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
		if (parts[i].value)
			g_string_append_printf(text, ", %s '%s'", parts[i].what, parts[i].value);
	return g_string_free(text, FALSE);
}

void heading_warn_empty(const char *who, const struct profile *p,
			const struct sample_filter *filter)
{
	char *wanted;

	for (guint i = 0; i < p->samples->len; i++)
		if (filter_passes(p, PROFILE_AT(p->samples, sample, i), filter))
			return;
	if (p->samples->len) {
		wanted = describe_filter(p, filter);
		failure_print(who, FAILURE_CAPTURE_LACKS, "WARNING: '%s' has samples, but none of %s",
			      p->path, wanted);
		g_free(wanted);
	} else if (p->arcs->len) {
		failure_print(who, FAILURE_CAPTURE_LACKS,
			      "WARNING: '%s' has no samples, but calls that a script counted: "
			      "'lapwing callgraph' shows them",
			      p->path);
	} else {
		failure_print(who, FAILURE_CAPTURE_LACKS, "WARNING: '%s' has no samples", p->path);
	}
}

static int is_partial(const struct profile *p)
{
	return p->damage || p->calls_refused || p->books.lost || p->books.throttled ||
	       p->uncertain || p->books.partial;
}

/* Nothing tells how many samples the kernel skipped, as with a clock of user code alone. */
static int is_unknown(const struct profile *p)
{
	return p->books.complete && p->books.skips_unknown;
}

const char *heading_verdict_word(const struct profile *p)
{
	return is_partial(p) ? "PARTIAL" : is_unknown(p) ? "UNKNOWN" : "COMPLETE";
}

/* Why it is not COMPLETE: each of a reason's texts. */
static GPtrArray *reasons(const struct profile *p)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
	const struct profile_books *b = &p->books;
	guint64 all = b->received + b->lost;

	if (p->damage)
		g_ptr_array_add(list, g_strdup(p->damage));
	if (b->partial)
		g_ptr_array_add(list, g_strdup(b->partial));
	if (p->calls_refused)
		g_ptr_array_add(list, g_strdup_printf("%" G_GUINT64_FORMAT
						      " calls found the table of arcs full",
						      p->calls_refused));
	if (b->lost)
		g_ptr_array_add(list, g_strdup_printf("%s%.2f %% of the samples were lost",
						      is_unknown(p) ? "at least " : "",
						      100.0 * (double)b->lost / (double)all));
	if (b->throttled)
		g_ptr_array_add(list, g_strdup_printf("the kernel throttled the sampling %" G_GUINT64_FORMAT
						      " times",
						      b->throttled));
	if (p->uncertain)
		g_ptr_array_add(
			list,
			g_strdup_printf("in %.2f %% of the samples the innermost caller is not proven: the "
					"code has no call frame information (.eh_frame)",
					100.0 * (double)p->uncertain / (double)p->sampled));
	for (unsigned bit = SKIPS_OF_KERNEL; is_unknown(p) && bit < SKIPS_END; bit *= 2)
		if (p->books.skips_unknown & bit)
			g_ptr_array_add(list, g_strdup(verdict_skips_text(bit)));
	return list;
}

void heading_verdict(const struct profile *p, FILE *to)
{
	GPtrArray *list = reasons(p);

	for (char **warning = p->books.warnings; warning && *warning; warning++)
		fprintf(to, "WARNING: %s\n", *warning);
	for (guint i = 0; i < list->len; i++)
		fprintf(to, "%s: %s\n", heading_verdict_word(p), (const char *)list->pdata[i]);
	if (!list->len)
		fprintf(to, "COMPLETE\n");
	g_ptr_array_unref(list);
}

/* ---- for programs ------------------------------------------------------------------*/

static void write_number(struct data *d, const char *name, guint64 value)
{
	data_value(d, name, "%" G_GUINT64_FORMAT, value);
}

static void write_event(struct data *d, const struct profile *p,
			const struct sample_filter *filter)
{
	const struct profile_event *e = PROFILE_AT(p->events, event, filter->event);

	data_text(d, "event", e->name);
	data_value(d, "off_cpu", e->blocked ? "true" : "false");
	data_text(d, "unit", e->nanoseconds ? "nanoseconds" : "count");
	if (e->period)
		write_number(d, "period", e->period);
	else
		data_text(d, "period", NULL);
	data_object(d, "only");
	data_text(d, "name", filter->name);
	data_text(d, "phase", filter->phase);
	data_text(d, "unit", filter->unit);
	data_text(d, "image", filter->image);
	data_text(d, "function", filter->function);
	data_text(d, "mode", filter->mode);
	data_close(d);
}

/* A capture that was cut off has no books. */
static void write_books(struct data *d, const struct profile *p)
{
	const struct profile_books *b = &p->books;
	const struct { const char *name; guint64 value; int unknown; } books[] = {
		{ "received", b->received },   { "expected", b->expected, is_unknown(p) },
		{ "lost", b->lost },	       { "idle", b->idle },
		{ "asleep", b->asleep },       { "own", b->own },
		{ "throttled", b->throttled }, { "cut_short", cut_short(b) },
		{ "paused_ns", b->paused },    { "recording_ns", b->own_cpu },
	};

	for (guint i = 0; i < G_N_ELEMENTS(books); i++)
		if (b->complete && !books[i].unknown)
			write_number(d, books[i].name, books[i].value);
		else
			data_text(d, books[i].name, NULL);
}

void heading_write_run(struct data *d, const struct profile *p)
{
	data_text(d, "command", *p->command ? p->command : NULL);
	data_value(d, "system_wide", p->system_wide ? "true" : "false");
	data_text(d, "host", p->host);
	data_text(d, "machine", p->machine);
	data_text(d, "kernel", p->kernel);
	write_number(d, "cpus", p->cpus);
	write_number(d, "start_ns", p->wall);
	write_number(d, "duration_ns", profile_end(p) - p->start);
}

void heading_write_verdict(struct data *d, const struct profile *p)
{
	GPtrArray *list = reasons(p);

	data_text(d, "verdict", heading_verdict_word(p));
	data_array(d, "reasons");
	for (guint i = 0; i < list->len; i++)
		data_text(d, NULL, list->pdata[i]);
	data_close(d);
	if (d->form == DATA_CSV && list->len)
		heading_verdict(p, stderr);
	g_ptr_array_unref(list);
}

void heading_write(struct data *d, const struct profile *p, const struct sample_filter *filter)
{
	heading_write_run(d, p);
	write_event(d, p, filter);
	write_books(d, p);
	write_number(d, "uncertain", p->uncertain);
	heading_write_verdict(d, p);
}
