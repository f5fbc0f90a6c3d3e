/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - command lines as tables. Each program has one, NAME.def: its options are read by it,
 * --help prints it, and doc/options.c makes the manual page, the table of doc/cli.md and the
 * completions of shells out of it. Needs libc only.
 */
#ifndef LAPWING_LIB_OPTIONS_H
#define LAPWING_LIB_OPTIONS_H

#include <stddef.h>
#include <stdio.h>

/*
 * The kind of an option says what it stores in its place, a member of the program's struct:
 * FLAG: int, 1, or 0 by --no-NAME; TEXT: const char *, the value in argv; LIST: struct option_list;
 * CHOICE: int, which of the words of `arg` ("user|kernel": 1 or 2) the value is; WHOLE: int, 0 or
 * more; NUMBER: double, 0 or more; SECONDS: double, more than 0. CALL: the place is a function to
 * call. HELP and VERSION end the reading; IGNORED and REFUSED print their text as the reason.
 * TITLE is not an option: it heads a group.
 */
enum option_kind {
	OPTION_END, OPTION_FLAG, OPTION_TEXT, OPTION_LIST, OPTION_CHOICE, OPTION_WHOLE,
	OPTION_NUMBER, OPTION_SECONDS, OPTION_CALL, OPTION_HELP, OPTION_VERSION,
	OPTION_IGNORED, OPTION_REFUSED, OPTION_TITLE
};

/* item[0] to item[count - 1], then NULL; item is NULL in an empty list. The strings are argv's. */
struct option_list {
	const char	**item;
	unsigned	count;
};

/*
 * `shown` is the option as the user wrote it, without its value; `value` is NULL when there is
 * none. Returns 0, or -1 after reporting an error.
 */
typedef int option_fn(void *into, const char *shown, const char *value);

struct option_row {
	int		letter;		/* or 0 */
	const char	*name;		/* of --NAME, or NULL */
	const char	*arg;		/* "X"; "[=X]": optional, only as --NAME=X; NULL: none */
	enum option_kind kind;
	size_t		place;		/* offset in the program's struct */
	option_fn	*call;
	const char	*text;		/* its help text, or why it is ignored or refused */
};

/*
 * A table: #define OPTIONS_IN struct NAME, then the rows: #include "NAME.def", and OPTIONS_END.
 * OPTION_MORE is text for the manual page only.
 */
#define OPTION(letter, name, arg, kind, place, text) \
	{ letter, name, arg, OPTION_##kind, OPTION_AT_##kind(place), text },
#define OPTION_GROUP(text) { 0, NULL, NULL, OPTION_TITLE, 0, NULL, text },
#define OPTION_MORE(text)
#define OPTIONS_END { 0 }

/* The offset of a member, which must have that type. */
#define OPTION_MEMBER(type, member) \
	offsetof(OPTIONS_IN, member) + \
		0 * sizeof(1 ? &((OPTIONS_IN *)NULL)->member : (type *)NULL), \
		NULL
#define OPTION_AT_FLAG(member) OPTION_MEMBER(int, member)
#define OPTION_AT_TEXT(member) OPTION_MEMBER(const char *, member)
#define OPTION_AT_LIST(member) OPTION_MEMBER(struct option_list, member)
#define OPTION_AT_CHOICE(member) OPTION_MEMBER(int, member)
#define OPTION_AT_WHOLE(member) OPTION_MEMBER(int, member)
#define OPTION_AT_NUMBER(member) OPTION_MEMBER(double, member)
#define OPTION_AT_SECONDS(member) OPTION_MEMBER(double, member)
#define OPTION_AT_CALL(function) 0, function
#define OPTION_AT_HELP(nothing) 0, NULL
#define OPTION_AT_VERSION(nothing) 0, NULL
#define OPTION_AT_IGNORED(nothing) 0, NULL
#define OPTION_AT_REFUSED(nothing) 0, NULL

struct option_program {
	const char	*name;		/* "lapwing record": the prefix of messages */
	const char	*usage;		/* the head of --help */
	const char	*after;		/* the end of --help, or NULL */
	const struct option_row *rows;
	const struct option_row *others;	/* more rows, not in --help; or NULL */
	/* options end at the first word that is not one (a command) */
	int		in_order;
	/* added to the error of an unknown option after a word; or NULL */
	const char	*behind;
	int		apart;		/* the words after `--` are a command, stored in `rest` */
	int		keeps_equal;	/* the value of -X=V is "=V", as in getopt(3), not "V" */
	int		usage_status;	/* exit status after a mistake; 0 stands for 1 */
	/* prints the part of --help after `after`; or NULL */
	void		(*more)(FILE *to);
};

/* The words that are not options, a NULL-terminated array in argv. */
struct option_words {
	int		count;
	char		**word;
	/* with `apart`: the words after `--`, or NULL without one */
	char		**rest;
};

/* DONE: help or version was printed; BAD: an error was reported. */
enum option_result { OPTIONS_GO, OPTIONS_DONE, OPTIONS_BAD };

/*
 * Reads argv into the program's struct: -a -b VALUE, -abVALUE, -b=VALUE, --name=VALUE,
 * --name VALUE, --no-name, mixed with words in any order. Words and texts point into argv, whose
 * order changes. The caller frees lists with options_free_list().
 */
enum option_result options_read(const struct option_program *of, void *into, int argc, char **argv,
				struct option_words *words);
/* The same, but ends the program after --help and --version (status 0) and after a mistake. */
void options_read_or_exit(const struct option_program *of, void *into, int argc, char **argv,
			  struct option_words *words);
void options_free_list(struct option_list *list);
/* Prints --help. */
void options_help(const struct option_program *of, FILE *to);
/* Formats an option as --help shows it: "-o, --output=FILE". */
void options_show(const struct option_row *row, char *text, size_t size);
/* Prints "NAME: MESSAGE" on stderr, NAME from the last options_read(). Returns -1. */
int options_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
