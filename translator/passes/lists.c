/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lists.c - inventories, sorted: for people one item a line, for programs JSON and CSV.
 */
#include "translator/passes/lists.h"

#include "translator/debuginfo/debuginfo.h"
#include "translator/families/family.h"
#include "translator/program/options.h"
#include "translator/target_var/variable.h"

#include <string.h>

/* One item of a list. What it is made of is the program's, but for line, name and variables. */
struct item {
	char		*line;		/* its text, by which the list is sorted */
	char		*name;		/* of a probe point or an alias */
	const struct builtin *builtin;
	const struct ast_node *node;	/* a function or an alias */
	GPtrArray	*variables;	/* char *: of a point, as in the line */
};

static struct item *add_item(GPtrArray *items, char *line)
{
	struct item *item = g_new0(struct item, 1);

	item->line = line;
	g_ptr_array_add(items, item);
	return item;
}

static void free_item(void *data)
{
	struct item *item = data;

	if (item->variables)
		g_ptr_array_unref(item->variables);
	g_free(item->name);
	g_free(item->line);
	g_free(item);
}

static GPtrArray *new_items(void)
{
	return g_ptr_array_new_with_free_func(free_item);
}

static int by_line(const void *a, const void *b)
{
	return strcmp((*(struct item *const *)a)->line, (*(struct item *const *)b)->line);
}

/* A list for programs: its schema, its columns, and the cells of a row. */
struct format {
	const char	*schema;
	const char	*columns[6];
	void		(*write)(struct data *d, const struct item *item);
};

/* Sorts, removes duplicates, shows, frees. *n (NULL: none): the items. Returns the exit status. */
static int show(GPtrArray *items, const struct format *format, enum data_form form, unsigned *n)
{
	const char *last = NULL;
	struct data d;
	int failed = 0;

	g_ptr_array_sort(items, by_line);
	if (form) {
		data_begin(&d, stdout, form, format->schema);
		data_rows(&d, "rows", format->columns);
	}
	for (unsigned i = 0; i < items->len; i++) {
		const struct item *item = items->pdata[i];

		if (last && !strcmp(last, item->line))
			continue;
		last = item->line;
		if (n)
			++*n;
		if (!form) {
			puts(item->line);
			continue;
		}
		data_row(&d);
		format->write(&d, item);
		data_close(&d);
	}
	if (form) {
		data_close(&d);
		failed = data_end(&d, "lapwing", "stdout");
	}
	g_ptr_array_unref(items);
	return failed;
}

/* ---- kinds of probe points --------------------------------------------------------*/

static void write_type(struct data *d, const struct item *item)
{
	data_text(d, NULL, item->line);
}

int list_probe_types(enum data_form form)
{
	static const struct format format = { "lapwing-probe-types/1", { "point" }, write_type };
	GPtrArray *items = new_items();

	for (unsigned f = 0; families[f]; f++)
		for (const struct family_pattern *p = families[f]->patterns; p->text; p++) {
			char **parts = g_strsplit(p->text, "(n)", -1),
			     *numbers = g_strjoinv("(number)", parts);
			char **again = g_strsplit(numbers, "(s)", -1);

			add_item(items, g_strjoinv("(string)", again));
			g_strfreev(parts);
			g_strfreev(again);
			g_free(numbers);
		}
	return show(items, &format, form, NULL);
}

/* ---- functions ---------------------------------------------------------------------*/

/* Names with this prefix are internal to the library. */
static int is_private(const struct program *prog, const char *name)
{
	return g_str_has_prefix(name, "__") && !prog->opt->verbose[2];
}

static const char *argument_word(char argument) { return argument == 's' ? "string" : "long"; }

static void add_builtins(const struct program *prog, GPtrArray *items)
{
	for (const struct builtin *b = builtins; b->name; b++) {
		GString *line;

		if (is_private(prog, b->name))
			continue;
		line = g_string_new(NULL);
		g_string_printf(line, "%s:%s (", b->name, type_word(b->type));
		for (unsigned i = 0; b->args[i]; i++)
			g_string_append_printf(line, "%s%s", i ? ", " : "",
					       argument_word(b->args[i]));
		g_string_append_printf(line, ")%s  %s", b->flags & GURU ? " /* guru */" : "",
				       b->note);
		add_item(items, g_string_free(line, FALSE))->builtin = b;
	}
}

static void add_function(GPtrArray *items, const struct ast_node *n)
{
	GString *line = g_string_new(NULL);

	g_string_printf(line, "%s:%s (", n->u.function.name, type_word(n->u.function.type));
	for (unsigned i = 0; i < n->u.function.nparams; i++) {
		const struct ast_param *param = &n->u.function.params[i];

		g_string_append_printf(line, "%s%s:%s", i ? ", " : "", param->name,
				       type_word(param->type));
	}
	g_string_append_c(line, ')');
	add_item(items, g_string_free(line, FALSE))->node = n;
}

static void write_typed(struct data *d, const char *name, const char *type)
{
	data_object(d, NULL);
	data_text(d, "name", name);
	data_text(d, "type", type);
	data_close(d);
}

static void write_type_word(struct data *d, enum ast_type type)
{
	data_text(d, NULL, type == TYPE_UNKNOWN ? NULL : type_word(type));
}

static void write_function(struct data *d, const struct item *item)
{
	const struct builtin *b = item->builtin;
	const struct ast_node *n = item->node;

	data_text(d, NULL, b ? b->name : n->u.function.name);
	write_type_word(d, b ? b->type : n->u.function.type);
	data_array(d, NULL);
	for (unsigned i = 0; b && b->args[i]; i++)
		write_typed(d, NULL, argument_word(b->args[i]));
	for (unsigned i = 0; n && i < n->u.function.nparams; i++) {
		const struct ast_param *param = &n->u.function.params[i];

		write_typed(d, param->name,
			    param->type == TYPE_UNKNOWN ? NULL : type_word(param->type));
	}
	data_close(d);
	data_value(d, NULL, b && b->flags & GURU ? "true" : "false");
	data_text(d, NULL, b ? b->note : NULL);
}

/* ---- aliases -----------------------------------------------------------------------*/

/* A point as it is written. Caller frees. */
static char *alias_point(const struct probe_point *p)
{
	char *text = point_string(p),
	     *whole = g_strconcat(text, p->sufficient ? "!" : p->optional ? "?" : "", NULL);

	g_free(text);
	return whole;
}

/* Adds "a = timer.s(1), begin", as written in the script, for each name of the alias. */
static void add_alias(const struct program *prog, GPtrArray *items, const struct ast_node *n)
{
	GString *points = g_string_new(NULL);

	for (unsigned i = 0; i < n->u.alias.npoints; i++) {
		char *text = alias_point(&n->u.alias.points[i]);

		g_string_append_printf(points, "%s%s", i ? ", " : "", text);
		g_free(text);
	}
	for (unsigned i = 0; i < n->u.alias.nnames; i++) {
		char *name = point_string(&n->u.alias.names[i]);
		struct item *item;

		if (is_private(prog, name) || (!prog->opt->verbose[2] && strstr(name, ".__"))) {
			g_free(name);
			continue;
		}
		item = add_item(items, g_strdup_printf("%s %s %s", name,
						       n->u.alias.epilogue ? "+=" : "=",
						       points->str));
		item->name = name;
		item->node = n;
	}
	g_string_free(points, TRUE);
}

static void write_alias(struct data *d, const struct item *item)
{
	data_text(d, NULL, item->name);
	data_array(d, NULL);
	for (unsigned i = 0; i < item->node->u.alias.npoints; i++) {
		char *text = alias_point(&item->node->u.alias.points[i]);

		data_text(d, NULL, text);
		g_free(text);
	}
	data_close(d);
	data_value(d, NULL, item->node->u.alias.epilogue ? "true" : "false");
}

static int list_inventory(const struct program *prog)
{
	static const struct format of_functions = { "lapwing-functions/1",
						    { "name", "type", "parameters", "guru", "note" },
						    write_function },
				   of_aliases = { "lapwing-probe-aliases/1",
						  { "name", "points", "epilogue" },
						  write_alias };
	GPtrArray *items = new_items();
	int functions = prog->opt->inventory == INVENTORY_FUNCTIONS;

	if (functions)
		add_builtins(prog, items);
	for (unsigned f = 0; f < prog->ast->files->len; f++) {
		const struct ast_node *file = g_ptr_array_index(prog->ast->files, f);

		for (unsigned i = 0; i < file->u.list.n; i++) {
			const struct ast_node *n = file->u.list.at[i];

			if (!functions && n->kind == AST_ALIAS)
				add_alias(prog, items, n);
			else if (functions && n->kind == AST_FUNCTION &&
				 !is_private(prog, n->u.function.name))
				add_function(items, n);
		}
	}
	return show(items, functions ? &of_functions : &of_aliases, prog->opt->form, NULL);
}

/* ---- probes ------------------------------------------------------------------------*/

static const char rest[] = " /* without calls that end in its beginning, which is inlined */";

/* " name:type" of a probe's locals: the variables that its aliases can set for the handler. */
static void add_locals(GPtrArray *items, const struct probe *p)
{
	for (unsigned i = 0; i < p->locals->len; i++) {
		const struct var *var = g_ptr_array_index(p->locals, i);

		if (!var->unset && (var->type == TYPE_LONG || var->type == TYPE_STRING))
			g_ptr_array_add(items,
					g_strdup_printf(" %s:%s", var->name, type_word(var->type)));
	}
}

/* Calibration functions have no variables. */
static void add_context(GPtrArray *items, struct program *prog, const struct probe *p)
{
	char *all = p->calibrates ? g_strdup("") : variable_list(prog, p),
	     **each = g_strsplit(all, " $", -1);

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
		g_ptr_array_add(items, g_strdup(rest));
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

/* The array is null with -l, which does not ask for variables. */
static void write_probe(struct data *d, const struct item *item, int has_variables)
{
	const GPtrArray *variables = item->variables;
	int is_rest = variables->len && !strcmp(variables->pdata[0], rest);

	data_text(d, NULL, item->name);
	if (has_variables)
		data_array(d, NULL);
	else
		data_text(d, NULL, NULL);
	for (unsigned i = is_rest ? 1 : 0; i < variables->len; i++) {
		const char *text = (const char *)variables->pdata[i] + 1, *type = strchr(text, ':');
		char *name = g_strndup(text, type ? (size_t)(type - text) : strlen(text));

		write_typed(d, name, type ? type + 1 : NULL);
		g_free(name);
	}
	if (has_variables)
		data_close(d);
	data_value(d, NULL, is_rest ? "true" : "false");
}

static void write_point(struct data *d, const struct item *item) { write_probe(d, item, 0); }

static void write_point_with_variables(struct data *d, const struct item *item)
{
	write_probe(d, item, 1);
}

static int list_probes(struct program *prog)
{
	const struct format format = { "lapwing-probes/1",
				       { "point", "variables", "without_inlined" },
				       prog->opt->list_vars ? write_point_with_variables
							    : write_point };
	GHashTable *points = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
						   (GDestroyNotify)g_ptr_array_unref);
	GPtrArray *items = new_items();
	GHashTableIter iter;
	gpointer name, variables;
	unsigned n = 0;
	int failed;

	for (unsigned i = 0; i < prog->probes->len; i++) {
		const struct probe *p = g_ptr_array_index(prog->probes, i);

		if (!p->refused)
			keep_common(points, prog, p);
	}
	g_hash_table_iter_init(&iter, points);
	while (g_hash_table_iter_next(&iter, &name, &variables)) {
		GString *line = g_string_new(name);
		struct item *item;

		for (unsigned i = 0; i < ((GPtrArray *)variables)->len; i++)
			g_string_append(line, ((GPtrArray *)variables)->pdata[i]);
		item = add_item(items, g_string_free(line, FALSE));
		item->name = g_strdup(name);
		item->variables = g_ptr_array_ref(variables);
	}
	g_hash_table_unref(points);
	failed = show(items, &format, prog->opt->form, &n);
	return failed || !n;
}

int list_show(struct program *prog)
{
	return prog->opt->list_pattern ? list_probes(prog) : list_inventory(prog);
}
