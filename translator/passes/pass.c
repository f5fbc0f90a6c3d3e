/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass.c - runs the passes of passes.def in order, up to the one the user
 * wants, and prints SystemTap's "Pass N:" lines with -v.
 */
#include "translator/passes/pass.h"

#include "parser/ast_print.h"
#include "translator/passes/lists.h"
#include "translator/program/options.h"
#include "translator/program/dump.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

const struct pass passes[] = {
#define PASS(name, stap_pass, sentence) { #name, stap_pass, pass_##name, sentence },
#include "translator/passes/passes.def"
#undef PASS
	{ NULL, 0, NULL, NULL },
};

struct moment {
	double		user, system, real;	/* ms */
};

static struct moment now(void)
{
	struct moment m;
	struct rusage self, child;
	struct timespec t;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &child);
	clock_gettime(CLOCK_MONOTONIC, &t);
	m.user = (self.ru_utime.tv_sec + child.ru_utime.tv_sec) * 1e3 +
		 (self.ru_utime.tv_usec + child.ru_utime.tv_usec) / 1e3;
	m.system = (self.ru_stime.tv_sec + child.ru_stime.tv_sec) * 1e3 +
		   (self.ru_stime.tv_usec + child.ru_stime.tv_usec) / 1e3;
	m.real = t.tv_sec * 1e3 + t.tv_nsec / 1e6;
	return m;
}

static const char *plural(unsigned n)
{
	return n == 1 ? "" : "s";
}

/* Memory sizes of this process in stap's format. Caller frees. */
static char *memory_text(void)
{
	unsigned long size = 0, resident = 0, shared = 0, data = 0,
		      page = (unsigned long)sysconf(_SC_PAGESIZE) / 1024;
	char *text = NULL;

	if (!g_file_get_contents("/proc/self/statm", &text, NULL, NULL) ||
	    sscanf(text, "%lu %lu %lu %*u %*u %lu", &size, &resident, &shared, &data) != 4)
		size = resident = shared = data = 0;
	g_free(text);
	return g_strdup_printf("using %luvirt/%lures/%lushr/%ludata kb, in", size * page,
			       resident * page, shared * page, data * page);
}

/* The line that stap prints after pass n; other tools parse it. */
static void say_done(const struct program *prog, int n, const struct moment *from)
{
	struct moment to = now();
	char *times = g_strdup_printf("%.0fusr/%.0fsys/%.0freal ms", to.user - from->user,
				      to.system - from->system, to.real - from->real);
	unsigned probes = prog->probes->len, functions = prog->functions->len,
		 globals = prog->globals->len;
	char *memory = memory_text();

	if (n == 1)
		fprintf(stderr, "Pass 1: parsed user script and %u library scripts %s %s.\n",
			prog->ast->files->len ? prog->ast->files->len - 1 : 0, memory, times);
	else if (n == 2)
		fprintf(stderr,
			"Pass 2: analyzed script: %u probe%s, %u function%s, 0 embeds, %u global%s %s %s.\n",
			probes, plural(probes), functions, plural(functions), globals,
			plural(globals), memory, times);
	else if (n == 3)
		fprintf(stderr, "Pass 3: translated to C into \"script.c\" %s %s.\n", memory,
			times);
	else if (prog->module_cached)
		fprintf(stderr, "Pass 4: using cached %s\n", prog->module);
	else
		fprintf(stderr, "Pass 4: compiled C into \"%s\" in %s.\n", prog->module, times);
	g_free(memory);
	g_free(times);
}

static int failed(const struct program *prog, int n)
{
	static const char *const words[] = {
		"", "parse", "analysis", "translation", "compilation", "run"
	};
	struct diag_sink *sink = prog->ast->diag;

	diag_finish(sink);
	if ((prog->opt->list_pattern && n > 1) || prog->opt->json_diagnostics)
		return 1;
	fprintf(sink->to, "Pass %d: %s failed.  [man error::pass%d]\n", n, words[n], n);
	return 1;
}

/* The code generated for a stopwatch is printed as text, once, at its first declaration. */
static void print_declaration(const struct ast_node *n, const struct ast_node *before)
{
	const struct source *made = n->loc.src && n->loc.src->stands_for ? n->loc.src : NULL;
	char *text = made ? NULL : ast_print(n);

	if (made && (!before || before->loc.src != made))
		fputs(made->text, stdout);
	else if (text)
		puts(text);
	g_free(text);
}

static void print_trees(const struct program *prog)
{
	puts("# parse tree dump");
	for (unsigned i = 0; i < prog->ast->files->len; i++) {
		const struct ast_node *file = g_ptr_array_index(prog->ast->files, i);

		printf("# file %s\n", file->loc.src ? file->loc.src->name : "<input>");
		for (unsigned k = 0; k < file->u.list.n; k++)
			print_declaration(file->u.list.at[k], k ? file->u.list.at[k - 1] : NULL);
	}
}

/* The output of -pN and --dump after the last requested pass. */
static void print_result(const struct program *prog)
{
	const struct options *opt = prog->opt;

	if (opt->json_diagnostics)
		return;
	if (opt->dump_after && strcmp(opt->dump_after, "emit") && strcmp(opt->dump_after, "load"))
		program_dump(prog, stdout);
	else if (opt->last_pass == 1 || (opt->dump_after && !strcmp(opt->dump_after, "load")))
		print_trees(prog);
	else if (opt->last_pass == 2)
		program_dump(prog, stdout);
	else if (opt->last_pass == 3 || opt->dump_after)
		fputs(prog->c_text, stdout);
	else if (opt->last_pass == 4)
		puts(prog->module);
}

/* True if a listed point is an alias's, whose handler may need what cannot be read. */
static int has_handlers(const struct program *prog)
{
	for (unsigned i = 0; i < prog->probes->len; i++)
		if (((const struct probe *)prog->probes->pdata[i])->body->u.list.n)
			return 1;
	return 0;
}

static int is_last(const struct program *prog, const struct pass *p)
{
	const struct options *opt = prog->opt;

	if (opt->dump_after)
		return !strcmp(opt->dump_after, p->name);
	if (opt->inventory)
		return !strcmp(p->name, "load");
	if (opt->list_pattern)
		return !strcmp(p->name, opt->list_vars ? "display" : "context") ||
		       (!strcmp(p->name, "match") && !opt->list_vars && !has_handlers(prog));
	return !p[1].name || p[1].stap_pass > opt->last_pass;
}

/* For a listing, points that do not resolve and invalid handlers are skipped. */
static int is_listable(const struct program *prog, int pass)
{
	return prog->opt->list_pattern && pass > 1 && prog->probes->len;
}

int run_passes(struct program *prog)
{
	struct diag_sink *sink = prog->ast->diag;
	struct moment began = now();

	for (const struct pass *p = passes; p->name; p++) {
		sink->verbose = prog->opt->verbose[p->stap_pass];
		p->run(prog);
		if (sink->errors && !is_listable(prog, p->stap_pass))
			return failed(prog, p->stap_pass);
		if (sink->errors && strcmp(p->name, "match"))
			return 0;
		sink->errors = 0;
		if (!options_list(prog->opt) && prog->opt->verbose[p->stap_pass] &&
		    p[1].stap_pass != p->stap_pass) {
			say_done(prog, p->stap_pass, &began);
			began = now();
		}
		if (is_last(prog, p)) {
			diag_finish(prog->ast->diag);
			if (!options_list(prog->opt))
				print_result(prog);
			return 0;
		}
	}
	return 0;
}
