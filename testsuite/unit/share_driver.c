/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share_driver.c - computes the share of functions whose arguments are known, among those that
 * ftrace can trace and BTF can describe.
 *
 * 	share_driver ARCH SYMBOLS BTF
 *
 * SYMBOLS is a directory with a kernel's kallsyms and available_filter_functions, BTF its BTF file.
 * Prints the share, and what is missing by reason. BTF cannot describe the compiler's copies of a
 * function, whose parameters differ from the source's, nor, since kernels are built with pahole
 * 1.25 or later (consistent_func in scripts/Makefile.btf), several functions of the same name with
 * different prototypes. With optimized_func pahole also omits functions whose arguments are not in
 * the registers of the calling convention; those count as "no BTF". BTF of arm64 kernels by older
 * pahole has global functions only: then the static ones are counted separately. Exit status 1 if
 * less than 99.5 % of the rest are known.
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

/* Returns the names that are in a list more than once. */
static GHashTable *find_repeated(const GPtrArray *names)
{
	GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
	GHashTable *repeated = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < names->len; i++)
		if (!g_hash_table_add(seen, names->pdata[i]))
			g_hash_table_add(repeated, names->pdata[i]);
	g_hash_table_unref(seen);
	return repeated;
}

int main(int argc, char **argv)
{
	struct options opt = { .runtime = RUNTIME_KERNEL };
	struct rt_function row = { 0 };
	struct probe probe = { .family = &family_function, .row = &row };
	struct diag_sink sink;
	struct program *prog;
	unsigned all = 0, known = 0, copies = 0, ambiguous = 0, statics = 0, can;
	GHashTable *repeated;
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
	repeated = find_repeated(names);
	for (guint i = 0; i < names->len; i++) {
		probe.function = probe.point = names->pdata[i];
		all++;
		if (variable_has_prototype(prog, &probe, &why))
			known++;
		else if (is_copy(probe.function))
			copies++;
		else if ((why && strstr(why, "several")) ||
			 g_hash_table_contains(repeated, probe.function))
			ambiguous++;
		else if (debuginfo_is_static(prog->info, probe.function) &&
			 !debuginfo_btf_has_static(prog->info))
			statics++;
	}
	can = all - copies - ambiguous - statics;
	printf("arguments known for %u of %u traceable functions: %.1f %%; compiler's copies %u, "
	       "several of one name %u, static where BTF has only global ones %u, no BTF %u; "
	       "of those that BTF can describe: %.2f %%\n",
	       known, all, all ? 100.0 * known / all : 0, copies, ambiguous, statics, can - known,
	       can ? 100.0 * known / can : 0);
	g_hash_table_unref(repeated);
	g_ptr_array_unref(names);
	program_free(prog);
	return !can || known * 1000ull < can * 995ull;
}
