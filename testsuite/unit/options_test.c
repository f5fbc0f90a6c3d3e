/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options_test.c - lib/options: every kind of option in every notation, other words in between, and
 * the messages for mistakes.
 */
#include "lib/options.h"

#include "testsuite/unit/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct got {
	int		all, quiet, limit, mode;
	double		least, seconds;
	const char	*output;
	struct option_list events;
	char		called[64];
};

static int call(void *into, const char *shown, const char *value)
{
	struct got *got = into;

	snprintf(got->called, sizeof(got->called), "%s %s", shown, value ? value : "(none)");
	return value && !strcmp(value, "bad") ? options_fail("%s: '%s' is bad", shown, value) : 0;
}

#define OPTIONS_IN struct got
static const struct option_row rows[] = {
OPTION_GROUP("First")
OPTION('a', "all", NULL, FLAG, all, "everything")
OPTION('q', "quiet", NULL, FLAG, quiet, "nothing")
OPTION('o', "output", "FILE", TEXT, output, "where to")
OPTION_MORE("More of it.")
OPTION('e', "event", "EVENT", LIST, events, "what; may be repeated")
OPTION_GROUP("Second")
OPTION('l', "limit", "N", WHOLE, limit, "rows")
OPTION(0, "mode", "user|kernel|idle", CHOICE, mode, "whose")
OPTION(0, "min", "PERCENT", NUMBER, least, "at least")
OPTION('d', "duration", "SECONDS", SECONDS, seconds, "how long")
OPTION('c', "call", "VALUE", CALL, call, "calls")
OPTION(0, "maybe", "[=WHEN]", CALL, call, "calls, too")
OPTION('p', "old", NULL, IGNORED, "", "nobody needs it")
OPTION('t', NULL, NULL, REFUSED, "", "write --threads")
OPTION('h', "help", NULL, HELP, "", "this text")
OPTION('V', "version", NULL, VERSION, "", "the version")
OPTIONS_END
};
static const struct option_row others[] = {
OPTION('x', "extra", "N", WHOLE, limit, "more")
OPTIONS_END
};
static struct option_program of = {
	.name = "prog", .usage = "Usage: prog", .after = "The end.", .rows = rows,
};

static struct got got;
static struct option_words words;
static char said[4096];		/* on standard output and error */

/* Reads the words of a line, which are separated by spaces. */
static enum option_result reads(const char *line)
{
	static char text[256], *argv[32];
	enum option_result result;
	int argc = 0, saved[2] = { dup(1), dup(2) };
	FILE *file = tmpfile();

	options_free_list(&got.events);
	got = (struct got){ .limit = -1 };
	snprintf(text, sizeof(text), "prog %s", line);
	for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	fflush(stdout);
	dup2(fileno(file), 1);
	dup2(fileno(file), 2);
	result = options_read(&of, &got, argc, argv, &words);
	fflush(stdout);
	for (int i = 0; i < 2; i++) {
		dup2(saved[i], i + 1);
		close(saved[i]);
	}
	rewind(file);
	said[fread(said, 1, sizeof(said) - 1, file)] = 0;
	fclose(file);
	return result;
}

static int has_words(int n, const char *first, const char *last)
{
	return words.count == n && !words.word[n] &&
	       (!n || (!strcmp(words.word[0], first) && !strcmp(words.word[n - 1], last)));
}

static void test_ways(void)
{
	static const char *const ways[] = {
		"-aqo x", "-aqox", "-a -q -o=x", "--all --quiet --output=x",
		"--all --quiet --output x", "--quiet --all --no-all -aox",
	};

	for (unsigned i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		CHECK(reads(ways[i]) == OPTIONS_GO);
		CHECK(got.all == 1 && got.quiet == 1 && !strcmp(got.output, "x") &&
		      words.count == 0 && !*said);
	}
	CHECK(reads("--quiet -a --no-quiet") == OPTIONS_GO && !got.quiet && got.all);
	CHECK(reads("--output=a=b") == OPTIONS_GO && !strcmp(got.output, "a=b"));
	of.keeps_equal = 1;
	CHECK(reads("-o=x") == OPTIONS_GO && !strcmp(got.output, "=x"));
	of.keeps_equal = 0;
}

static void test_kinds(void)
{
	CHECK(reads("-e a -e b --event=c") == OPTIONS_GO && got.events.count == 3);
	CHECK(!strcmp(got.events.item[0], "a") && !strcmp(got.events.item[2], "c") &&
	      !got.events.item[3]);
	CHECK(reads("") == OPTIONS_GO && !got.events.item && got.limit == -1);
	CHECK(reads("-l0") == OPTIONS_GO && got.limit == 0);
	CHECK(reads("--min 0.5 -d 1e1") == OPTIONS_GO && got.least == 0.5 && got.seconds == 10);
	CHECK(reads("--mode user") == OPTIONS_GO && got.mode == 1);
	CHECK(reads("--mode=idle") == OPTIONS_GO && got.mode == 3);
	CHECK(reads("-c 7") == OPTIONS_GO && !strcmp(got.called, "-c 7"));
	CHECK(reads("--maybe") == OPTIONS_GO && !strcmp(got.called, "--maybe (none)"));
	CHECK(reads("--maybe=x y") == OPTIONS_GO && !strcmp(got.called, "--maybe x"));
	CHECK(has_words(1, "y", "y"));
	CHECK(reads("-pa") == OPTIONS_GO && got.all);
	CHECK(!strcmp(said, "prog: -p ignored: nobody needs it\n"));
	of.others = others;
	CHECK(reads("-x 3") == OPTIONS_GO && got.limit == 3);
	of.others = NULL;
}

static void test_words(void)
{
	CHECK(reads("a -q b -l 1 - c") == OPTIONS_GO && has_words(4, "a", "c"));
	CHECK(got.quiet && got.limit == 1);
	CHECK(reads("a -q -- -a --") == OPTIONS_GO && has_words(3, "a", "--"));
	CHECK(got.quiet && !got.all && !words.rest);
	of.apart = 1;
	CHECK(reads("a b -q -- -a c") == OPTIONS_GO && has_words(2, "a", "b"));
	CHECK(words.rest && !strcmp(words.rest[0], "-a") && !words.rest[2]);
	CHECK(reads("--") == OPTIONS_GO && has_words(0, "", "") && words.rest && !words.rest[0]);
	CHECK(reads("a") == OPTIONS_GO && !words.rest);
	of.apart = 0;
	of.in_order = 1;
	CHECK(reads("-q a -a b") == OPTIONS_GO && has_words(3, "a", "b") && got.quiet && !got.all);
	CHECK(reads("-q -- -a b") == OPTIONS_GO && has_words(2, "-a", "b") && !got.all);
	of.in_order = 0;
}

static void test_mistakes(void)
{
#define LISTS "prog --help lists the options\n"
	static const struct { const char *line, *says;
	} mistakes[] = {
		{ "--quite", "prog: unknown option '--quite': did you mean '--quiet'? " LISTS },
		{ "--nonsense", "prog: unknown option '--nonsense': " LISTS },
		{ "--no-limit",
		  "prog: unknown option '--no-limit': did you mean '--limit'? " LISTS },
		{ "-az", "prog: unknown option '-z': " LISTS },
		{ "-x 3", "prog: unknown option '-x': " LISTS },
		{ "-q -o", "prog: -o needs a value: -o FILE\n" },
		{ "--output", "prog: --output needs a value: --output=FILE\n" },
		{ "--all=1", "prog: --all takes no value\n" },
		{ "-l x", "prog: -l 'x': expected a whole number, 0 or more\n" },
		{ "--limit=-1", "prog: --limit '-1': expected a whole number, 0 or more\n" },
		{ "-l 4294967296", "prog: -l '4294967296': expected a whole number, 0 or more\n" },
		{ "--mode system", "prog: --mode 'system': expected user, kernel or idle\n" },
		{ "--mode=use", "prog: --mode 'use': expected user, kernel or idle\n" },
		{ "--mode user|kernel",
		  "prog: --mode 'user|kernel': expected user, kernel or idle\n" },
		{ "--min=-1", "prog: --min '-1': expected a number, 0 or more\n" },
		{ "--min nan", "prog: --min 'nan': expected a number, 0 or more\n" },
		{ "-d 0", "prog: -d '0': expected seconds, e.g. 5 or 0.5\n" },
		{ "-d 5s", "prog: -d '5s': expected seconds, e.g. 5 or 0.5\n" },
		{ "-c bad", "prog: -c: 'bad' is bad\n" },
		{ "-t", "prog: -t refused: write --threads\n" },
	};

	for (unsigned i = 0; i < sizeof(mistakes) / sizeof(*mistakes); i++) {
		CHECK(reads(mistakes[i].line) == OPTIONS_BAD);
		CHECK(!strcmp(said, mistakes[i].says));
	}
	of.behind = "or is it? ";
	CHECK(reads("a -z") == OPTIONS_BAD &&
	      !strcmp(said, "prog: unknown option '-z': or is it? " LISTS));
	CHECK(reads("-z a") == OPTIONS_BAD && !strcmp(said, "prog: unknown option '-z': " LISTS));
	of.behind = NULL;
}

static void test_help(void)
{
	CHECK(reads("-q --help -z") == OPTIONS_DONE && got.quiet);
	CHECK(strstr(said, "Usage: prog\n\nFirst:\n  -a, --all ") == said);
	CHECK(strstr(said, "\n      --min=PERCENT              at least\n"));
	CHECK(strstr(said, "\n  -o, --output=FILE              where to\n"));
	CHECK(strstr(said, "\nSecond:\n") && strstr(said, "\n      --maybe[=WHEN]"));
	CHECK(strstr(said, "\n\nThe end.\n"));
	CHECK(!strstr(said, "--old") && !strstr(said, "--threads") && !strstr(said, "More"));
	CHECK(reads("-V") == OPTIONS_DONE && !strncmp(said, "prog 0.", strlen("prog 0.")));
}

int main(void)
{
	test_ways();
	test_kinds();
	test_words();
	test_mistakes();
	test_help();
	options_free_list(&got.events);
	return failures != 0;
}
