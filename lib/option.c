/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * option.c - see option.h.
 */
#include "lib/option.h"

#include "config.h"
#include "lib/edit_distance.h"
#include "lib/streams.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option_program *program;	/* the program whose options are being read */
static const char *who;		/* what messages begin with: its name, or the origin of an option */
static int answered;		/* --help and others: exit status, plus one */

int option_fail(enum failure_code code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	failure_print_args(who, code, format, args);
	va_end(args);
	return -1;
}

void option_note(const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s: ", who);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

/* ---- options of every program ----------------------------------------------------*/

static int answer_help(void *into, const char *topic);

static int answer_version(void *into, const char *value)
{
	(void)into;
	(void)value;
	printf("%s " PACKAGE_VERSION "\n", program->name);
	return 0;
}

static const struct option_row *common(void)
{
	static struct option_row rows[] = {
		ANSWER('h', "help", NULL, "this text", answer_help)
		ANSWER('V', "version", NULL, "the version", answer_version)
		{ .kind = OPTION_END },
	};

	rows[0].arg = program->topics ? program->topics : "[=all]";
	return rows;
}

/* The row after `row` (NULL: the first) in all tables, the common ones last. NULL: no more. */
static const struct option_row *next_row(const struct option_row *row, unsigned *table, void **into)
{
	if (!row)
		row = program->tables[*table = 0].rows ? program->tables[0].rows : common();
	else
		row++;
	while (row->kind == OPTION_END) {
		if (!program->tables[*table].rows)
			return NULL;
		++*table;
		row = program->tables[*table].rows ? program->tables[*table].rows : common();
	}
	*into = program->tables[*table].into;
	return row;
}

static int table_is_common(unsigned table)
{
	return !program->tables[table].rows;
}

#define EACH_ROW(row, table, into) \
	for (row = next_row(NULL, &(table), &(into)); row; row = next_row(row, &(table), &(into)))

static int is_option(const struct option_row *r)
{
	return r->kind != OPTION_GROUP && r->kind != OPTION_MORE;
}

static int works(const struct option_row *r)
{
	return is_option(r) && r->kind != OPTION_IGNORED && r->kind != OPTION_REFUSED;
}

static int is_optional(const struct option_row *r)
{
	return r->arg && r->arg[0] == '[';
}

/* The row of a letter, or of a long name of `len` bytes, which may be abbreviated. */
static const struct option_row *find(int letter, const char *name, size_t len, void **into)
{
	const struct option_row *r, *cut = NULL;
	unsigned table, ncut = 0;
	void *of, *of_cut = NULL;

	EACH_ROW(r, table, of) {
		*into = of;
		if (letter ? r->letter == letter
			   : r->name && strlen(r->name) == len && !memcmp(r->name, name, len))
			return r;
		if (!letter && len && r->name && !strncmp(r->name, name, len)) {
			cut = r;
			of_cut = of;
			ncut++;
		}
	}
	*into = of_cut;
	return ncut == 1 ? cut : NULL;
}

/* True if an option of an earlier table has the letter, or the name. */
static int is_hidden(const struct option_row *r)
{
	void *into;

	return (r->letter ? find(r->letter, NULL, 0, &into)
			  : find(0, r->name, strlen(r->name), &into)) != r;
}

/* ---- texts from the tables ---------------------------------------------------------*/

#define LEFT	28	/* columns of an option in --help; its text begins behind them */
#define RIGHT	80	/* where texts are broken */

/* Prints a text from column LEFT on, at most up to RIGHT. */
static void print_wrapped(const char *text)
{
	size_t room = RIGHT - LEFT, len;

	while ((len = strlen(text)) > room) {
		for (len = room; len && text[len] != ' '; len--)
			;
		if (!len)
			break;
		printf("%.*s\n%*s", (int)len, text, LEFT, "");
		text += len + 1;
	}
	puts(text);
}

static void print_option(const struct option_row *r)
{
	char left[96];
	int len = snprintf(left, sizeof(left), "  %s%c%s%s%s%s%s", r->letter ? "-" : " ",
			   r->letter ? r->letter : ' ',
			   !r->name ? "" : r->letter ? ", " : "  ", r->name ? "--" : "",
			   r->name ? r->name : "",
			   !r->arg || is_optional(r) ? "" : r->name ? "=" : " ",
			   r->arg ? r->arg : "");

	printf("%s", left);
	if (len < LEFT - 1)
		printf("%*s", LEFT - len, "");
	else
		printf("\n%*s", LEFT, "");
	print_wrapped(r->text);
}

static void print_help(int all)
{
	const char *line = program->usage, *before = "Usage: ", *title = NULL;
	int shown = 1, has_more = 0;
	const struct option_row *r;
	unsigned table;
	void *into;

	for (; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		printf("%s%s %.*s\n", before, program->name, (int)strcspn(line, "\n"), line);
		before = "       ";
	}
	if (program->what)
		printf("%s\n\n", program->what);
	EACH_ROW(r, table, into) {
		if (r->kind == OPTION_GROUP) {
			title = r->text;
			shown = 1;
		} else if (r->kind == OPTION_MORE) {
			has_more = 1;
			shown = all;
		} else if (works(r) && !is_hidden(r) && (shown || table_is_common(table))) {
			if (title && !table_is_common(table))
				printf("%s:\n", title);
			title = NULL;
			print_option(r);
		}
	}
	if (has_more && !all)
		printf("%s --help=all lists all options.\n", program->name);
	if (program->more)
		printf("%s\n", program->more);
}

static const char *status_of(const struct option_row *r)
{
	return works(r) ? "works" : r->kind == OPTION_IGNORED ? "ignored" : "refused";
}

/* For doc/options.sh: a line for each option, fields separated by tabs. */
static void print_rows(void)
{
	const struct option_row *r;
	unsigned table;
	void *into;

	EACH_ROW(r, table, into) {
		char letter[2] = { (char)r->letter };

		if (r->kind == OPTION_GROUP)
			printf("\t\t\tgroup\t%s\n", r->text);
		if (!is_option(r) || is_hidden(r))
			continue;
		printf("%s\t%s\t%s\t%s\t%s\n", letter, r->name ? r->name : "", r->arg ? r->arg : "",
		       status_of(r), r->text);
	}
}

static int answer_help(void *into, const char *topic)
{
	(void)into;
	if (!topic || !strcmp(topic, "all"))
		print_help(topic != NULL);
	else if (!strcmp(topic, "options"))
		print_rows();
	else if (!program->topic || program->topic(topic))
		return option_fail(FAILURE_NAME_UNKNOWN,
				   "--help=%s: there is no such topic; %s --help lists the options",
				   topic, program->name) ? program->wrong : 0;
	return 0;
}

/* ---- values ------------------------------------------------------------------------*/

int option_number(const char *what, const char *text, double low, double high, double *value)
{
	char *end;

	*value = strtod(text, &end);
	if (end == text || *end || !(*value >= low && *value <= high))
		return option_fail(FAILURE_OPTION_VALUE,
				   "%s: '%s' is not a number from %.15g to %.15g", what, text, low,
				   high);
	return 0;
}

static int set_number(const struct option_row *r, const char *shown, const char *value, void *to)
{
	double v;

	if (option_number(shown, value, r->low, r->high, &v))
		return -1;
	if (r->kind == OPTION_DECIMAL)
		*(double *)to = v;
	else if (v != (double)(long long)v)
		return option_fail(FAILURE_OPTION_VALUE,
				   "%s: '%s' is not a whole number", shown, value);
	else
		*(int *)to = (int)v;
	return 0;
}

/* "a|b|c" as "a, b or c"; `to` holds 128 bytes. */
static const char *listed(char *to, const char *words, size_t bytes)
{
	size_t used = 0, len;

	for (const char *word = words; word < words + bytes && used < 128; word += len + 1) {
		len = strcspn(word, "|]");
		used += (size_t)snprintf(to + used, 128 - used, "%s%.*s",
					 word == words ? ""
					 : word + len == words + bytes ? " or "
					 : ", ",
					 (int)len, word);
	}
	return to;
}

/*
 * Sets the index of the word among those that arg lists; a missing optional argument means the last
 * one.
 */
static int set_choice(const struct option_row *r, const char *shown, const char *value, int *to)
{
	const char *words = is_optional(r) ? r->arg + 2 : r->arg, *word = words;
	size_t bytes = strcspn(words, "]"), len;
	char text[128];

	for (int n = 0; word < words + bytes; n++, word += len + 1) {
		len = strcspn(word, "|]");
		if (value ? strlen(value) != len || memcmp(word, value, len)
			  : word + len != words + bytes)
			continue;
		*to = n;
		return 0;
	}
	return option_fail(FAILURE_OPTION_VALUE,
			   "%s=%s: expected %s", shown, value, listed(text, words, bytes));
}

static int add_to_list(const char *value, const char ***list)
{
	size_t n = 0;
	const char **more;

	while (*list && (*list)[n])
		n++;
	more = realloc(*list, (n + 2) * sizeof(*more));
	if (!more)
		return option_fail(FAILURE_RESOURCES, "not enough memory");
	more[n] = value;
	more[n + 1] = NULL;
	*list = more;
	return 0;
}

/* Adds the option as another program is to get it. */
static int pass_on(const struct option_row *r, const char *value, const char ***list)
{
	size_t size = (r->name ? strlen(r->name) : 0) + (value ? strlen(value) : 0) + 4;
	char *word = malloc(size);

	if (!word)
		return option_fail(FAILURE_RESOURCES, "not enough memory");
	if (r->name)
		snprintf(word, size, "--%s%s%s", r->name, value ? "=" : "", value ? value : "");
	else
		snprintf(word, size, "-%c%s", r->letter, value ? value : "");
	return add_to_list(word, list);
}

static int set(const struct option_row *r, void *into, const char *shown, const char *value)
{
	void *to = (char *)into + r->at;

	switch (r->kind) {
	case OPTION_FLAG: *(int *)to = 1; return 0;
	case OPTION_TEXT: *(const char **)to = value; return 0;
	case OPTION_LIST: return add_to_list(value, to);
	case OPTION_PASS_ON: return pass_on(r, value, to);
	case OPTION_NUMBER: case OPTION_DECIMAL: return set_number(r, shown, value, to);
	case OPTION_CHOICE: return set_choice(r, shown, value, to);
	case OPTION_FUNCTION: return r->set(into, value);
	case OPTION_ANSWER:
		answered = 1 + r->set(into, value);
		return -1;
	case OPTION_IGNORED:
		option_note("%s ignored: %s", shown, r->text);
		return 0;
	case OPTION_REFUSED: return option_fail(FAILURE_OPTION_CONFLICT,
						"%s refused: %s", shown, r->text);
	case OPTION_END: case OPTION_GROUP: case OPTION_MORE: break;
	}
	return -1;
}

/* ---- words -------------------------------------------------------------------------*/

static int fail_unknown(const char *shown)
{
	const char *name = strncmp(shown, "--", 2) ? NULL : shown + 2, *similar = NULL;
	const struct option_row *r;
	unsigned table, least = ~0U;
	void *into;

	if (name) {
		EACH_ROW(r, table, into) {
			unsigned distance = r->name ? edit_distance(name, r->name) : ~0U;

			if (distance > strlen(name) / 2 + 1 || distance >= least || !works(r))
				continue;
			least = distance;
			similar = r->name;
		}
	}
	if (similar)
		return option_fail(FAILURE_OPTION_UNKNOWN,
			"unknown option '%s': did you mean '--%s'? %s --help lists the options",
			shown, similar, program->name);
	return option_fail(FAILURE_OPTION_UNKNOWN,
			   "unknown option '%s': %s --help lists the options", shown,
			   program->name);
}

/* --name, --name=value, --name value. Advances *i over a separate value. */
static int parse_long(int argc, char **argv, int *i)
{
	const char *word = argv[*i] + 2;
	size_t len = strcspn(word, "=");
	const char *value = word[len] ? word + len + 1 : NULL;
	const struct option_row *r;
	void *into;
	char shown[128];

	r = find(0, word, len, &into);
	snprintf(shown, sizeof(shown), "--%.*s", r ? 125 : (int)len, r ? r->name : word);
	if (!r)
		return fail_unknown(shown);
	if (value && !r->arg)
		return option_fail(FAILURE_OPTION_VALUE, "%s takes no value", shown);
	if (!value && r->arg && !is_optional(r)) {
		if (*i + 1 >= argc)
			return option_fail(FAILURE_OPTION_VALUE,
					   "%s needs a value: %s=%s", shown, shown, r->arg);
		value = argv[++*i];
	}
	return set(r, into, shown, value);
}

/* -v, -vp4, -DX=1, -D X=1. */
static int parse_letters(int argc, char **argv, int *i)
{
	for (const char *p = argv[*i] + 1; *p; p++) {
		char shown[3] = { '-', *p, 0 };
		const char *value = NULL;
		void *into;
		const struct option_row *r = find(*p, NULL, 0, &into);

		if (!r)
			return fail_unknown(shown);
		if (r->arg && !is_optional(r)) {
			value = p[1] ? p + 1 : ++*i < argc ? argv[*i] : NULL;
			if (!value)
				return option_fail(FAILURE_OPTION_VALUE,
						   "%s needs a value: %s %s", shown, shown, r->arg);
		}
		if (set(r, into, shown, value))
			return -1;
		if (value)
			break;
	}
	return 0;
}

/*
 * Moves the n words that end at `end` in front of the words from `from` on, which keep their order.
 */
static void move_back(char **argv, int from, int n, int end)
{
	for (int k = 0; k < n; k++) {
		char *word = argv[end - n + k];

		memmove(argv + from + k + 1, argv + from + k,
			(size_t)(end - n - from) * sizeof(*argv));
		argv[from + k] = word;
	}
}

int option_parse(const struct option_program *p, int argc, char **argv, int *status)
{
	int i = 1, first = 1;		/* first: index of the first word that is not an option */

	program = p;
	who = p->name;
	answered = 0;
	if (streams_begin(who)) {
		*status = 1;
		return -1;
	}
	while (i < argc) {
		int from = i, failed;

		if (argv[i][0] != '-' || !argv[i][1]) {
			if (!p->anywhere)
				break;
			i++;
			continue;
		}
		if (!strcmp(argv[i], "--")) {
			move_back(argv, first, 1, i + 1);
			return first + 1;
		}
		who = i <= p->norigins ? p->origins[i - 1] : p->name;
		failed = argv[i][1] == '-' ? parse_long(argc, argv, &i)
					   : parse_letters(argc, argv, &i);
		if (failed) {
			*status = answered ? answered - 1 : p->wrong;
			return -1;
		}
		who = p->name;
		i++;
		move_back(argv, first, i - from, i);
		first += i - from;
	}
	return first;
}
