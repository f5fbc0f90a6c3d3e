/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diag.c - prints errors, warnings and notes with the place underlined.
 *
 * Input: a code of diag.def and a place; output: text on the sink's stream, and
 * counts.  Does not decide what an error means for the run.
 *
 *   parse error: expected ')'
 *           saw: identifier 'b' at x.stp:1:25
 *        source: probe begin { println(a b) }
 *                                        ^
 */
#include "lib/diag.h"

#include "lib/edit_distance.h"
#include "lib/failure.h"

#include <ctype.h>
#include <string.h>

enum { NOT_HERE = 1 };

static const struct {
	const char *number, *name;
	enum diag_severity severity;
	const char *text;
	int not_here;
} messages[] = {
#define DIAG(number, name, severity, ...) \
	[D_##name] = { #number, #name, DIAG_##severity, __VA_ARGS__ },
#include "lib/diag.def"
#undef DIAG
};

_Static_assert(G_N_ELEMENTS(messages) == D_COUNT, "diag.def: every code has a message");

/* Two rows with the same number do not compile. */
enum {
#define DIAG(number, ...) NUMBER_##number,
#include "lib/diag.def"
#undef DIAG
};

static const char *const hints[D_COUNT] = {
#define HINT(name, text) [D_##name] = text,
#include "lib/hint.def"
#undef HINT
};

/* How each severity looks: the word in front, the indentation of its source line, its colour. */
static const struct {
	const char *word;
	const char *source;
	enum color_key color;
} shapes[] = {
	[DIAG_ERROR]	= { "ERROR:",		"        source: ",	COLOR_ERROR },
	[DIAG_PARSE]	= { "parse error:",	"     source: ",	COLOR_ERROR },
	[DIAG_PARSE_AT]	= { "parse error:",	"     source: ",	COLOR_ERROR },
	[DIAG_SEMANTIC]	= { "semantic error:",	"        source: ",	COLOR_ERROR },
	[DIAG_WARNING]	= { "WARNING:",		" source: ",		COLOR_WARNING },
};

void diag_init(struct diag_sink *sink, FILE *to)
{
	memset(sink, 0, sizeof(*sink));
	sink->to = to;
	sink->seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

void diag_clear(struct diag_sink *sink)
{
	g_hash_table_destroy(sink->seen);
	if (sink->table)
		g_string_free(sink->table, TRUE);
	memset(sink, 0, sizeof(*sink));
}

static size_t word_length(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && (isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == '$'))
		n++;
	return n;
}

static int is_keyword(const char *text, size_t len)
{
	static const char words[] =
		" probe global private function if else for foreach in limit return delete "
		"while break continue next string long try catch ";
	char *padded = g_strdup_printf(" %.*s ", (int)len, text);
	int found = strstr(words, padded) != NULL;

	g_free(padded);
	return found;
}

static char *describe_string(const char *text, size_t len)
{
	size_t n = 1;

	while (n < len && text[n] != '"' && text[n] != '\n')
		n += text[n] == '\\' ? 2 : 1;
	return g_strdup_printf("string '%.*s'", (int)MIN(n, len) - 1, text + 1);
}

/* The first token of the text at loc, as messages describe it. */
static char *describe(const struct loc *loc)
{
	const char *text = loc->src->text + loc->start;
	size_t len = loc->end > loc->start ? MIN((size_t)loc->end, loc->src->len) - loc->start : 1;
	size_t word = word_length(text, len);

	if (len >= 2 && text[0] == '%' && text[1] == '{')
		return g_strdup("embedded-code");
	if (text[0] == '"')
		return describe_string(text, len);
	if (word && isdigit((unsigned char)text[0]))
		return g_strdup_printf("number '%.*s'", (int)word, text);
	if (word && is_keyword(text, word))
		return g_strdup("keyword");
	if (word)
		return g_strdup_printf("identifier '%.*s'", (int)word, text);
	if (text[0] == '@')
		return g_strdup_printf("operator '%.*s'", (int)word_length(text + 1, len - 1) + 1,
				       text);
	for (word = 0; word < len && word < 3 && ispunct((unsigned char)text[word]); word++)
		;
	if (word == len)
		return g_strdup_printf("operator '%.*s'", (int)len, text);
	return isprint((unsigned char)text[0]) ? g_strdup_printf("operator '%c'", text[0]) :
		g_strdup_printf("byte 0x%02x", (unsigned char)text[0]);
}

struct excerpt {
	GString	*line, *indent, *under;	/* the text, and what is below it: blanks, then ^~~ */
};

/* The source line; very long lines are cut to a screen's width around the location. */
static struct excerpt excerpt_of(const struct loc *loc)
{
	const unsigned before = 160, after = 160;
	struct excerpt x = { g_string_new(NULL), g_string_new(NULL), g_string_new("^") };
	struct place place;
	size_t from, to, at, width;

	source_locate(loc->src, loc->start, &place);
	at = place.column - 1;
	from = at > before ? at - before : 0;
	to = MIN(place.text_len, at + after);
	width = loc->end > loc->start ? loc->end - loc->start : 1;
	width = at < to ? CLAMP(width, 1, to - at) : 1;
	for (size_t i = from; i < to; i++) {
		unsigned char c = place.text[i];

		g_string_append_c(x.line, c == '\t' || c >= 0x80 || isprint(c) ? c : '?');
	}
	for (size_t i = from; i < at; i++) {
		/* a multibyte character takes one column on the screen */
		if (((unsigned char)place.text[i] & 0xc0) != 0x80)
			g_string_append_c(x.indent, place.text[i] == '\t' ? '\t' : ' ');
	}
	for (size_t i = 1; i < width; i++) {
		if (((unsigned char)place.text[at + i] & 0xc0) != 0x80)
			g_string_append_c(x.under, '~');
	}
	return x;
}

static void excerpt_free(struct excerpt *x)
{
	g_string_free(x->line, TRUE);
	g_string_free(x->indent, TRUE);
	g_string_free(x->under, TRUE);
}

static void print_source(struct diag_sink *sink, const struct loc *loc, const char *lead)
{
	struct excerpt x = excerpt_of(loc);

	fputs(lead, sink->to);
	color_print(&sink->color, COLOR_SOURCE, x.line->str, sink->to);
	fprintf(sink->to, "\n%*s%s", (int)strlen(lead), "", x.indent->str);
	color_print(&sink->color, COLOR_CARET, x.under->str, sink->to);
	fputc('\n', sink->to);
	excerpt_free(&x);
}

char *diag_excerpt(const struct loc *loc)
{
	const char *lead = shapes[DIAG_ERROR].source;
	struct excerpt x = excerpt_of(loc);
	char *text = g_strdup_printf("%s%s\n%*s%s%s", lead, x.line->str, (int)strlen(lead), "",
				     x.indent->str, x.under->str);

	excerpt_free(&x);
	return text;
}

/*
 * "identifier 'x' at FILE:LINE:COL"; the file name is omitted if the message before had the same
 * one.
 */
static void print_place(struct diag_sink *sink, const struct loc *loc, int repeat_file)
{
	struct place place;
	char *token;

	if (loc->start >= loc->src->len) {
		fprintf(sink->to, "%s EOF", loc->src->name);
	} else {
		source_locate(loc->src, loc->start, &place);
		token = describe(loc);
		color_print(&sink->color, COLOR_TOKEN, token, sink->to);
		fprintf(sink->to, " at %s:%u:%u",
			!repeat_file && sink->last == loc->src ? "" : loc->src->name, place.line,
			place.column);
		g_free(token);
	}
	sink->last = loc->src;
}

static void print_line_of(struct diag_sink *sink, const struct loc *loc,
			  enum diag_severity severity)
{
	fputc('\n', sink->to);
	if (loc->start < loc->src->len)
		print_source(sink, loc, shapes[severity].source);
}

/* Prints the expansions that led here, innermost first; macros can nest deeper than is useful. */
static void print_expansions(struct diag_sink *sink, enum diag_severity severity,
			     const struct loc *loc)
{
	const struct loc *last = loc;
	unsigned shown = 0;

	for (const struct expansion *x = loc->via; x && shown < 5; last = &x->at, x = x->at.via) {
		if (x->at.src == last->src && x->at.start == last->start)
			continue;	/* a macro that refers to itself */
		shown++;
		fprintf(sink->to, "in expansion of %s: ", x->what);
		print_place(sink, &x->at, 0);
		print_line_of(sink, &x->at, severity);
	}
}

static void close_block(struct diag_sink *sink)
{
	if (sink->blank_due)
		fputc('\n', sink->to);
	sink->blank_due = 0;
}

/* Each expansion that led here, as print_expansions(). */
static void relate_expansions(struct diag_json *json, const struct loc *loc)
{
	for (const struct expansion *x = loc ? loc->via : NULL; x; x = x->at.via) {
		char *text = g_strdup_printf("in expansion of %s", x->what);

		diag_json_related(json, text, &x->at);
		g_free(text);
	}
}

static void end_message(struct diag_sink *sink, const char *number)
{
	if (number)
		failure_end(sink->to, number);
}

/* number: of the message; NULL: it is a second one, which explains the one before. */
static void print_message(struct diag_sink *sink, enum diag_severity severity,
			  const struct loc *loc, const char *text, const char *number)
{
	close_block(sink);
	color_print(&sink->color, shapes[severity].color, shapes[severity].word, sink->to);
	fprintf(sink->to, " %s", text);
	if (!loc || !loc->src) {
		end_message(sink, number);
		fputc('\n', sink->to);
	} else if (severity == DIAG_PARSE || severity == DIAG_PARSE_AT) {
		end_message(sink, number);
		fputs(severity == DIAG_PARSE ? "\n        saw: " : "\n         at: ", sink->to);
		print_place(sink, loc, 1);
		print_line_of(sink, loc, severity);
		print_expansions(sink, severity, loc);
	} else {
		fputs(": ", sink->to);
		print_place(sink, loc, 0);
		end_message(sink, number);
		print_line_of(sink, loc, severity);
		print_expansions(sink, severity, loc);
	}
	sink->blank_due = severity != DIAG_WARNING && severity != DIAG_ERROR;
}

static void count(struct diag_sink *sink, enum diag_severity severity)
{
	switch (severity) {
	case DIAG_WARNING:
		sink->warnings++;
		if (sink->fatal_warnings)
			sink->errors++;
		break;
	case DIAG_PARSE:
	case DIAG_PARSE_AT:
		sink->parse_errors++;
		sink->errors++;
		break;
	case DIAG_ERROR:
	case DIAG_SEMANTIC:
	case DIAG_OTHER:
		sink->errors++;
		break;
	}
}

/*
 * True if a message of the same origin was printed: the same code at the same place, or with the
 * same text if it has no place.
 */
static int seen_before(struct diag_sink *sink, const struct loc *loc, enum diag_code code,
		       const char *text)
{
	char *origin;

	if (loc && loc->src)
		origin = g_strdup_printf("%d:%s:%u", code, loc->src->name, loc->start);
	else
		origin = g_strdup_printf("%d %s", code, text);
	return !g_hash_table_add(sink->seen, origin);
}

/* A row of --semantic-keep-going, in SystemTap's form. */
static void add_row(struct diag_sink *sink, const struct loc *loc, const char *text)
{
	struct place place = { 0 };
	char *token = NULL, *message = g_strdelimit(g_strdup(text), "\t\n", ' ');
	int is_placed = loc && loc->src && loc->start < loc->src->len;

	if (is_placed) {
		source_locate(loc->src, loc->start, &place);
		token = g_strndup(loc->src->text + loc->start,
				  MIN((size_t)loc->end, loc->src->len) - MIN(loc->start, loc->end));
		g_strdelimit(token, "\t\n", ' ');
	}
	g_string_append_printf(sink->table, "SEMANTIC_ERROR\t%s\t%u\t%u\t%s\t%s\n",
			       is_placed ? loc->src->name : "", place.line, place.column,
			       token ? token : "", message);
	g_free(token);
	g_free(message);
	sink->rows++;
}

void diag_args(struct diag_sink *sink, const struct loc *loc, enum diag_code code, va_list args)
{
	enum diag_severity severity = messages[code].severity;
	char *text = g_strdup_vprintf(messages[code].text, args);
	struct loc written = loc_written(loc ? *loc : (struct loc){ 0 });

	loc = loc ? &written : NULL;
	count(sink, severity);
	sink->not_here |= messages[code].not_here;
	sink->last_severity = severity;
	sink->last_printed = !(severity == DIAG_WARNING && sink->quiet);
	if (sink->last_printed && seen_before(sink, loc, code, text) && !sink->verbose) {
		sink->suppressed++;
		sink->last_printed = 0;
	}
	if (sink->last_printed && sink->table && severity == DIAG_SEMANTIC)
		add_row(sink, loc, text);
	if (sink->last_printed && sink->json) {
		diag_json_message(sink->json, severity == DIAG_WARNING, messages[code].number, text,
				  loc);
		relate_expansions(sink->json, loc);
	} else if (sink->last_printed) {
		print_message(sink, severity, loc, text, messages[code].number);
	}
	if (hints[code])
		diag_hint(sink, "%s", hints[code]);
	g_free(text);
}

void diag(struct diag_sink *sink, const struct loc *loc, enum diag_code code, ...)
{
	va_list args;

	va_start(args, code);
	diag_args(sink, loc, code, args);
	va_end(args);
}

void diag_chain(struct diag_sink *sink, const struct loc *loc, const char *format, ...)
{
	va_list args;
	char *text;

	if (!sink->last_printed)
		return;
	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	if (sink->json)
		diag_json_related(sink->json, text, loc);
	else
		print_message(sink, sink->last_severity, loc, text, NULL);
	g_free(text);
}

void diag_hint(struct diag_sink *sink, const char *format, ...)
{
	va_list args;
	char *text;

	if (!sink->last_printed)
		return;
	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	if (sink->json)
		diag_json_hint(sink->json, text);
	else
		fprintf(sink->to, "        hint: %s\n", text);
	g_free(text);
}

void diag_finish(struct diag_sink *sink)
{
	sink->last_printed = 0;
	if (sink->json)
		return;
	close_block(sink);
	if (sink->parse_errors)
		fprintf(sink->to, "%u parse error%s.\n", sink->parse_errors,
			sink->parse_errors == 1 ? "" : "s");
	if (sink->suppressed)
		fprintf(sink->to,
			"Number of similar error messages suppressed: %u.\n"
			"Rerun with -v to see them.\n",
			sink->suppressed);
	if (sink->rows)
		fprintf(sink->to, "SEMANTIC_ERRORS: %u\n%sSEMANTIC_ERRORS_END\n", sink->rows,
			sink->table->str);
	sink->rows = 0;
}

const char *diag_number(enum diag_code code)
{
	return messages[code].number;
}

const char *diag_name(enum diag_code code)
{
	return messages[code].name;
}

struct candidate {
	const char	*name;
	unsigned	distance;
};

static gint compare_candidates(gconstpointer a, gconstpointer b)
{
	const struct candidate *x = a, *y = b;

	return x->distance != y->distance ? (x->distance < y->distance ? -1 : 1)
					  : strcmp(x->name, y->name);
}

char *diag_similar(const char *name, GPtrArray *names, unsigned max)
{
	GArray *found = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	GString *text = g_string_new(NULL);
	const char *last = NULL;

	for (unsigned i = 0; i < names->len; i++) {
		struct candidate c = { .name = g_ptr_array_index(names, i) };

		c.distance = edit_distance(name, c.name);
		/*
		 * a distance of more than half the word does not help; a distance of one does, even
		 * for one letter
		 */
		if (c.distance <= strlen(name) / 2 + 1)
			g_array_append_val(found, c);
	}
	g_array_sort(found, compare_candidates);
	for (unsigned i = 0, shown = 0; i < found->len && shown < max; i++) {
		const struct candidate *c = &g_array_index(found, struct candidate, i);

		if (last && !strcmp(last, c->name))
			continue;
		g_string_append_printf(text, "%s%s", text->len ? ", " : "", c->name);
		last = c->name;
		shown++;
	}
	g_array_free(found, TRUE);
	return g_string_free(text, text->len == 0);
}

int diag_is_close(const char *name, const char *similar)
{
	char *first = similar ? g_strndup(similar, strcspn(similar, ",")) : NULL;
	int close = first &&
		    edit_distance(name, first) <= MIN((strlen(name) + 2) / 3, strlen(name) - 1);

	g_free(first);
	return close;
}

void diag_suggest(struct diag_sink *sink, const char *name, const char *similar)
{
	if (diag_is_close(name, similar))
		diag_hint(sink, "did you mean '%.*s'?", (int)strcspn(similar, ","), similar);
}
