/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lists.c - inventories for people, sorted, one item a line.
 */
#include "translator/lists.h"

#include "translator/families/family.h"
#include "translator/options.h"
#include "translator/variable.h"

#include <string.h>

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts, drops repetitions, prints, frees. */
static unsigned print_sorted(GPtrArray *lines, FILE *to)
{
	const char *last = NULL;
	unsigned n = 0;

	g_ptr_array_sort(lines, by_text);
	for (unsigned i = 0; i < lines->len; i++) {
		const char *line = g_ptr_array_index(lines, i);

		if (last && !strcmp(last, line))
			continue;
		fprintf(to, "%s\n", line);
		last = line;
		n++;
	}
	g_ptr_array_free(lines, TRUE);
	return n;
}

void list_probe_types(FILE *to)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);

	for (unsigned f = 0; families[f]; f++)
		for (const struct family_pattern *p = families[f]->patterns; p->text; p++) {
			char **parts = g_strsplit(p->text, "(n)", -1), *numbers = g_strjoinv("(number)", parts);
			char **again = g_strsplit(numbers, "(s)", -1);

			g_ptr_array_add(lines, g_strjoinv("(string)", again));
			g_strfreev(parts);
			g_strfreev(again);
			g_free(numbers);
		}
	print_sorted(lines, to);
}

void list_builtins(FILE *to)
{
	for (const struct builtin *b = builtins; b->name; b++) {
		fprintf(to, "%s:%s (", b->name, type_word(b->type));
		for (unsigned i = 0; b->args[i]; i++)
			fprintf(to, "%s%s", i ? ", " : "", b->args[i] == 's' ? "string" : "long");
		fprintf(to, ")  %s\n", b->note);
	}
}

void list_aliases(const struct program *prog, FILE *to)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);

	for (unsigned f = 0; f < prog->ast->files->len; f++) {
		const struct ast_node *file = g_ptr_array_index(prog->ast->files, f);

		for (unsigned i = 0; i < file->u.list.n; i++) {
			const struct ast_node *n = file->u.list.at[i];

			for (unsigned k = 0; n->kind == AST_ALIAS && k < n->u.alias.nnames; k++)
				g_ptr_array_add(lines, point_string(&n->u.alias.names[k]));
		}
	}
	print_sorted(lines, to);
}

unsigned list_probes(struct program *prog, FILE *to)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);

	for (unsigned i = 0; i < prog->probes->len; i++) {
		const struct probe *p = g_ptr_array_index(prog->probes, i);
		char *variables = prog->opt->list_vars ? variable_list(prog, p) : g_strdup("");

		g_ptr_array_add(lines, g_strconcat(p->point, variables, NULL));
		g_free(variables);
	}
	return print_sorted(lines, to);
}
