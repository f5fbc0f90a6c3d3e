/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lists.c - inventories for people, sorted, one item a line.
 */
#include "translator/passes/lists.h"

#include "translator/debuginfo/debuginfo.h"
#include "translator/families/family.h"
#include "translator/program/options.h"
#include "translator/target_var/variable.h"

#include <string.h>

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts, removes duplicates, prints, frees. */
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
			char **parts = g_strsplit(p->text, "(n)", -1),
			     *numbers = g_strjoinv("(number)", parts);
			char **again = g_strsplit(numbers, "(s)", -1);

			g_ptr_array_add(lines, g_strjoinv("(string)", again));
			g_strfreev(parts);
			g_strfreev(again);
			g_free(numbers);
		}
	print_sorted(lines, to);
}

/* Names with this prefix are internal to the library. */
static int is_private(const struct program *prog, const char *name)
{
	return g_str_has_prefix(name, "__") && !prog->opt->verbose[2];
}

static void add_builtins(const struct program *prog, GPtrArray *lines)
{
	for (const struct builtin *b = builtins; b->name; b++) {
		GString *line;

		if (is_private(prog, b->name))
			continue;
		line = g_string_new(NULL);
		g_string_printf(line, "%s:%s (", b->name, type_word(b->type));
		for (unsigned i = 0; b->args[i]; i++)
			g_string_append_printf(line, "%s%s", i ? ", " : "",
					       b->args[i] == 's' ? "string" : "long");
		g_string_append_printf(line, ")%s  %s", b->flags & GURU ? " /* guru */" : "",
				       b->note);
		g_ptr_array_add(lines, g_string_free(line, FALSE));
	}
}

static void add_function(GPtrArray *lines, const struct ast_node *n)
{
	GString *line = g_string_new(NULL);

	g_string_printf(line, "%s:%s (", n->u.function.name, type_word(n->u.function.type));
	for (unsigned i = 0; i < n->u.function.nparams; i++) {
		const struct ast_param *param = &n->u.function.params[i];

		g_string_append_printf(line, "%s%s:%s", i ? ", " : "", param->name,
				       type_word(param->type));
	}
	g_string_append_c(line, ')');
	g_ptr_array_add(lines, g_string_free(line, FALSE));
}

/* Adds "a = timer.s(1), begin", as written in the script, for each name of the alias. */
static void add_alias(const struct program *prog, GPtrArray *lines, const struct ast_node *n)
{
	GString *points = g_string_new(NULL);

	for (unsigned i = 0; i < n->u.alias.npoints; i++) {
		const struct probe_point *p = &n->u.alias.points[i];
		char *text = point_string(p);

		g_string_append_printf(points, "%s%s%s", i ? ", " : "", text,
				       p->sufficient ? "!"
				       : p->optional ? "?"
				       : "");
		g_free(text);
	}
	for (unsigned i = 0; i < n->u.alias.nnames; i++) {
		char *name = point_string(&n->u.alias.names[i]);

		if (!is_private(prog, name) && (prog->opt->verbose[2] || !strstr(name, ".__")))
			g_ptr_array_add(lines, g_strdup_printf("%s %s %s", name,
							       n->u.alias.epilogue ? "+=" : "=",
							       points->str));
		g_free(name);
	}
	g_string_free(points, TRUE);
}

void list_inventory(const struct program *prog, FILE *to)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
	int functions = prog->opt->inventory == INVENTORY_FUNCTIONS;

	if (functions)
		add_builtins(prog, lines);
	for (unsigned f = 0; f < prog->ast->files->len; f++) {
		const struct ast_node *file = g_ptr_array_index(prog->ast->files, f);

		for (unsigned i = 0; i < file->u.list.n; i++) {
			const struct ast_node *n = file->u.list.at[i];

			if (!functions && n->kind == AST_ALIAS)
				add_alias(prog, lines, n);
			else if (functions && n->kind == AST_FUNCTION &&
				 !is_private(prog, n->u.function.name))
				add_function(lines, n);
		}
	}
	print_sorted(lines, to);
}

/* " name:type" of a probe's locals: the variables that its aliases set for the handler. */
static void add_locals(GPtrArray *items, const struct probe *p)
{
	for (unsigned i = 0; i < p->locals->len; i++) {
		const struct var *var = g_ptr_array_index(p->locals, i);

		if (var->type == TYPE_LONG || var->type == TYPE_STRING)
			g_ptr_array_add(items,
					g_strdup_printf(" %s:%s", var->name, type_word(var->type)));
	}
}

static void add_context(GPtrArray *items, struct program *prog, const struct probe *p)
{
	char *all = variable_list(prog, p), **each = g_strsplit(all, " $", -1);

	for (unsigned i = 1; each[0] && each[i]; i++)
		g_ptr_array_add(items, g_strconcat(" $", each[i], NULL));
	g_strfreev(each);
	g_free(all);
}

/* Adds a probe's variables; of several probes with one name, only their common variables stay. */
static void keep_common(GHashTable *points, struct program *prog, const struct probe *p)
{
	GPtrArray *items = g_ptr_array_new_with_free_func(g_free),
		  *had = g_hash_table_lookup(points, p->written);

	if (p->function && debuginfo_is_rest(p->function))
		g_ptr_array_add(
			items,
			g_strdup(
				" /* without calls that end in its beginning, which is inlined */"));
	if (prog->opt->list_vars) {
		add_locals(items, p);
		add_context(items, prog, p);
	}
	for (unsigned i = 0; had && i < items->len; )
		if (g_ptr_array_find_with_equal_func(had, items->pdata[i], g_str_equal, NULL))
			i++;
		else
			g_ptr_array_remove_index(items, i);
	g_hash_table_insert(points, (void *)p->written, items);
}

unsigned list_probes(struct program *prog, FILE *to)
{
	GHashTable *points = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
						   (GDestroyNotify)g_ptr_array_unref);
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
	GHashTableIter iter;
	gpointer name, items;

	for (unsigned i = 0; i < prog->probes->len; i++)
		keep_common(points, prog, g_ptr_array_index(prog->probes, i));
	g_hash_table_iter_init(&iter, points);
	while (g_hash_table_iter_next(&iter, &name, &items)) {
		GString *line = g_string_new(name);

		for (unsigned i = 0; i < ((GPtrArray *)items)->len; i++)
			g_string_append(line, ((GPtrArray *)items)->pdata[i]);
		g_ptr_array_add(lines, g_string_free(line, FALSE));
	}
	g_hash_table_unref(points);
	return print_sorted(lines, to);
}
