/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * commands.c - see commands.h. `lapwing report` runs lapwing-report, `lapwing ./report` a script.
 */
#include "translator/driver/commands.h"

#include "config.h"
#include "lib/edit_distance.h"
#include "lib/exit_status.h"
#include "lib/failure.h"
#include "lib/paths.h"

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char	*name, *what;
} commands[] = {
#define COMMAND(name, what) { #name, what },
#define BUILTIN COMMAND
#include "translator/driver/commands.def"
#undef BUILTIN
#undef COMMAND
};

/* Words of other tools, and what we call it. */
static const struct {
	const char	*word, *ours;
} foreign[] = {
	{ "stat", "lapwing stopwatch counts events of functions, lapwing events lists them" },
	{ "list", "lapwing events lists events, lapwing -l POINT probe points" },
	{ "probe", "lapwing -l POINT lists probe points, lapwing -e 'probe POINT { ... }' probes one" },
	{ "script", "lapwing export writes a capture as text: -f csv, json or folded" },
	{ "diff", "lapwing flame --diff=BASE shows the change against another capture" },
	{ "trace", "lapwing -e 'probe syscall.* { println(execname(), \" \", name) }' does" },
	{ "run", "lapwing SCRIPT runs a script, lapwing-run a module that was built before" },
};

static void print_commands(void)
{
	puts("Usage: lapwing [options] SCRIPT [ARGS]   run a script; lapwing --help lists the options\n"
	     "       lapwing COMMAND [options]         lapwing help COMMAND lists its options\n");
	for (unsigned i = 0; i < G_N_ELEMENTS(commands); i++)
		printf("  %-12s %s\n", commands[i].name, commands[i].what);
}

/* Replaces this process by lapwing-NAME with these arguments; returns if there is none. */
static void become(const char *name, char **argv)
{
	char *file = g_strdup_printf("lapwing-%s", name), *program = paths_program(file);

	if (program)
		execv(program, argv);
	g_free(program);
	g_free(file);
}

/* The command that is spelt nearly so; NULL: none is. */
static const char *similar(const char *word)
{
	const char *found = NULL;
	unsigned least = strlen(word) < 5 ? 2 : 3;

	for (unsigned i = 0; i < G_N_ELEMENTS(commands); i++) {
		unsigned distance = edit_distance(word, commands[i].name);

		if (distance < least) {
			least = distance;
			found = commands[i].name;
		}
	}
	return found;
}

/* 1: the word was meant as a command. */
static int refuse(const char *word)
{
	const char *name = similar(word);

	for (unsigned i = 0; i < G_N_ELEMENTS(foreign); i++)
		if (!strcmp(word, foreign[i].word)) {
			failure_print("lapwing", FAILURE_OPTION_UNKNOWN, "there is no command '%s': %s", word,
				      foreign[i].ours);
			return 1;
		}
	if (name)
		failure_print("lapwing", FAILURE_OPTION_UNKNOWN,
			      "there is no command '%s': did you mean '%s'? lapwing help lists them", word,
			      name);
	return name != NULL;
}

int commands_run(int argc, char **argv)
{
	const char *word = argv[1];

	if (!word || word[0] == '-' || strchr(word, '/') || strchr(word, '.'))
		return 0;
	become(word, argv + 1);
	if (g_file_test(word, G_FILE_TEST_EXISTS))
		return 0;
	if (!strcmp(word, "version")) {
		puts(PACKAGE_STRING);
		exit(0);
	}
	if (strcmp(word, "help"))
		return refuse(word);
	if (argc > 2) {
		char *line[] = { argv[2], (char *)"--help", NULL };

		become(argv[2], line);
		if (!refuse(argv[2]))
			failure_print("lapwing", FAILURE_OPTION_UNKNOWN,
				      "there is no command '%s': lapwing help lists them", argv[2]);
		exit(exit_status(EXIT_USAGE));
	}
	print_commands();
	exit(0);
}
