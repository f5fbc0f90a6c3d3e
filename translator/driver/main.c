/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - `lapwing`: options, then run_passes(), then the run. The first word may be a subcommand,
 * which is a separate program: lapwing report runs lapwing-report, lapwing ./report is a script.
 */
#include "lib/exit_status.h"
#include "lib/streams.h"
#include "translator/driver/command_line.h"
#include "translator/driver/commands.h"
#include "translator/driver/target.h"
#include "translator/passes/lists.h"
#include "translator/passes/pass.h"
#include "translator/program/options.h"

#include <stdio.h>
#include <string.h>

static int finish(struct program *prog)
{
	const struct options *opt = prog->opt;

	if (options_list(opt))
		return list_show(prog);
	if (opt->last_pass < 5 || opt->dump_after)
		return 0;
	return target_run(prog);
}

static int translate(int argc, char **argv)
{
	struct diag_sink sink;
	struct options opt;
	struct program *prog;
	char *said = NULL;
	size_t len;
	FILE *held;
	int status, failed;

	if (command_line_parse(&opt, argc, argv, &status))
		return status;
	if (opt.inventory == INVENTORY_TYPES) {
		status = list_probe_types(opt.form);
		options_clear(&opt);
		return status;
	}
	if (target_check(&opt)) {
		status = opt.command_status ? EXIT_NOT_HERE : 125;
		options_clear(&opt);
		return status;
	}
	target_choose(&opt);
	/* of a listing they are the reasons why it is empty, if it is */
	held = opt.list_pattern && opt.verbose[2] < 2 ? open_memstream(&said, &len) : NULL;
	diag_init(&sink, held ? held : stderr);
	sink.quiet = opt.no_warnings || options_list(&opt);
	sink.fatal_warnings = opt.fatal_warnings;
	color_choose(&sink.color, opt.color, stderr);
	sink.table = opt.keep_going ? g_string_new(NULL) : NULL;
	sink.json = opt.json_diagnostics ? diag_json_new() : NULL;
	prog = program_new(&opt, &sink);
	failed = run_passes(prog);
	if (held)
		fclose(held);
	if (failed) {
		g_ptr_array_set_size(prog->probes, 0);		/* -l without a match: an empty list */
		status = opt.list_pattern ? list_show(prog)
			 : opt.command_status && sink.not_here ? EXIT_NOT_HERE : 1;
	} else {
		status = finish(prog);
	}
	if (held && status)
		fputs(said, stderr);
	free(said);
	if (sink.json)
		diag_json_end(sink.json);
	program_free(prog);
	diag_clear(&sink);
	options_clear(&opt);
	return status;
}

int main(int argc, char **argv)
{
	if (streams_begin("lapwing") || commands_run(argc, argv))
		return 1;
	return exit_status(translate(argc, argv));
}
