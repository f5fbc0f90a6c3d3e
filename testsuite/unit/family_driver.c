/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_driver.c - what families make of probe points, on a kernel that a text file describes.
 *
 *	family_driver FAKE POINTS
 *
 * FAKE is for debuginfo_open_fake(). POINTS holds one probe point a line ('#': comment). Prints each point and, indented, its
 * concrete probes: resolved point, phase, function, the row of the generated table; or the whole message when there is none.
 */
#include "parser/parse.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/families/family.h"
#include "translator/passes/pass.h"
#include "translator/program/options.h"

#include <string.h>

static void print_probe(const struct probe *p)
{
	static const char *const phases[] = { [RT_BEGIN] = "begin",
					      [RT_RUNNING] = "running",
					      [RT_END] = "end",
					      [RT_ERROR] = "error" };
	GString *row = g_string_new(NULL);

	if (p->family->emit_row)
		p->family->emit_row(row, p);
	printf("\t%s  %s%s  %s%s%s\n", p->point, phases[p->phase], p->optional ? " optional" : "",
	       p->function ? p->function : "", p->function ? "  " : "", row->str);
	g_string_free(row, TRUE);
}

static void print_point(const char *fake, const char *point, enum runtime_choice runtime)
{
	struct options opt = { .runtime = runtime, .guru = 1, .defines = g_ptr_array_new() };
	struct parse_env env = { .arch = "x86_64", .kernel_v = "6.1", .kernel_vr = "6.1.0" };
	char *text = g_strdup_printf("probe %s {}", point);
	struct diag_sink sink;
	struct program *prog;

	printf("%s\n", point);
	diag_init(&sink, stdout);
	prog = program_new(&opt, &sink);
	prog->info = debuginfo_open_fake(fake, NULL);
	if (ast_parse(prog->ast, source_new("point", text, strlen(text)), &env)) {
		pass_alias(prog);
		if (!sink.errors)
			pass_match(prog);
	}
	diag_finish(&sink);
	for (unsigned i = 0; i < prog->probes->len; i++)
		print_probe(g_ptr_array_index(prog->probes, i));
	program_free(prog);
	g_ptr_array_unref(opt.defines);
	diag_clear(&sink);
	g_free(text);
}

int main(int argc, char **argv)
{
	struct debuginfo *info;
	char *text = NULL, **lines;
	GError *error = NULL;

	info = argc == 3 ? debuginfo_open_fake(argv[1], &error) : NULL;
	if (!info || !g_file_get_contents(argv[2], &text, NULL, &error)) {
		fprintf(stderr, "family_driver: %s\n",
			error ? error->message : "usage: family_driver FAKE POINTS");
		return 2;
	}
	debuginfo_close(info);
	lines = g_strsplit(text, "\n", -1);
	for (char **l = lines; *l; l++)
		if (g_str_has_prefix(*l, "user: "))
			print_point(argv[1], *l + 6, RUNTIME_USER);
		else if (**l && **l != '#')
			print_point(argv[1], *l, RUNTIME_KERNEL);
	g_strfreev(lines);
	g_free(text);
	return 0;
}
