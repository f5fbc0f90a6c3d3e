/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeline.c - lapwing-timeline, which `lapwing timeline` runs: shares of the samples over time, of a
 * store by its epochs, of a capture by equal steps. Rows are told apart by --by, or there is one, of
 * what options choose. A share is always one of all samples of the event in that time.
 */
#include "lib/failure_error.h"
#include "lib/sorted.h"
#include "report/heading.h"
#include "report/report_main.h"
#include "report/svg.h"
#include "report/tally.h"

#include <string.h>

#define STEPS		24	/* of a capture, at most, by default */
#define SAMPLES_A_STEP	100	/* of a capture, at least, by default: a share of a half is +-10 % then */
#define BAR		40	/* characters */
#define COLUMNS		60
#define ROWS		10	/* by default */

static const char who[] = "lapwing timeline", by_default[] = "function,image";
static struct timeline_options {
	const char *by, *function, *output;
	double	step;		/* s */
	int	limit;
} opt = { .limit = -1 };
static enum data_form form;

/* Samples, their weight and the squares of that, by span. */
struct series {
	guint64		*samples, *weight;
	double		*squares;
};

struct timeline {
	const struct profile *p;
	const struct key **keys;		/* of --by; none: one row */
	guint		n;			/* spans: p->epochs */
	struct tally	*tally;
	struct series	*series;		/* of its rows that are shown */
	struct series	all;			/* of the event */
	guint64		sum;			/* of its weight */
};

/* ---- spans -------------------------------------------------------------------------*/

/*
 * Puts samples into spans of `step` ns, whose starts become their times. An epoch is in that in which
 * it begins, and makes it longer where it ends later.
 */
static void cut(struct profile *p, guint64 step)
{
	guint64 last = MAX(profile_end(p), p->start + 1) - p->start;
	guint n = (guint)((last - 1) / step) + 1;
	GArray *spans = g_array_sized_new(FALSE, FALSE, sizeof(struct profile_epoch), n);

	for (guint i = 0; i < n; i++) {
		struct profile_epoch span = { p->start + i * step, p->start + (i + 1) * step, 0 };

		g_array_append_val(spans, span);
	}
	for (guint i = 0; i < p->epochs->len; i++) {
		const struct profile_epoch *e = PROFILE_AT(p->epochs, epoch, i);
		struct profile_epoch *span = PROFILE_AT(spans, epoch, MIN((e->start - p->start) / step, n - 1));

		span->end = MAX(span->end, e->end);
		span->lost += e->lost;
	}
	for (guint i = 0; i < p->samples->len; i++) {
		struct profile_sample *s = PROFILE_AT(p->samples, sample, i);
		guint64 since = s->time > p->start ? s->time - p->start : 0;

		s->time = PROFILE_AT(spans, epoch, MIN(since / step, n - 1))->start;
	}
	g_array_unref(p->epochs);
	p->epochs = spans;
}

/* Of a capture and an event, ns. */
static guint64 default_step(const struct profile *p, guint32 event)
{
	guint64 samples = 0, steps;

	for (guint i = 0; i < p->samples->len; i++) {
		const struct profile_sample *s = PROFILE_AT(p->samples, sample, i);

		samples += s->event == event ? s->count : 0;
	}
	steps = CLAMP(samples / SAMPLES_A_STEP, 1, STEPS);
	return MAX((profile_end(p) - p->start + steps - 1) / steps, 1000000);
}

/* 0, or -1 after a message. */
static int make_spans(struct profile *p, guint32 event)
{
	guint64 step = (guint64)(opt.step * 1e9);

	if (!p->epochs->len && p->sampled != p->samples->len) {
		failure_print(who, FAILURE_CAPTURE_LACKS,
			      "'%s': samples of lapwing watch -o have no times: a store (--db) and captures of lapwing record do",
			      p->path);
		return -1;
	}
	if (!p->epochs->len && !step)
		step = default_step(p, event);
	if (step && (profile_end(p) - p->start) / step > 100000) {
		failure_print(who, FAILURE_OPTION_VALUE, "--step %g: more than 100,000 steps", opt.step);
		return -1;
	}
	if (step)
		cut(p, step);
	return 0;
}

/* ---- shares ------------------------------------------------------------------------*/

static char *span_text(const struct profile *p, guint i)
{
	return key_time(p, PROFILE_AT(p->epochs, epoch, i)->start);
}

static struct series new_series(const struct timeline *t)
{
	return (struct series){ g_new0(guint64, t->n), g_new0(guint64, t->n), g_new0(double, t->n) };
}

static guint shown(const struct timeline *t)
{
	return opt.limit ? MIN((guint)opt.limit, t->tally->rows->len) : t->tally->rows->len;
}

static void clear_series(struct series *s)
{
	g_free(s->samples);
	g_free(s->weight);
	g_free(s->squares);
}

static void add(struct series *to, guint span, const struct profile_sample *s)
{
	to->samples[span] += s->count;
	to->weight[span] += s->weight;
	to->squares[span] += tally_square(s);
}

/* Half the confidence interval of a series' share in a span, in percent. */
static double interval(const struct timeline *t, const struct series *s, guint span)
{
	const struct tally_share share = { s->weight[span], t->all.weight[span], s->squares[span], t->all.squares[span] };

	return 100 * tally_interval(&share);
}

static void timeline_make(struct timeline *t, const struct profile *p, const struct sample_filter *filter)
{
	const struct sample_filter all = { .event = filter->event };

	*t = (struct timeline){ .p = p, .n = p->epochs->len };
	t->keys = opt.by ? keys_parse(opt.by, NULL) : g_new0(const struct key *, 1);
	t->tally = tally_make(p, t->keys, filter);
	t->all = new_series(t);
	t->series = g_new(struct series, t->tally->rows->len);
	for (guint i = 0; i < shown(t); i++)
		t->series[i] = new_series(t);
	for (guint i = 0; i < p->samples->len; i++) {
		const struct profile_sample *s = PROFILE_AT(p->samples, sample, i);
		guint span = MAX(sorted_until(p->epochs, s->time), 1) - 1;

		if (!filter_passes(p, s, &all))
			continue;
		add(&t->all, span, s);
		t->sum += s->weight;
		if (t->tally->row_of[i] < shown(t))
			add(&t->series[t->tally->row_of[i]], span, s);
	}
}

static void timeline_clear(struct timeline *t)
{
	for (guint i = 0; i < shown(t); i++)
		clear_series(&t->series[i]);
	clear_series(&t->all);
	tally_free(t->tally);
	g_free(t->series);
	g_free(t->keys);
}

static const struct tally_row *row_at(const struct timeline *t, guint i)
{
	return &g_array_index(t->tally->rows, struct tally_row, i);
}

/* "procedure  image" */
static char *name_of(const struct timeline *t, guint row)
{
	GString *name = g_string_new(NULL);

	for (guint k = 0; t->keys[k]; k++)
		g_string_append_printf(name, "%s%s", k ? "  " : "", tally_text(row_at(t, row), k));
	return g_string_free(name, FALSE);
}

/* ---- text --------------------------------------------------------------------------*/

/* One row: a line for each span. */
static void print_spans(const struct timeline *t, const struct series *s)
{
	double most = 0, percent;

	for (guint i = 0; i < t->n; i++)
		most = MAX(most, tally_percent(s->weight[i], t->all.weight[i]));
	printf("when                          for   samples  percent  +-95%%\n");
	for (guint i = 0; i < t->n; i++) {
		const struct profile_epoch *e = PROFILE_AT(t->p->epochs, epoch, i);
		char *when = span_text(t->p, i), *span = heading_span(e->end - e->start);

		percent = tally_percent(s->weight[i], t->all.weight[i]);
		printf("%-23s %9s %9" G_GUINT64_FORMAT, when, span, s->samples[i]);
		if (t->all.samples[i])
			printf(" %8.2f %6.2f  %.*s", percent, interval(t, s, i),
			       most > 0 ? (int)(percent / most * BAR + 0.5) : 0,
			       "########################################");
		else
			printf("        -      -  ");
		if (e->lost)
			printf("  (%" G_GUINT64_FORMAT " lost)", e->lost);
		putchar('\n');
		g_free(when);
		g_free(span);
	}
}

/*
 * The share in each of n equal parts of the time, in percent, by how much of each span is within it;
 * below 0: there is no sample.
 */
static void shares_over(const struct timeline *t, const struct series *s, guint64 first, double part, guint n,
			double *shares)
{
	for (guint c = 0; c < n; c++) {
		double from = (double)first + c * part, to = from + part, some = 0, all = 0;

		for (guint i = 0; i < t->n; i++) {
			const struct profile_epoch *e = PROFILE_AT(t->p->epochs, epoch, i);
			double within = MIN((double)e->end, to) - MAX((double)e->start, from);

			if (within <= 0)
				continue;
			within /= (double)(e->end - e->start);
			some += within * (double)s->weight[i];
			all += within * (double)t->all.weight[i];
		}
		shares[c] = all > 0 ? 100 * some / all : -1;
	}
}

static void print_row(const struct timeline *t, guint row, const double *shares, guint n)
{
	static const char levels[] = ".:-=+*#@";
	double least = 100, most = 0;
	char *name = name_of(t, row);

	for (guint c = 0; c < n; c++)
		if (shares[c] >= 0) {
			least = MIN(least, shares[c]);
			most = MAX(most, shares[c]);
		}
	printf("%8.2f %7.2f %7.2f  |", tally_percent(row_at(t, row)->weight, t->sum), MIN(least, most), most);
	for (guint c = 0; c < n; c++)
		putchar(shares[c] < 0 ? ' '
			: shares[c] > 0 ? levels[MIN((guint)(shares[c] / most * strlen(levels)), strlen(levels) - 1)]
					: '_');
	printf("|  %s\n", name);
	g_free(name);
}

/* Several rows: a column of characters for each part of the time. */
static void print_rows(const struct timeline *t)
{
	guint64 first = PROFILE_AT(t->p->epochs, epoch, 0)->start, last = first;
	guint n = MIN(t->n, COLUMNS);
	double shares[COLUMNS], part;
	char *from = span_text(t->p, 0), *each;

	for (guint i = 0; i < t->n; i++)
		last = MAX(last, PROFILE_AT(t->p->epochs, epoch, i)->end);
	part = (double)(last - first) / n;
	each = heading_span((guint64)part);
	printf("from %s on, a column is %s: @ is the row's most, _ is none, a blank has no samples\n\n", from, each);
	printf(" percent   least    most  |%*s|", (int)n, "");
	for (guint k = 0; t->keys[k]; k++)
		printf("  %s", t->keys[k]->title);
	putchar('\n');
	for (guint i = 0; i < shown(t); i++) {
		shares_over(t, &t->series[i], first, part, n, shares);
		print_row(t, i, shares, n);
	}
	if (shown(t) < t->tally->rows->len)
		printf("... %u rows more (--limit)\n", t->tally->rows->len - shown(t));
	g_free(from);
	g_free(each);
}

/* ---- JSON and CSV --------------------------------------------------------------------*/

static void write_span(struct data *d, const struct timeline *t, guint row, guint i)
{
	const struct series *s = &t->series[row];
	const struct profile_epoch *e = PROFILE_AT(t->p->epochs, epoch, i);

	data_row(d);
	data_value(d, NULL, "%" G_GUINT64_FORMAT, t->p->wall + e->start - t->p->start);
	data_value(d, NULL, "%" G_GUINT64_FORMAT, t->p->wall + e->end - t->p->start);
	data_value(d, NULL, "%" G_GUINT64_FORMAT, s->samples[i]);
	data_value(d, NULL, "%" G_GUINT64_FORMAT, t->all.samples[i]);
	if (t->all.samples[i]) {
		data_value(d, NULL, "%.4f", tally_percent(s->weight[i], t->all.weight[i]));
		data_value(d, NULL, "%.4f", interval(t, s, i));
	} else {
		data_text(d, NULL, NULL);
		data_text(d, NULL, NULL);
	}
	data_value(d, NULL, "%" G_GUINT64_FORMAT, e->lost);
	for (guint k = 0; t->keys[k]; k++)
		key_write(d, t->keys[k], tally_text(row_at(t, row), k));
	data_close(d);
}

static int write_timeline(const struct timeline *t, const struct sample_filter *filter)
{
	static const char *const amounts[] = { "start_ns", "end_ns", "samples", "all", "percent", "interval", "lost", NULL };
	const char **columns = keys_columns(NULL, amounts, t->keys);
	struct data d;

	data_begin(&d, stdout, form, "lapwing-timeline/1");
	heading_write(&d, t->p, filter);
	data_rows(&d, "rows", columns);
	for (guint i = 0; i < shown(t); i++)
		for (guint k = 0; k < t->n; k++)
			write_span(&d, t, i, k);
	data_close(&d);
	data_value(&d, "rows_left", "%u", t->tally->rows->len - shown(t));
	g_free(columns);
	return data_end(&d, who, "stdout");
}

/* ---- a picture -----------------------------------------------------------------------*/

#define WIDTH	1200.0
#define LEFT	60.0
#define TOP	50.0
#define HEIGHT	300.0
#define LEGEND	18.0		/* a row of it */

static void append_bar(GString *out, const struct timeline *t, guint row, guint span, double x, double width,
		       double from, double to, double most)
{
	char *name = name_of(t, row), *when = span_text(t->p, span);

	g_string_append(out, "<rect");
	svg_number(out, "x", x);
	svg_number(out, "y", TOP + HEIGHT * (1 - to / most));
	svg_number(out, "width", MAX(width - 0.5, 0.5));
	svg_number(out, "height", HEIGHT * (to - from) / most);
	g_string_append_printf(out, " fill=\"hsl(%u,65%%,%u%%)\"><title>", row * 47 % 360, 50 + row / 8 % 3 * 12);
	svg_escape(out, when);
	g_string_append_printf(out, ": %.2f %% of %" G_GUINT64_FORMAT " samples", to - from, t->all.samples[span]);
	if (*name)
		g_string_append(out, ", ");
	svg_escape(out, name);
	g_string_append(out, "</title></rect>\n");
	g_free(name);
	g_free(when);
}

static double sum_of_shares(const struct timeline *t, guint span)
{
	double sum = 0;

	for (guint i = 0; i < shown(t); i++)
		sum += tally_percent(t->series[i].weight[span], t->all.weight[span]);
	return sum;
}

static void append_text(GString *out, double x, double y, const char *anchor, const char *text)
{
	g_string_append(out, "<text");
	svg_number(out, "x", x);
	svg_number(out, "y", y);
	g_string_append_printf(out, " text-anchor=\"%s\">", anchor);
	svg_escape(out, text);
	g_string_append(out, "</text>\n");
}

static void append_axes(GString *out, const struct timeline *t, guint64 first, guint64 last, double most)
{
	for (int i = 0; i <= 4; i++) {
		char *percent = g_strdup_printf("%.3g %%", most * i / 4);

		append_text(out, LEFT - 6, TOP + HEIGHT * (1 - i / 4.0) + 4, "end", percent);
		g_free(percent);
	}
	for (int i = 0; i <= 4; i++) {
		char *when = key_time(t->p, first + (guint64)((double)(last - first) * i / 4));

		append_text(out, LEFT + (WIDTH - LEFT - 20) * i / 4, TOP + HEIGHT + 18,
			    !i ? "start" : i == 4 ? "end" : "middle", when);
		g_free(when);
	}
}

static void append_legend(GString *out, const struct timeline *t)
{
	for (guint i = 0; i < shown(t); i++) {
		char *name = name_of(t, i), *text;
		double y = TOP + HEIGHT + 40 + LEGEND * i;

		text = g_strdup_printf("%.2f %%  %s", tally_percent(row_at(t, i)->weight, t->sum), *name ? name : "what is chosen");
		g_string_append(out, "<rect width=\"12\" height=\"12\"");
		svg_number(out, "x", LEFT);
		svg_number(out, "y", y - 10);
		g_string_append_printf(out, " fill=\"hsl(%u,65%%,%u%%)\"/>\n", i * 47 % 360, 50 + i / 8 % 3 * 12);
		append_text(out, LEFT + 18, y, "start", text);
		g_free(name);
		g_free(text);
	}
}

static char *make_svg(const struct timeline *t, const struct sample_filter *filter)
{
	guint64 first = PROFILE_AT(t->p->epochs, epoch, 0)->start, last = first + 1;
	GString *out = g_string_new(NULL);
	double most = 0, scale;
	char *title = g_strdup_printf("%s: shares of all samples, %" G_GUINT64_FORMAT " lost: %s",
				      PROFILE_AT(t->p->events, event, filter->event)->name, t->p->books.lost,
				      heading_verdict_word(t->p));

	for (guint i = 0; i < t->n; i++) {
		last = MAX(last, PROFILE_AT(t->p->epochs, epoch, i)->end);
		most = MAX(most, sum_of_shares(t, i));
	}
	most = most > 0 ? most : 1;
	scale = (WIDTH - LEFT - 20) / (double)(last - first);
	g_string_append_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
			       " font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fcfcf8\"/>\n",
			       (int)WIDTH, (int)(TOP + HEIGHT + 50 + LEGEND * shown(t)));
	append_text(out, LEFT, 24, "start", title);
	for (guint i = 0; i < t->n; i++) {
		const struct profile_epoch *e = PROFILE_AT(t->p->epochs, epoch, i);
		double below = 0, share;

		for (guint row = 0; row < shown(t); row++, below += share) {
			share = tally_percent(t->series[row].weight[i], t->all.weight[i]);
			if (share > 0)
				append_bar(out, t, row, i, LEFT + (double)(e->start - first) * scale,
					   (double)(e->end - e->start) * scale, below, below + share, most);
		}
	}
	append_axes(out, t, first, last, most);
	append_legend(out, t);
	g_string_append(out, "</svg>\n");
	g_free(title);
	return g_string_free(out, FALSE);
}

static int draw(const struct timeline *t, const struct sample_filter *filter)
{
	char *svg = make_svg(t, filter), *text = svg;
	int status;

	if (svg_is_html(opt.output))
		text = g_strconcat("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>timeline</title></head><body>\n",
				   svg, "</body></html>\n", NULL);
	status = program_write(who, opt.output, text, strlen(text));
	if (text != svg)
		g_free(text);
	g_free(svg);
	return status;
}

/* ---- whole -------------------------------------------------------------------------*/

static int is_chosen(const struct sample_filter *f)
{
	return f->name || f->phase || f->mode || f->unit || f->image || f->function;
}

static int run(struct profile *p, const struct sample_filter *filter)
{
	struct sample_filter of = *filter;
	struct timeline t;
	int status = 0;

	of.function = opt.function;
	if (!opt.by && !is_chosen(&of))
		opt.by = by_default;
	if (opt.limit < 0)
		opt.limit = form ? 0 : ROWS;
	if (make_spans(p, of.event))
		return 1;
	heading_warn_empty(who, p, &of);
	timeline_make(&t, p, &of);
	if (form) {
		status = write_timeline(&t, &of);
	} else if (opt.output) {
		status = draw(&t, &of);
	} else {
		heading_print(p, of.event, stdout);
		putchar('\n');
		if (*t.keys)
			print_rows(&t);
		else if (t.tally->rows->len)
			print_spans(&t, &t.series[0]);
		putchar('\n');
		heading_verdict(p, stdout);
	}
	timeline_clear(&t);
	return status;
}

/* ---- options -------------------------------------------------------------------------*/

static char *shown_keys(int chosen)
{
	const char *by = opt.by || chosen || opt.function ? opt.by : by_default;

	return g_strconcat("epoch", by ? "," : "", by ? by : "", opt.function ? ",function" : "", NULL);
}

static int check(const char *path)
{
	GError *error = NULL;
	const struct key **known = opt.by ? keys_parse(opt.by, &error) : NULL;

	g_free(known);
	if (error)
		return failure_report(who, error), -1;
	if (form && opt.output)
		return option_fail(FAILURE_OPTION_CONFLICT, "-o is a picture: without --json and --csv");
	return opt.output ? svg_check_name(opt.output, "a timeline") : 0;
}

#define OPTION_INTO struct timeline_options
static const struct option_row rows[] = {
	TEXT('b', "by", "KEY,...", "what rows are told apart by (default: function,image)", by)
	TEXT('f', "function", "NAME", "only in functions of that name; * and ? match", function)
	NUMBER('l', "limit", "N", 0, G_MAXINT, "so many rows (default: 10; 0: all)", limit)
	DECIMAL('s', "step", "SECONDS", 0.001, 1e9, "a bar is so long (default: an epoch; of a capture 1/24)", step)
	TEXT('o', "output", "NAME", "NAME.svg or NAME.html (-: SVG to stdout)", output)
	{ .kind = OPTION_END },
};

int main(int argc, char **argv)
{
	const struct program_of timeline = { .name = who,
					     .what = "Shows shares of the samples over time.",
					     .rows = rows,
					     .into = &opt,
					     .form = &form,
					     .keys = shown_keys,
					     .check = check,
					     .run = run };

	return program_main(&timeline, argc, argv);
}
