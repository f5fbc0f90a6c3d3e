/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check_driver.c - runs the passes from alias to locks on one script and
 * prints the program (--dump form); messages go to standard error.
 *
 *	check_driver [-u] [-v] [--no-display] FILE
 *
 * Families are a fake that takes any probe point, so that these tests are
 * about names, types and rules only.  begin, end and error get their phases,
 * everything else runs beside other probes, in NMIs with .nmi.
 */
#include "parser/parse.h"
#include "translator/families/family.h"
#include "translator/families/shared.h"
#include "translator/passes/pass.h"
#include "translator/program/dump.h"

#include <stdlib.h>
#include <string.h>

static void resolve(struct family_call *call)
{
	static const struct {
		const char *word;
		enum rt_phase phase;
	} phases[] = {
		{ "begin", RT_BEGIN },
		{ "end", RT_END },
		{ "error", RT_ERROR },
		{ "never", RT_BEGIN },
	};
	struct family_probe probe = { .point = point_string(call->point), .phase = RT_RUNNING };

	for (unsigned i = 0; i < G_N_ELEMENTS(phases); i++)
		if (!strcmp(call->point->comps[0].name, phases[i].word))
			probe.phase = phases[i].phase;
	call->add(call, &probe);
	g_free((char *)probe.point);
}

static int in_nmi(const struct probe *probe)
{
	return strstr(probe->point, ".nmi") != NULL;
}

static const struct family_pattern any = { "any", 0, 0 };
static const struct family fake = {
	.name = "fake", .patterns = &any, .resolve = resolve, .in_nmi = in_nmi
};

const struct family_pattern *family_match(const struct probe_point *point,
					  const struct family **family, unsigned *ncomps_matched)
{
	*family = &fake;
	*ncomps_matched = point->ncomps;
	return &any;
}

int family_is_return(const struct probe *probe)
{
	return 0;
}

const struct family *const families[] = { &fake, NULL };

static void run(struct program *prog)
{
	static void (*const order[])(struct program *) = {
		pass_alias,   pass_legacy_syntax, pass_thread,	pass_entry,   pass_match,
		pass_names,   pass_per_probe,	  pass_bodies,	pass_agree,   pass_autocast,
		pass_fold,    pass_called,	  pass_context, pass_unused,  pass_types,
		pass_columns, pass_display,	  pass_check,	pass_trim,    pass_refuse,
		pass_capture, pass_locks,	  pass_nmi,
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(order) && !prog->ast->diag->errors; i++)
		order[i](prog);
}

static const char *read_options(struct options *opt, int argc, char **argv)
{
	const char *file = NULL;

	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "-u"))
			opt->unoptimized = 1;
		else if (!strcmp(argv[i], "-v"))
			opt->verbose[2] = 1;
		else if (!strcmp(argv[i], "--no-display"))
			opt->no_auto_display = 1;
		else if (!strcmp(argv[i], "--runtime=user"))
			opt->runtime = RUNTIME_USER;
		else if (!strcmp(argv[i], "-G"))
			g_ptr_array_add(opt->globals, argv[++i]);
		else
			file = argv[i];
	return file;
}

int main(int argc, char **argv)
{
	struct options opt = { .globals = g_ptr_array_new() };
	const char *file = read_options(&opt, argc, argv);
	struct parse_env env = {
		.arch = "x86_64", .kernel_v = "6.1", .kernel_vr = "6.1.0", .guru = 1
	};
	struct diag_sink sink;
	struct program *prog;
	struct source *src;
	GError *error = NULL;
	int failed;

	src = file ? source_load(file, &error) : NULL;
	if (!src) {
		fprintf(stderr, "check_driver: %s\n", error ? error->message : "no FILE");
		return 2;
	}
	diag_init(&sink, stderr);
	prog = program_new(&opt, &sink);
	if (ast_parse(prog->ast, src, &env)) {
		prog->user_files = 1;
		run(prog);
	}
	diag_finish(&sink);
	failed = sink.errors || sink.parse_errors;
	if (!failed)
		program_dump(prog, stdout);
	program_free(prog);
	diag_clear(&sink);
	return failed;
}
