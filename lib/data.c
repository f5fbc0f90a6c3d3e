/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data.c - see data.h. Members of the outermost object and items of its arrays have lines of their
 * own.
 */
#include "lib/data.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int data_ask(enum data_form *form, enum data_form wanted)
{
	if (*form && *form != wanted)
		return option_fail(FAILURE_OPTION_CONFLICT, "--json and --csv: only one of them");
	*form = wanted;
	return 0;
}

static int ask_json(void *into, const char *value)
{
	(void)value;
	return data_ask(into, DATA_JSON);
}

static int ask_csv(void *into, const char *value)
{
	(void)value;
	return data_ask(into, DATA_CSV);
}

const struct option_row data_options[] = {
	FUNCTION(0, "json", NULL, "print JSON", ask_json)
	FUNCTION(0, "csv", NULL, "print the rows as CSV with a header", ask_csv)
	{ .kind = OPTION_END },
};

/* ---- text --------------------------------------------------------------------*/

/* The length of the UTF-8 character that begins the text; 0: it is none. */
static size_t character(const unsigned char *s)
{
	static const unsigned least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = *s < 0xc0 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : *s < 0xf8 ? 4 : 0;
	unsigned code = *s & (0x7fu >> n);

	if (*s < 0x80)
		return 1;
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (s[i] & 0x3f);
	}
	return code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : n;
}

/* Puts a backslash, or of CSV a second quote, before what needs it. */
static void put_text(FILE *to, const char *text, int csv)
{
	for (size_t n; *text; text += n ? n : 1) {
		n = character((const unsigned char *)text);
		if (!n)
			fputs("\xef\xbf\xbd", to);
		else if (!csv && (unsigned char)*text < ' ')
			fprintf(to, "\\u%04x", (unsigned)*text);
		else if (*text == '"' || (*text == '\\' && !csv))
			fprintf(to, "%c%c", csv ? '"' : '\\', *text);
		else
			fwrite(text, 1, n, to);
	}
}

static void put_quoted(FILE *to, const char *text, int csv)
{
	int quotes = !csv || strpbrk(text, ",\"\r\n");

	fputs(quotes ? "\"" : "", to);
	put_text(to, text, csv);
	fputs(quotes ? "\"" : "", to);
}

/* ---- values --------------------------------------------------------------------*/

/* What is between this value and the one before, and its name. False: CSV leaves the value out. */
static int begin_value(struct data *d, const char *name)
{
	unsigned n = d->count[d->depth]++;

	if (d->row && d->depth == d->row) {
		assert(d->columns[d->column]);
		name = d->columns[d->column++];
	}
	if (d->form == DATA_CSV) {
		if (n && d->cell)
			fputc(d->kind[d->depth] == '{' ? ':' : ' ', d->cell);
		else if (n && d->row)
			fputc(',', d->to);
		return d->row != 0;
	}
	fputs(n ? "," : "", d->to);
	if (d->depth == 1)
		fputs("\n  ", d->to);
	else if (d->depth == 2 && d->kind[2] == '[')
		fputs("\n    ", d->to);
	else if (d->wrap)
		fputs("\n      ", d->to);
	else if (n || d->kind[d->depth] == '{')
		fputc(' ', d->to);
	d->wrap = 0;
	if (name) {
		put_quoted(d->to, name, 0);
		fputs(": ", d->to);
	}
	return 1;
}

void data_text(struct data *d, const char *name, const char *text)
{
	if (!text && d->cell)
		return;
	if (!begin_value(d, name))
		return;
	if (d->cell)
		fputs(text, d->cell);
	else if (text)
		put_quoted(d->to, text, d->form == DATA_CSV);
	else if (d->form == DATA_JSON)
		fputs("null", d->to);
}

void data_value(struct data *d, const char *name, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (begin_value(d, name))
		vfprintf(d->cell ? d->cell : d->to, format, args);
	va_end(args);
}

static void open_value(struct data *d, const char *name, char kind)
{
	int is_cell = begin_value(d, name) && d->form == DATA_CSV && !d->cell;

	assert(d->depth + 1 < DATA_DEPTH);
	d->kind[++d->depth] = kind;
	d->count[d->depth] = 0;
	if (d->form == DATA_JSON)
		fputc(kind, d->to);
	else if (is_cell)
		d->cell = open_memstream(&d->text, &d->size);
}

void data_object(struct data *d, const char *name) { open_value(d, name, '{'); }

void data_array(struct data *d, const char *name) { open_value(d, name, '['); }

void data_wrap(struct data *d) { d->wrap = 1; }

static void end_cell(struct data *d)
{
	fclose(d->cell);
	d->cell = NULL;
	put_quoted(d->to, d->text, 1);
	free(d->text);
}

void data_close(struct data *d)
{
	int is_row = d->row && d->depth == d->row, is_object = d->kind[d->depth] == '{';
	unsigned n = d->count[d->depth], depth = d->depth--;

	if (is_row) {
		assert(!d->columns[d->column]);
		d->row = 0;
	}
	if (d->form == DATA_JSON)
		fputs(is_object ? " }" : depth == 2 && n ? "\n  ]" : "]", d->to);
	else if (is_row)
		fputc('\n', d->to);
	else if (d->cell && d->depth == d->row)
		end_cell(d);
}

void data_rows(struct data *d, const char *name, const char *const *columns)
{
	data_array(d, name);
	d->columns = columns;
	for (unsigned i = 0; d->form == DATA_CSV && columns[i]; i++) {
		fputs(i ? "," : "", d->to);
		put_quoted(d->to, columns[i], 1);
	}
	if (d->form == DATA_CSV)
		fputc('\n', d->to);
}

void data_row(struct data *d)
{
	data_object(d, NULL);
	d->row = d->depth;
	d->column = 0;
}

/* ---- whole -----------------------------------------------------------------------*/

void data_begin(struct data *d, FILE *to, enum data_form form, const char *schema)
{
	*d = (struct data){ .to = to, .form = form, .depth = 1, .kind = { 0, '{' } };
	if (form == DATA_JSON)
		fputc('{', to);
	if (schema)
		data_text(d, "schema", schema);
}

int data_end(struct data *d, const char *who, const char *path)
{
	int failed;

	assert(d->depth == 1);
	if (d->form == DATA_JSON)
		fputs("\n}\n", d->to);
	if (d->to == stdout)		/* flushed, and judged, at exit: lib/streams.h */
		return 0;
	failed = fflush(d->to) || ferror(d->to);
	if (failed)
		failure_print(who, FAILURE_FILE_WRITE, "cannot write %s: %s", path, strerror(errno));
	return failed;
}
