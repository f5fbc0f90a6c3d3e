/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - `lapwing`: options, then run_passes(), then the run. A first word may be a subcommand, a
 * separate program next to ours: lapwing report runs lapwing-report, lapwing ./report is a script.
 */
#include "lib/paths.h"
#include "translator/driver/command_line.h"
#include "translator/driver/lists.h"
#include "translator/driver/target.h"
#include "translator/passes/pass.h"
#include "translator/tapset/tapset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Runs lapwing-WORD if it exists; returns otherwise. */
static void try_subcommand(char **argv)
{
	char *name, *program;

	if (!argv[1] || argv[1][0] == '-' || strchr(argv[1], '/') || strchr(argv[1], '.'))
		return;
	name = g_strdup_printf("lapwing-%s", argv[1]);
	program = paths_program(name);
	if (program)
		execv(program, argv + 1);
	g_free(program);
	g_free(name);
}

static int finish(struct program *prog)
{
	const struct options *opt = prog->opt;

	if (opt->list_pattern)
		return !list_probes(prog, stdout);
	if (opt->inventory) {
		list_inventory(prog, stdout);
		return 0;
	}
	if (opt->last_pass < 5 || opt->dump_after)
		return 0;
	return target_run(prog);
}

/* The messages of a list are held back: they are printed where nothing matches. */
static int run(struct options *opt, FILE *messages)
{
	struct diag_sink sink;
	struct program *prog;
	int status;

	diag_init(&sink, messages);
	sink.quiet = opt->no_warnings || options_list(opt);
	sink.fatal_warnings = opt->fatal_warnings;
	color_choose(&sink.color, opt->color, stderr);
	prog = program_new(opt, &sink);
	status = run_passes(prog) ? 1 : finish(prog);
	library_close(prog->library);
	program_free(prog);
	diag_clear(&sink);
	return status;
}

static int run_held(struct options *opt)
{
	char *text = NULL;
	size_t size = 0;
	FILE *held = open_memstream(&text, &size);
	int status = run(opt, held ? held : stderr);

	if (held)
		fclose(held);
	if (status && text)
		fputs(text, stderr);
	free(text);
	return status;
}

int main(int argc, char **argv)
{
	g_autofree char *self = g_path_get_basename(argc ? argv[0] : "");
	int is_stap = !strcmp(self, "stap"), status;
	struct options opt;

	if (!is_stap)		/* each word is a script there */
		try_subcommand(argv);
	if (command_line_parse(&opt, argv, &status))
		return status;
	opt.is_stap = is_stap;
	if (target_choose(&opt)) {
		command_line_clear(&opt);
		return 1;
	}
	status = opt.list_pattern && opt.verbose[2] < 2 ? run_held(&opt) : run(&opt, stderr);
	command_line_clear(&opt);
	return is_stap ? status != 0 : status;
}
