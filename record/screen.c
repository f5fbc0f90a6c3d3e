/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen.c - see screen.h; uses ncurses.
 */
#include "record/screen.h"

#include "report/tally.h"

#include <curses.h>

static const struct grouping {
	int		key;
	const char	*keys, *what;
} groupings[] = {
	{ 'f', "function,image",	"functions" },
	{ 'n', "name",			"programs" },
	{ 'p', "process",		"processes" },
	{ 't', "thread",		"threads" },
	{ 'i', "image",			"images" },
	{ 'b', "name,function",		"functions of each program" },
	{ 'm', "mode",			"user, kernel and idle" },
	{ 'c', "cpu",			"processors" },
};

static const struct grouping *grouping = groupings;
static SCREEN *terminal;
static guint event;		/* number of the event shown, modulo the number of events */
static int helping;

int screen_open(void)
{
	terminal = newterm(NULL, stdout, stdin);
	if (!terminal)
		return -1;
	cbreak();
	noecho();
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	curs_set(0);
	return 0;
}

void screen_close(void)
{
	if (!terminal)
		return;
	endwin();
	delscreen(terminal);
	terminal = NULL;
}

/* Lines are cut off at the screen's width. */
static G_GNUC_PRINTF(3, 4) void draw_line(int y, int x, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	mvaddnstr(y, x, text, COLS > x ? COLS - x : 0);
	g_free(text);
}

static void draw_heading(const struct profile *p, const struct tally *t, guint shown, int over)
{
	const char *what = p->system_wide ? "the whole machine"
			   : *p->command ? p->command
			   : "running processes";
	guint64 idle = 0;

	for (guint i = 0; i < p->samples->len; i++) {
		const struct profile_sample *s = PROFILE_AT(p->samples, sample, i);

		idle += s->event == shown && profile_is_idle(p, s);
	}
	draw_line(0, 0, "lapwing top: %s%s", what, over ? "; it has ended" : "");
	draw_line(1, 0,
		  "last 5 s: %" G_GUINT64_FORMAT " samples, %.1f %% idle, %" G_GUINT64_FORMAT
		  " lost since the start; by %s   "
		  "(h: help, q: quit)",
		  t->samples, t->samples ? 100.0 * (double)idle / (double)t->samples : 0,
		  p->books.lost, grouping->what);
	if (p->events->len > 1)
		draw_line(2, 0, "%s, event %u of %u (e: the next one)",
			  PROFILE_AT(p->events, event, shown)->name, shown + 1, p->events->len);
}

static void draw_rows(const struct tally *t)
{
	int lines = getmaxy(stdscr);
	GString *text = g_string_new("      %   +-   samples");

	for (const struct key *const *key = t->keys; *key; key++)
		g_string_append_printf(text, "  %-*s", key[1] ? 32 : 1, (*key)->title);
	attron(A_REVERSE);
	draw_line(3, 0, "%-*s", COLS, text->str);
	attroff(A_REVERSE);
	for (guint i = 0; i < t->rows->len && 4 + (int)i < lines; i++) {
		const struct tally_row *row = &g_array_index(t->rows, struct tally_row, i);
		const struct tally_share share = tally_share(t, row);

		g_string_printf(text, "%7.2f %4.1f %9" G_GUINT64_FORMAT,
				t->weight ? 100.0 * (double)row->weight / (double)t->weight : 0,
				100.0 * tally_interval(&share), row->samples);
		for (guint k = 0; t->keys[k]; k++)
			g_string_append_printf(text, "  %-*s", t->keys[k + 1] ? 32 : 1,
					       tally_text(row, k));
		draw_line(4 + (int)i, 0, "%s", text->str);
	}
	g_string_free(text, TRUE);
}

static void draw_help(void)
{
	int line = 3;

	for (guint i = 0; i < G_N_ELEMENTS(groupings); i++)
		draw_line(line++, 4, "%c     by %s", groupings[i].key, groupings[i].what);
	draw_line(line++, 4, "e     the next event, of several");
	draw_line(line++, 4, "h, ?  this help, and back");
	draw_line(line++, 4, "q, ^C quit");
	draw_line(line + 1, 4,
		  "+- is the half width of the 95 %% confidence interval of a share, in percent.");
}

void screen_draw(const struct profile *p, int over)
{
	const struct sample_filter filter = { .event =
						      p->events->len ? event % p->events->len : 0 };
	const struct key **keys = keys_parse(grouping->keys, NULL);
	struct tally *t;

	erase();
	if (p->events->len) {
		t = tally_make(p, keys, &filter);
		draw_heading(p, t, filter.event, over);
		if (helping)
			draw_help();
		else
			draw_rows(t);
		tally_free(t);
	}
	g_free(keys);
	refresh();
}

enum screen_key screen_key(void)
{
	enum screen_key what = SCREEN_NOTHING;

	for (int key; what != SCREEN_QUIT && (key = getch()) != ERR; ) {
		if (key == 'q')
			what = SCREEN_QUIT;
		else
			what = SCREEN_CHANGED;
		if (key == 'h' || key == '?')
			helping = !helping;
		event += key == 'e';
		for (guint i = 0; i < G_N_ELEMENTS(groupings); i++)
			if (key == groupings[i].key) {
				grouping = &groupings[i];
				helping = 0;
			}
	}
	return what;
}
