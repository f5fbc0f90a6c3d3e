/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share_driver.c - of how many functions that ftrace can trace are the arguments known?
 *
 *	share_driver ARCH SYMBOLS BTF
 *
 * SYMBOLS is a folder with a kernel's kallsyms and available_filter_functions, BTF its file. Prints the share, and what is missing by
 * reason. Exit status 1 below 99 % of those that are the source's own: how many copies a compiler makes is its choice.
 */
#include "translator/debuginfo/btf.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/debuginfo/files.h"
#include "translator/families/family.h"
#include "translator/program/options.h"
#include "translator/target_var/variable.h"

#include <string.h>

static char *give_symbols(void *data) { return g_strdup(((char **)data)[2]); }
static char *give_btf(void *data) { return g_strdup(((char **)data)[3]); }

/* True for the compiler's copies of a function, whose parameters differ from the source's. */
static int is_copy(const char *name)
{
	return strstr(name, ".isra.") || strstr(name, ".constprop.") || strstr(name, ".part.") ||
	       strstr(name, ".cold");
}

int main(int argc, char **argv)
{
	struct options opt = { .runtime = RUNTIME_KERNEL };
	struct rt_function row = { 0 };
	struct probe probe = { .family = &family_function, .row = &row };
	struct diag_sink sink;
	struct program *prog;
	unsigned all = 0, known = 0, copies = 0, ambiguous = 0;
	GPtrArray *names;
	const char *why;

	if (argc != 4) {
		fprintf(stderr, "usage: share_driver ARCH SYMBOLS BTF\n");
		return 2;
	}
	diag_init(&sink, stderr);
	prog = program_new(&opt, &sink);
	prog->arch = argv[1];
	prog->info = debuginfo_open(give_symbols, argv);
	debuginfo_find_btf(prog->info, give_btf);
	names = debuginfo_traceable_names(prog->info);
	for (guint i = 0; i < names->len; i++) {
		probe.function = probe.point = names->pdata[i];
		all++;
		if (variable_has_prototype(prog, &probe, &why))
			known++;
		else if (is_copy(probe.function))
			copies++;
		else if (why && strstr(why, "several"))
			ambiguous++;
	}
	printf("arguments known of %u of %u traceable functions: %.1f %%; the compiler's copies %u, several of one name %u, no BTF %u\n",
	       known, all, all ? 100.0 * known / all : 0, copies, ambiguous,
	       all - known - copies - ambiguous);
	g_ptr_array_unref(names);
	program_free(prog);
	return !all || known * 100ull < (all - copies) * 99ull;
}
