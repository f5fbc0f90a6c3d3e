/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * option.h - the command line of every program, as a table: the parser, --help, the man page's
 * options, the tables of doc/ and the completions come from it (doc/options.sh).
 *
 * Follows getopt_long() and stap: -v, -vp4, -DX=1 and -D X=1, --name=VALUE and --name VALUE,
 * unambiguous abbreviations of long names; `--` ends the options. Every program also has --help and
 * --version.
 */
#ifndef LAPWING_LIB_OPTION_H
#define LAPWING_LIB_OPTION_H

#include "lib/failure.h"

#include <stddef.h>

enum option_kind {
	OPTION_END,		/* after the last row */
	OPTION_FLAG,		/* int: 1 */
	OPTION_TEXT,		/* const char * */
	OPTION_LIST,		/* const char **: NULL-terminated, from malloc(); repeatable */
	OPTION_NUMBER,		/* int, from low to high */
	OPTION_DECIMAL,		/* double, from low to high */
	OPTION_CHOICE,		/* int: index among the words that arg lists, from 0 */
	OPTION_FUNCTION,	/* set() */
	OPTION_PASS_ON,		/* const char **, as of LIST: the option itself, "--name=VALUE" */
	OPTION_ANSWER,		/* set() does all the work: its result is the exit status */
	OPTION_IGNORED,		/* accepted with a note that says why */
	OPTION_REFUSED,		/* an error that says why */
	OPTION_GROUP,		/* no option: the title of those that follow */
	OPTION_MORE,		/* no option: those that follow are in --help=all only */
};

/* Processes a value; NULL: the optional value is missing. 0, or -1 after option_fail(). */
typedef int option_set(void *into, const char *value);

struct option_row {
	int		letter;		/* 0: none */
	const char	*name;		/* without its --; NULL: none */
	const char	*arg;		/* "FILE", "a|b"; "[=WHEN]": may be left out; NULL: none */
	const char	*text;		/* what it does, or why it is ignored or refused */
	enum option_kind kind;
	size_t		at;		/* offset of the value in the table's structure */
	double		low, high;
	option_set	*set;
};

/* Rows, by kind. OPTION_INTO is the type of the structure, to be defined before. */
#define OPTION_ROW(l, n, a, t, k, ...) { .letter = l, .name = n, .arg = a, .text = t, .kind = k, __VA_ARGS__ },
#define OPTION_AT(member) .at = offsetof(OPTION_INTO, member)
#define FLAG(l, n, text, member) OPTION_ROW(l, n, NULL, text, OPTION_FLAG, OPTION_AT(member))
#define TEXT(l, n, arg, text, member) OPTION_ROW(l, n, arg, text, OPTION_TEXT, OPTION_AT(member))
#define LIST(l, n, arg, text, member) OPTION_ROW(l, n, arg, text, OPTION_LIST, OPTION_AT(member))
#define PASS_ON(l, n, arg, text, member) OPTION_ROW(l, n, arg, text, OPTION_PASS_ON, OPTION_AT(member))
#define CHOICE(l, n, arg, text, member) OPTION_ROW(l, n, arg, text, OPTION_CHOICE, OPTION_AT(member))
#define NUMBER(l, n, arg, lo, hi, text, member) \
	OPTION_ROW(l, n, arg, text, OPTION_NUMBER, OPTION_AT(member), .low = lo, .high = hi)
#define DECIMAL(l, n, arg, lo, hi, text, member) \
	OPTION_ROW(l, n, arg, text, OPTION_DECIMAL, OPTION_AT(member), .low = lo, .high = hi)
#define FUNCTION(l, n, arg, text, function) OPTION_ROW(l, n, arg, text, OPTION_FUNCTION, .set = function)
#define ANSWER(l, n, arg, text, function) OPTION_ROW(l, n, arg, text, OPTION_ANSWER, .set = function)
#define IGNORED(l, n, arg, why) OPTION_ROW(l, n, arg, why, OPTION_IGNORED, .at = 0)
#define GROUP(title) { .text = title, .kind = OPTION_GROUP },
#define MORE { .kind = OPTION_MORE },
#define REFUSED(l, n, arg, why) OPTION_ROW(l, n, arg, why, OPTION_REFUSED, .at = 0)

struct option_table {
	const struct option_row *rows;	/* NULL after the last table */
	void		*into;
};

struct option_program {
	const char	*name;		/* "lapwing record" */
	const char	*usage;		/* lines of what follows the name: "[-- COMMAND [ARGUMENT...]]" */
	const char	*what;		/* a sentence, or NULL */
	const char	*more;		/* text of --help after the options, or NULL */
	const struct option_table *tables;
	int		anywhere;	/* options may follow other words, which are moved behind them */
	int		wrong;		/* exit status of a usage error */
	/* --help=TOPIC: prints it and returns 0; -1: there is none. NULL: there are no topics. */
	int		(*topic)(const char *topic);
	const char	*topics;	/* "[=passes|table]", or NULL */
	/*
	 * How messages about argv[1] ... argv[norigins] begin, instead of with the name: words of
	 * a file, "NAME: FILE:LINE".
	 */
	const char *const *origins;
	int		norigins;
};

/*
 * Begins the standard streams (lib/streams.h), and reads the options. Returns the index of the
 * first word that is not an option; -1: nothing more to do, and *status is the exit status.
 */
int option_parse(const struct option_program *p, int argc, char **argv, int *status);
/* failure_print() for the program whose options were read last. Returns -1. */
int option_fail(enum failure_code code, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The same for what is no error, and has no code. */
void option_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Parses a number from low to high. 0, or -1 after a message that begins with `what`. */
int option_number(const char *what, const char *text, double low, double high, double *value);

#endif
