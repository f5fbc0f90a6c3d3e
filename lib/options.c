/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.c - see options.h: one reader for the command lines of all programs, and their --help.
 */
#include "lib/options.h"

#include "config.h"
#include "lib/distance.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct walk {
	const struct option_program *of;
	void		*into;
	int		argc, i;	/* argv[i] is what is read */
	int		nwords;		/* before it */
	char		**argv;
	enum option_result result;
};

static const char *program = "lapwing";

int options_fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "%s: ", program);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	return -1;
}

/* ---- help ----------------------------------------------------------------------*/

void options_show(const struct option_row *row, char *text, size_t size)
{
	char letter[3] = { '-', (char)row->letter, 0 };
	const char *between = !row->arg || row->arg[0] == '[' ? "" : row->name ? "=" : " ";

	snprintf(text, size, "%s%s%s%s%s%s", row->letter ? letter : "",
		 row->letter && row->name ? ", " : "", row->name ? "--" : "",
		 row->name ? row->name : "", between, row->arg ? row->arg : "");
}

void options_help(const struct option_program *of, FILE *to)
{
	char left[80];

	fprintf(to, "%s\n", of->usage);
	for (const struct option_row *r = of->rows; r->kind != OPTION_END; r++) {
		if (r->kind == OPTION_IGNORED || r->kind == OPTION_REFUSED)
			continue;
		if (r->kind == OPTION_TITLE) {
			fprintf(to, "\n%s:\n", r->text);
			continue;
		}
		options_show(r, left, sizeof(left));
		fprintf(to, "  %s%-*s %s\n", r->letter ? "" : "    ", r->letter ? 30 : 26, left,
			r->text);
	}
	if (of->after)
		fprintf(to, "\n%s\n", of->after);
	if (of->more)
		of->more(to);
}

/* ---- values --------------------------------------------------------------------*/

static int set_whole(int *to, const char *shown, const char *value)
{
	char *end;
	long number;

	errno = 0;
	number = strtol(value, &end, 10);
	if (errno || end == value || *end || number < 0 || number != (int)number)
		return options_fail("%s '%s': expected a whole number, 0 or more", shown, value);
	*to = (int)number;
	return 0;
}

static int set_number(double *to, const char *shown, const char *value, int is_time)
{
	char *end;
	double number = strtod(value, &end);

	if (end == value || *end || !(is_time ? number > 0 : number >= 0))
		return options_fail("%s '%s': expected %s", shown, value,
				    is_time ? "seconds, e.g. 5 or 0.5" : "a number, 0 or more");
	*to = number;
	return 0;
}

/* "a|b|c" as "a, b or c". */
static void show_words(const char *words, char *text, size_t size)
{
	size_t at = 0;

	for (const char *p = words; *p && at + 5 < size; p++)
		if (*p == '|')
			at += (size_t)snprintf(text + at, size - at, "%s",
					       strchr(p + 1, '|') ? ", " : " or ");
		else
			text[at++] = *p;
	text[at] = 0;
}

static int set_choice(int *to, const struct option_row *row, const char *shown, const char *value)
{
	const char *word = row->arg;
	char words[80];

	for (int i = 1; ; i++) {
		size_t n = strcspn(word, "|");

		if (strlen(value) == n && !memcmp(word, value, n)) {
			*to = i;
			return 0;
		}
		if (!word[n])
			break;
		word += n + 1;
	}
	show_words(row->arg, words, sizeof(words));
	return options_fail("%s '%s': expected %s", shown, value, words);
}

static int add_to_list(struct option_list *list, const char *value)
{
	const char **item = realloc(list->item, (list->count + 2) * sizeof(*item));

	if (!item)
		return options_fail("%s", strerror(errno));
	list->item = item;
	item[list->count++] = value;
	item[list->count] = NULL;
	return 0;
}

void options_free_list(struct option_list *list)
{
	free(list->item);
	*list = (struct option_list){ 0 };
}

/* Does what the row says. Returns 0, or -1 to end the reading with w->result. */
static int set(struct walk *w, const struct option_row *row, const char *shown, const char *value)
{
	void *to = (char *)w->into + row->place;

	switch (row->kind) {		/* flat switch */
	case OPTION_FLAG: *(int *)to = 1; return 0;
	case OPTION_TEXT: *(const char **)to = value; return 0;
	case OPTION_LIST: return add_to_list(to, value);
	case OPTION_CHOICE: return set_choice(to, row, shown, value);
	case OPTION_WHOLE: return set_whole(to, shown, value);
	case OPTION_NUMBER: return set_number(to, shown, value, 0);
	case OPTION_SECONDS: return set_number(to, shown, value, 1);
	case OPTION_CALL: return row->call(w->into, shown, value);
	case OPTION_REFUSED: return options_fail("%s refused: %s", shown, row->text);
	case OPTION_IGNORED:
		fprintf(stderr, "%s: %s ignored: %s\n", program, shown, row->text);
		return 0;
	case OPTION_HELP:
		options_help(w->of, stdout);
		break;
	case OPTION_VERSION:
		printf("%s %s\n", program, PACKAGE_VERSION);
		break;
	case OPTION_TITLE:
	case OPTION_END:
		break;
	}
	w->result = OPTIONS_DONE;
	return -1;
}

/* ---- finding rows --------------------------------------------------------------*/

/* Finds a row by its letter, or by its name if letter is 0. */
static const struct option_row *find_in(const struct option_row *rows, int letter, const char *name)
{
	for (const struct option_row *r = rows; r && r->kind != OPTION_END; r++)
		if (letter ? r->letter == letter : r->name && !strcmp(r->name, name))
			return r;
	return NULL;
}

static const struct option_row *find(const struct option_program *of, int letter, const char *name)
{
	const struct option_row *row = find_in(of->rows, letter, name);

	return row ? row : find_in(of->others, letter, name);
}

static void find_nearest(const struct option_row *rows, const char *name, const char **nearest,
			 unsigned *best)
{
	for (const struct option_row *r = rows; r && r->kind != OPTION_END; r++) {
		unsigned distance = r->name ? edit_distance(name, r->name) : *best;

		if (distance < *best) {
			*best = distance;
			*nearest = r->name;
		}
	}
}

/* Suggests the nearest name, if at most a third of its letters differ and it has more than two. */
static int unknown(const struct walk *w, const char *shown)
{
	const struct option_program *of = w->of;
	const char *behind = w->nwords && of->behind ? of->behind : "";
	const char *name = shown[1] == '-' ? shown + 2 : "", *nearest = NULL;
	unsigned best = (unsigned)(strlen(name) + 2) / 3 + 1;

	if (strlen(name) > 2) {
		find_nearest(of->rows, name, &nearest, &best);
		find_nearest(of->others, name, &nearest, &best);
	}
	return options_fail("unknown option '%s': %s%s%s%s%s --help lists the options", shown,
			    nearest ? "did you mean '--" : "", nearest ? nearest : "",
			    nearest ? "'? " : "", behind, program);
}

/* ---- the walker ----------------------------------------------------------------*/

static int needs_value(const struct option_row *row)
{
	return row->arg && row->arg[0] != '[';
}

/* --no-NAME of a flag. Returns 0, or -1 after reporting an error. */
static int read_negative(struct walk *w, const char *shown)
{
	size_t n = strlen("--no-");
	const struct option_row *row =
		strncmp(shown, "--no-", n) ? NULL : find(w->of, 0, shown + n);

	if (!row || row->kind != OPTION_FLAG)
		return unknown(w, shown);
	*(int *)((char *)w->into + row->place) = 0;
	return 0;
}

/* --name, --name=value, --name value; `shown` is the option without its value. */
static int read_name(struct walk *w, const char *shown, const char *value)
{
	const struct option_row *row = find(w->of, 0, shown + 2);

	if (!row)
		return value ? unknown(w, shown) : read_negative(w, shown);
	if (value && !row->arg)
		return options_fail("%s takes no value", shown);
	if (!value && needs_value(row)) {
		if (w->i + 1 >= w->argc)
			return options_fail("%s needs a value: %s=%s", shown, shown, row->arg);
		value = w->argv[++w->i];
	}
	return set(w, row, shown, value);
}

static int read_long(struct walk *w)
{
	const char *word = w->argv[w->i], *equal = strchr(word, '=');
	char *shown = equal ? strndup(word, (size_t)(equal - word)) : strdup(word);
	int rc;

	if (!shown)
		return options_fail("%s", strerror(errno));
	rc = read_name(w, shown, equal ? equal + 1 : NULL);
	free(shown);
	return rc;
}

/* The value of the letter at p: the rest of the word, or the next word, or NULL at the end. */
static const char *value_of(struct walk *w, const char *p)
{
	if (p[1] == '=' && !w->of->keeps_equal)
		return p + 2;
	if (p[1])
		return p + 1;
	return ++w->i < w->argc ? w->argv[w->i] : NULL;
}

/* -v, -vp4, -p4, -p 4, -p=4. */
static int read_letters(struct walk *w)
{
	for (const char *p = w->argv[w->i] + 1; *p; p++) {
		const struct option_row *row = find(w->of, *p, NULL);
		char shown[3] = { '-', *p, 0 };
		const char *value = NULL;

		if (!row)
			return unknown(w, shown);
		if (needs_value(row)) {
			value = value_of(w, p);
			if (!value)
				return options_fail("%s needs a value: %s %s", shown, shown,
						    row->arg);
		}
		if (set(w, row, shown, value))
			return -1;
		if (value)
			break;
	}
	return 0;
}

static int is_option(const char *word)
{
	return word[0] == '-' && word[1];
}

/* Takes argv[i] and all that follow as words, whatever they look like. */
static void parse_all(struct walk *w, struct option_words *words)
{
	while (w->i < w->argc)
		words->word[words->count++] = w->argv[w->i++];
}

enum option_result options_read(const struct option_program *of, void *into, int argc, char **argv,
				struct option_words *words)
{
	struct walk w = { of, into, argc, 1, 0, argv, OPTIONS_BAD };

	program = of->name;
	*words = (struct option_words){ .word = argv + (argc > 0) };
	for (; w.i < argc; w.i++) {
		w.nwords = words->count;
		if (!strcmp(argv[w.i], "--")) {
			w.i++;
			if (of->apart)
				words->rest = argv + w.i;
			else
				parse_all(&w, words);
			break;
		}
		if (is_option(argv[w.i])) {
			if (argv[w.i][1] == '-' ? read_long(&w) : read_letters(&w))
				return w.result;
		} else if (of->in_order) {
			parse_all(&w, words);
			break;
		} else {
			words->word[words->count++] = argv[w.i];
		}
	}
	words->word[words->count] = NULL;
	return OPTIONS_GO;
}

void options_read_or_exit(const struct option_program *of, void *into, int argc, char **argv,
			  struct option_words *words)
{
	enum option_result result = options_read(of, into, argc, argv, words);

	if (result == OPTIONS_BAD)
		exit(of->usage_status ? of->usage_status : 1);
	if (result == OPTIONS_DONE)
		exit(0);
}
