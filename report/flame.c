/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flame.c - lapwing-flame, which `lapwing flame` runs: a capture as a flame graph, one
 * self-contained SVG or HTML file. flame.js handles clicks, flame.css is its style; without
 * JavaScript it is a static picture.
 */
#include "report/frames.h"
#include "report/heading.h"
#include "report/report_main.h"
#include "report/svg.h"
#include "report/tally.h"
#include "report/flame_js.h"
#include "report/flame_css.h"

#include <math.h>
#include <string.h>

static const char who[] = "lapwing flame";

#define WIDTH	1200.0
#define ROW	17.0
#define TOP	58.0			/* title, note, the frame under the mouse */
#define BOTTOM	8.0
#define LEAST	0.1			/* narrower frames are omitted: they would be invisible */
#define CHAR	7.2			/* width of a character of a frame's text */
#define TITLE_MAX 60

static struct flame_options {
	const char *output, *base, *title;
	int	inverted;
} opt;

struct graph {
	GString		*out;
	const struct frames *tree, *base;	/* base: NULL without --diff */
	const struct profile_event *event;
	guint		depth;			/* number of visible rows */
	int		down;			/* the root on top */
};

/* ---- colours -------------------------------------------------------------------*/

/* Warm for programs, by image; blue-green for the kernel; grey for frames without code. */
static void color_of(const struct frame *f, char *to, gsize size)
{
	guint h = g_str_hash(f->name) % 50, hue = f->image ? g_str_hash(f->image) % 40 : 0;

	if (!f->image)
		g_snprintf(to, size, "#cfcfcf");
	else if (f->kernel)
		g_snprintf(to, size, "rgb(%u,%u,%u)", 110 + h, 185 + h / 2, 190 + h / 2);
	else
		g_snprintf(to, size, "rgb(%u,%u,%u)", 225 + h / 3, 110 + h + hue,
			   (f->inlined ? 110 : 55) + hue);
}

static double share(const struct frame *f, const struct frames *tree)
{
	return f && tree->root->total ? (double)f->total / (double)tree->root->total : 0;
}

/* The same path in another tree, or NULL. */
static const struct frame *counterpart(const struct frame *f, const struct frames *tree)
{
	const struct frame *parent;

	if (!f->parent)
		return tree->root;
	parent = counterpart(f->parent, tree);
	for (guint i = 0; parent && i < parent->children->len; i++) {
		const struct frame *child = g_ptr_array_index(parent->children, i);

		if (!strcmp(child->name, f->name) && child->kernel == f->kernel &&
		    child->inlined == f->inlined)
			return child;
	}
	return NULL;
}

/* By more than chance; then: the frame in the base, or NULL. */
static int has_changed(const struct graph *g, const struct frame *f, const struct frame *then)
{
	const struct tally_share now = tally_of_samples(f->samples, g->tree->root->samples),
				 base = tally_of_samples(then ? then->samples : 0, g->base->root->samples);

	return tally_differs(&now, &base);
}

/*
 * Red: a larger share than in the base; blue: a smaller one; the larger the change, the stronger;
 * grey: not significant.
 */
static void color_of_change(const struct graph *g, const struct frame *f, char *to, gsize size)
{
	const struct frame *then = counterpart(f, g->base);
	double change = share(f, g->tree) - share(then, g->base);
	guint strong = (guint)(MIN(fabs(change) * 5, 1.0) * 155);

	if (!has_changed(g, f, then))
		g_snprintf(to, size, "#dddddd");
	else if (change > 0)
		g_snprintf(to, size, "rgb(255,%u,%u)", 200 - strong, 200 - strong);
	else
		g_snprintf(to, size, "rgb(%u,%u,255)", 200 - strong, 200 - strong);
}

/* ---- drawing -------------------------------------------------------------------*/

/* The text shown for a frame under the mouse: share, amount, and with a base the change. */
static void append_amount(const struct graph *g, const struct frame *f)
{
	char *time = g->event->nanoseconds ? heading_time((double)f->total) : NULL;

	svg_escape(g->out, f->name);
	if (f->inlined)
		g_string_append(g->out, " (inlined)");
	if (f->image) {
		g_string_append(g->out, " [");
		svg_escape(g->out, f->image);
		g_string_append(g->out, "]");
	}
	g_string_append_printf(g->out, ": %.2f %%, ", 100 * share(f, g->tree));
	if (time)
		g_string_append(g->out, time);
	else
		g_string_append_printf(g->out, "%" G_GUINT64_FORMAT, f->total);
	g_string_append_printf(g->out, " in %" G_GUINT64_FORMAT " samples", f->samples);
	if (g->base) {
		const struct frame *then = counterpart(f, g->base);

		g_string_append_printf(g->out, "; %+.2f %% against the base%s",
				       100 * (share(f, g->tree) - share(then, g->base)),
				       has_changed(g, f, then)
					       ? ""
					       : ", no more than chance");
	}
	g_free(time);
}

static void append_label(const struct graph *g, const struct frame *f, double width)
{
	gint room = (gint)((width - 6) / CHAR);
	char *cut;

	if (room < 3)
		return;
	if (g_utf8_strlen(f->name, -1) <= room) {
		svg_escape(g->out, f->name);
		return;
	}
	cut = g_utf8_substring(f->name, 0, room - 2);
	svg_escape(g->out, cut);
	g_string_append(g->out, "..");
	g_free(cut);
}

static void draw(struct graph *g, const struct frame *f, guint depth, guint64 from)
{
	double all = (double)MAX(g->tree->root->total, 1), x = (double)from / all,
	       w = (double)f->total / all;
	double y = TOP + ROW * (g->down ? depth : g->depth - 1 - depth);
	char color[32], number[3][G_ASCII_DTOSTR_BUF_SIZE];

	if (w * WIDTH < LEAST)
		return;
	if (g->base)
		color_of_change(g, f, color, sizeof(color));
	else
		color_of(f, color, sizeof(color));
	g_ascii_formatd(number[0], sizeof(number[0]), "%.7f", x);
	g_ascii_formatd(number[1], sizeof(number[1]), "%.7f", w);
	g_string_append_printf(
		g->out, "<g class=\"f\" data-x=\"%s\" data-w=\"%s\" data-d=\"%u\" data-name=\"",
		number[0], number[1], depth);
	svg_escape(g->out, f->name);
	g_string_append(g->out, "\"><title>");
	append_amount(g, f);
	g_ascii_formatd(number[0], sizeof(number[0]), "%.2f", x * WIDTH);
	g_ascii_formatd(number[1], sizeof(number[1]), "%.2f", MAX(w * WIDTH - 0.5, 0.1));
	g_ascii_formatd(number[2], sizeof(number[2]), "%.2f", x * WIDTH + 3);
	g_string_append_printf(
		g->out,
		"</title><rect x=\"%s\" y=\"%d\" width=\"%s\" height=\"16\" rx=\"1\" fill=\"%s\"/>"
		"<text x=\"%s\" y=\"%d\">",
		number[0], (int)y, number[1], color, number[2], (int)y + 12);
	append_label(g, f, w * WIDTH);
	g_string_append(g->out, "</text></g>\n");
	for (guint i = 0; i < f->children->len; i++) {
		const struct frame *child = g_ptr_array_index(f->children, i);

		draw(g, child, depth + 1, from);
		from += child->total;
	}
}

/* Rows that contain a visible frame. */
static guint depth_seen(const struct frame *f, double all)
{
	guint most = 0;

	for (guint i = 0; i < f->children->len; i++) {
		const struct frame *child = g_ptr_array_index(f->children, i);

		if ((double)child->total / all * WIDTH >= LEAST)
			most = MAX(most, depth_seen(child, all));
	}
	return most + 1;
}

static void append_svg(struct graph *g, const char *id, const char *title, const char *note,
		       int hidden)
{
	double height;

	g->depth = depth_seen(g->tree->root, (double)MAX(g->tree->root->total, 1));
	height = TOP + ROW * g->depth + BOTTOM;
	g_string_append_printf(
		g->out,
		"<svg class=\"flame\" id=\"%s\" data-width=\"%d\" xmlns=\"http://www.w3.org/2000/svg\" "
		"width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"%s>\n<style>",
		id, (int)WIDTH, (int)WIDTH, (int)height, (int)WIDTH, (int)height,
		hidden ? " style=\"display:none\"" : "");
	g_string_append(g->out, flame_css);
	g_string_append(
		g->out,
		"</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fcfcf8\"/>\n<text class=\"head\" x=\"3\" y=\"18\">");
	svg_escape(g->out, title);
	g_string_append(g->out, "</text>\n<text class=\"note\" x=\"3\" y=\"34\">");
	svg_escape(g->out, note);
	g_string_append_printf(
		g->out,
		"</text>\n<text class=\"bar\" x=\"3\" y=\"50\"></text>\n"
		"<text class=\"button reset\" x=\"%d\" y=\"18\">all</text>\n"
		"<text class=\"button search\" x=\"%d\" y=\"18\">search</text>\n<text class=\"found\" x=\"%d\" y=\"34\"></text>\n",
		(int)WIDTH - 110, (int)WIDTH - 60, (int)WIDTH - 300);
	draw(g, g->tree->root, 0, 0);
}

static char *note_of(const struct profile *p, const struct frames *tree)
{
	GString *note = g_string_new(NULL);

	g_string_append_printf(note, "%" G_GUINT64_FORMAT " samples", tree->root->samples);
	if (tree->cut)
		g_string_append_printf(note, ", %.2f %% of them with stacks cut off",
				       100.0 * (double)tree->cut / (double)tree->root->samples);
	if (p->books.lost)
		g_string_append_printf(note, ", %" G_GUINT64_FORMAT " lost", p->books.lost);
	if (p->uncertain)
		g_string_append_printf(note,
				       ", in %.2f %% of them the innermost caller is not proven",
				       100.0 * (double)p->uncertain / (double)p->sampled);
	g_string_append_printf(note, ": %s", heading_verdict_word(p));
	if (opt.base)
		g_string_append(
			note,
			"; red: more than in the base, blue: less, grey: no more than chance");
	return g_string_free(note, FALSE);
}

static char *title_of(const struct profile *p, const struct profile_event *event, int inverted)
{
	const char *command = *p->command ? p->command : "whole machine";
	int cut = g_utf8_strlen(command, -1) > TITLE_MAX;
	char *shown = cut ? g_utf8_substring(command, 0, TITLE_MAX) : g_strdup(command);
	char *title = opt.title
			      ? g_strdup(opt.title)
			      : g_strdup_printf("%s%s, %s%s", shown, cut ? " .." : "", event->name,
						inverted ? ", from what ran to who called it" : "");

	g_free(shown);
	return title;
}

/* ---- whole ---------------------------------------------------------------------*/

/* --diff's capture; its events may differ, also in order. */
struct base {
	struct profile		*p;		/* NULL: without --diff */
	struct sample_filter	filter;
};

/* 0, or -1 after a message. */
static int base_open(struct base *b, const struct profile *p, const struct sample_filter *filter)
{
	*b = (struct base){ .filter = *filter };
	if (!opt.base)
		return 0;
	b->p = heading_open(who, opt.base);
	if (!b->p || program_samples(who, b->p))
		return -1;
	b->filter.event =
		heading_event(who, b->p, PROFILE_AT(p->events, event, filter->event)->name);
	if (b->filter.event == PROFILE_NONE) {
		profile_free(b->p);
		return -1;
	}
	heading_warn_empty(who, b->p, &b->filter);
	return 0;
}

static void append_graph(GString *out, const struct profile *p, const struct base *base,
			 const struct sample_filter *filter, int inverted, const char *id,
			 int hidden)
{
	struct frames *tree = frames_make(p, filter, inverted),
		      *then = base->p ? frames_make(base->p, &base->filter, inverted) : NULL;
	struct graph g = { .out = out,
			   .tree = tree,
			   .base = then,
			   .event = PROFILE_AT(p->events, event, filter->event),
			   .down = inverted };
	char *title = title_of(p, g.event, inverted);
	char *note = note_of(p, tree);

	append_svg(&g, id, title, note, hidden);
	g_free(note);
	g_free(title);
	frames_free(tree);
	if (then)
		frames_free(then);
}

static char *make_svg(const struct profile *p, const struct base *base,
		      const struct sample_filter *filter)
{
	GString *out = g_string_new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");

	append_graph(out, p, base, filter, opt.inverted, "flame", 0);
	g_string_append_printf(out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", flame_js);
	return g_string_free(out, FALSE);
}

static char *make_html(const struct profile *p, const struct base *base,
		       const struct sample_filter *filter)
{
	GString *out = g_string_new(
		"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");

	svg_escape(out, *p->command ? p->command : "whole machine");
	g_string_append(
		out,
		" - flame graph</title></head><body>\n<p><button data-show=\"callers\">From the program down to what ran</button>\n"
		"<button data-show=\"inverted\">From what ran to who called it</button>\n"
		"<input type=\"search\" placeholder=\"search (regular expression)\" size=\"30\"></p>\n");
	append_graph(out, p, base, filter, 0, "callers", opt.inverted);
	g_string_append(out, "</svg>\n");
	append_graph(out, p, base, filter, 1, "inverted", !opt.inverted);
	g_string_append_printf(out, "</svg>\n<script>\n%s</script>\n</body></html>\n", flame_js);
	return g_string_free(out, FALSE);
}

static int run(struct profile *p, const struct sample_filter *filter)
{
	int html = svg_is_html(opt.output), status;
	struct base base;
	char *text;

	if (base_open(&base, p, filter))
		return 1;
	heading_warn_empty(who, p, filter);
	text = html ? make_html(p, &base, filter) : make_svg(p, &base, filter);
	status = program_write(who, opt.output, text, strlen(text));
	g_free(text);
	if (base.p)
		profile_free(base.p);
	return status;
}

static int check(const char *path)
{
	if (!opt.output)
		opt.output = g_strdup_printf("%s.svg", path);
	return svg_check_name(opt.output, "a flame graph");
}

#define OPTION_INTO struct flame_options
static const struct option_row rows[] = {
	TEXT('o', "output", "NAME", "NAME.svg or NAME.html (default: FILE.svg; -: stdout)", output)
	FLAG('i', "inverted", "from what ran to who called it", inverted)
	TEXT(0, "diff", "BASE", "colours show the change against another capture", base)
	TEXT('t', "title", "TEXT", "what stands above it", title)
	{ .kind = OPTION_END },
};

int main(int argc, char **argv)
{
	const struct program_of flame = { .name = who,
					  .what = "Shows a capture as a flame graph.",
					  .rows = rows,
					  .into = &opt,
					  .check = check,
					  .run = run };

	return program_main(&flame, argc, argv);
}
