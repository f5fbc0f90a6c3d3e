/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * library_text.c - the comments of the library: which block belongs to which function or alias,
 * what it describes, and what is missing.
 *
 * A block is a sequence of '#' lines, the first of which begins with "##", directly above a
 * definition or, for the whole file, above an empty line. Arguments and variables come from the
 * syntax tree.
 */
#include "doc/library_text.h"
#include "parser/ast_walk.h"

#include <string.h>

/* A block of the file. */
struct block {
	const char	*summary, *more, *returns, *fails, *example;
	GArray		*terms;		/* struct term */
};

static const char *save(struct library_text *lib, const char *text)
{
	return g_string_chunk_insert(lib->texts, text);
}

struct library_text *library_text_new(void)
{
	struct library_text *lib = g_new0(struct library_text, 1);

	lib->items = g_ptr_array_new();
	lib->chapters = g_ptr_array_new();
	lib->aliases = g_hash_table_new(g_str_hash, g_str_equal);
	lib->globals = g_hash_table_new(g_str_hash, g_str_equal);
	lib->faults = g_ptr_array_new_with_free_func(g_free);
	lib->texts = g_string_chunk_new(4096);
	return lib;
}

void library_text_free(struct library_text *lib)
{
	for (unsigned i = 0; i < lib->items->len; i++) {
		struct item *item = lib->items->pdata[i];

		g_ptr_array_unref(item->names);
		g_array_unref(item->terms);
		g_free(item);
	}
	for (unsigned i = 0; i < lib->chapters->len; i++) {
		struct chapter *chapter = lib->chapters->pdata[i];

		g_array_unref(chapter->terms);
		g_free(chapter);
	}
	g_ptr_array_unref(lib->items);
	g_ptr_array_unref(lib->chapters);
	g_hash_table_unref(lib->aliases);
	g_hash_table_unref(lib->globals);
	g_ptr_array_unref(lib->faults);
	g_string_chunk_free(lib->texts);
	g_free(lib);
}

static void fault(struct library_text *lib, const struct item *item, const char *what,
		  const char *name)
{
	char *at = item->node ? loc_string(&item->node->mark)
			      : g_strdup("translator/program/builtins.def");

	g_ptr_array_add(lib->faults, g_strdup_printf("%s: %s: %s%s", at, item->name, what, name));
	g_free(at);
}

/* The length of "name" if the line is "name: text", else 0. */
static size_t term_length(const char *line)
{
	size_t n = 0;

	while (g_ascii_isalnum(line[n]) || line[n] == '_' || line[n] == '*')
		n++;
	return line[n] == ':' && (line[n + 1] == ' ' || !line[n + 1]) ? n : 0;
}

static void add_term(struct library_text *lib, struct block *block, const char *name,
		     const char *text)
{
	struct term term = { save(lib, name), save(lib, text) };

	if (!strcmp(name, "##"))
		block->summary = term.text;
	else if (!strcmp(name, "#"))
		block->more = term.text;
	else if (!strcmp(name, "returns"))
		block->returns = term.text;
	else if (!strcmp(name, "fails"))
		block->fails = term.text;
	else if (!strcmp(name, "example"))
		block->example = term.text;
	else
		g_array_append_val(block->terms, term);
}

/* Appends a line: of a script unchanged, of a text after a blank. */
static void go_on(GString *text, const char *name, const char *line)
{
	int script = !strcmp(name, "example");

	while (!script && *line == ' ')
		line++;
	if (text->len && *line)
		g_string_append_c(text, script ? '\n' : ' ');
	g_string_append(text, line);
}

/* Parses the lines of a block, which have no '#' and no blank after it any more. */
static void read_block(struct library_text *lib, GPtrArray *lines, struct block *block)
{
	g_autoptr(GString) said = g_string_new(NULL);
	char *name = g_strdup("##");

	*block = (struct block){ "", "", .terms = g_array_new(FALSE, FALSE, sizeof(struct term)) };
	for (unsigned i = 0; i < lines->len; i++) {
		const char *line = lines->pdata[i];
		size_t n = i ? term_length(line) : 0;

		if (n || i == 1) {
			add_term(lib, block, name, said->str);
			g_free(name);
			name = n ? g_strndup(line, n) : g_strdup("#");
			g_string_truncate(said, 0);
			line += n ? n + 1 + (line[n + 1] == ' ') : 0;
		}
		go_on(said, name, line);
	}
	add_term(lib, block, name, said->str);
	g_free(name);
}

/*
 * The comment lines that end before text[end], which begins a line; NULL if they are not a block.
 * Caller frees.
 */
static GPtrArray *lines_before(const struct source *src, size_t end)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
	int begun = 0;

	while (end && !begun) {
		size_t start = end - 1, skip;

		while (start && src->text[start - 1] != '\n')
			start--;
		if (src->text[start] != '#')
			break;
		begun = src->text[start + 1] == '#';
		skip = start + 1 + begun;
		skip += src->text[skip] == ' ';
		g_ptr_array_insert(
			lines, 0, g_strndup(src->text + skip, end - 1 > skip ? end - 1 - skip : 0));
		end = start;
	}
	if (begun)
		return lines;
	g_ptr_array_unref(lines);
	return NULL;
}

/* Parses the block above the definition at an offset; 0 if there is none. */
static int block_above(struct library_text *lib, const struct source *src, size_t at,
		       struct block *block)
{
	GPtrArray *lines;

	while (at && src->text[at - 1] != '\n')
		at--;
	lines = lines_before(src, at);
	if (!lines)
		return 0;
	read_block(lib, lines, block);
	g_ptr_array_unref(lines);
	return 1;
}

/* The blocks of the file: those followed by an empty line. */
static struct chapter *chapter_of(struct library_text *lib, const struct source *src)
{
	struct chapter *chapter = g_new0(struct chapter, 1);
	const char *slash = strrchr(src->name, '/'), *base = slash ? slash + 1 : src->name,
		   *empty = src->text;
	g_autofree char *name = g_strndup(base, strlen(base) - strlen(".stp"));

	*chapter = (struct chapter){ save(lib, name), "",
				     g_array_new(FALSE, FALSE, sizeof(struct term)) };
	while ((empty = strstr(empty, "\n\n"))) {
		struct block block;

		if (block_above(lib, src, ++empty - src->text, &block)) {
			g_autofree char *text = g_strjoin(" ", block.summary, block.more, NULL);

			chapter->text = save(lib, g_strstrip(text));
			g_array_append_vals(chapter->terms, block.terms->data, block.terms->len);
			g_array_unref(block.terms);
		}
	}
	g_ptr_array_add(lib->chapters, chapter);
	return chapter;
}

static struct item *find_item(const struct library_text *lib, const char *name, int alias)
{
	for (unsigned i = 0; i < lib->items->len; i++) {
		struct item *item = lib->items->pdata[i];

		if (!strcmp(item->name, name) && !item->points == !alias)
			return item;
	}
	return NULL;
}

/* Adds a definition; a further definition of the same name adds to the first. */
static struct item *add_item(struct library_text *lib, const char *name,
			     const struct ast_node *node, const struct chapter *chapter)
{
	struct item *item = find_item(lib, name, node && node->kind == AST_ALIAS);
	struct block block = { "", "" };

	if (!node || !block_above(lib, node->loc.src, node->loc.start, &block))
		block.terms = g_array_new(FALSE, FALSE, sizeof(struct term));
	if (item) {
		g_array_append_vals(item->terms, block.terms->data, block.terms->len);
		g_array_unref(block.terms);
		return item;
	}
	item = g_new0(struct item, 1);
	*item = (struct item){
		.name = save(lib, name),
		.summary = block.summary,
		.more = block.more,
		.returns = block.returns,
		.fails = block.fails,
		.example = block.example,
		.call = "",
		.names = g_ptr_array_new(),
		.terms = block.terms,
		.chapter = chapter,
		.node = node,
	};
	g_ptr_array_add(lib->items, item);
	return item;
}

static void add_name(GPtrArray *names, const char *name)
{
	if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
		g_ptr_array_add(names, (void *)name);
}

static const char *with_type(const char *name, enum ast_type type, GString *text)
{
	g_string_append(text, name);
	if (type == TYPE_LONG || type == TYPE_STRING)
		g_string_append_printf(text, ":%s", type_word(type));
	return text->str;
}

static void add_function(struct library_text *lib, const struct ast_node *n,
			 const struct chapter *chapter)
{
	struct item *item;
	GString *call;

	if (n->u.function.private_ || g_str_has_prefix(n->u.function.name, "__"))
		return;
	item = add_item(lib, n->u.function.name, n, chapter);
	call = g_string_new(item->call);
	g_string_append(call, call->len ? "\n" : "");
	with_type(item->name, n->u.function.type, call);
	g_string_append_c(call, '(');
	for (unsigned i = 0; i < n->u.function.nparams; i++) {
		const struct ast_param *param = &n->u.function.params[i];

		g_string_append(call, i ? ", " : "");
		with_type(param->name, param->type, call);
		add_name(item->names, param->name);
	}
	g_string_append_c(call, ')');
	item->call = save(lib, call->str);
	g_string_free(call, TRUE);
}

struct assigned {
	const struct library_text *lib;
	GPtrArray *names;
};

static int visit_assigned(struct ast_node **slot, void *data)
{
	const struct ast_node *n = *slot, *left = n->kind == AST_ASSIGN ? n->u.binary.left : NULL;
	struct assigned *a = data;
	const char *name = left && left->kind == AST_NAME ? left->u.name.name : "__";

	if (!g_str_has_prefix(name, "__") && !g_hash_table_contains(a->lib->globals, name))
		add_name(a->names, name);
	return 1;
}

static const char *points_text(struct library_text *lib, const struct ast_node *n)
{
	g_autoptr(GString) points = g_string_new(NULL);
	const char *text;

	for (unsigned i = 0; i < n->u.alias.npoints; i++) {
		const struct probe_point *p = &n->u.alias.points[i];
		g_autofree char *point = point_string(p);

		g_string_append_printf(points, "%s%s%s", i ? ", " : "", point,
				       p->sufficient ? "!"
				       : p->optional ? "?"
						     : "");
	}
	text = save(lib, points->str);
	return text;
}

static void add_alias(struct library_text *lib, const struct ast_node *n,
		      const struct chapter *chapter)
{
	const struct item *first = NULL;

	for (unsigned i = 0; i < n->u.alias.nnames; i++) {
		g_autofree char *name = point_string(&n->u.alias.names[i]);
		struct item *item = add_item(lib, name, n, chapter);

		item->call = item->name;
		item->points = points_text(lib, n);
		item->same = i ? first : NULL;
		first = i ? first : item;
		g_hash_table_insert(lib->aliases, (void *)item->name, item);
	}
}

void library_text_add(struct library_text *lib, const struct ast_node *file)
{
	const struct chapter *chapter = chapter_of(lib, file->loc.src);

	for (unsigned i = 0; i < file->u.list.n; i++) {
		const struct ast_node *n = file->u.list.at[i];

		if (n->kind == AST_FUNCTION)
			add_function(lib, n, chapter);
		else if (n->kind == AST_ALIAS)
			add_alias(lib, n, chapter);
		else if (n->kind == AST_GLOBAL)
			g_hash_table_add(lib->globals, (void *)n->u.global.name);
	}
}

/* True if a point of another alias matches this alias, by its name or by a pattern. */
static int stands_for(const struct probe_point *point, const char *alias)
{
	g_autofree char *name = point_string(point);
	int same = g_pattern_match_simple(name, alias);

	return same;
}

/*
 * The variables of an alias: those that it sets, and those that all aliases among its points set.
 * The descriptions of the latter are used if the alias has none. Aliases of aliases are a few
 * levels deep.
 */
static void add_variables(struct library_text *lib, struct item *item, unsigned level)
{
	const struct ast_node *n = item->node;
	struct assigned own = { lib, item->names };
	GPtrArray *common = NULL;

	for (unsigned i = 0; level && i < n->u.alias.npoints; i++) {
		GHashTableIter iter;
		gpointer name, base;

		g_hash_table_iter_init(&iter, lib->aliases);
		while (g_hash_table_iter_next(&iter, &name, &base)) {
			struct item *of = base;

			if (!stands_for(&n->u.alias.points[i], name) || of == item)
				continue;
			if (!of->names->len)
				add_variables(lib, of, level - 1);
			if (!common)
				common = g_ptr_array_copy(of->names, NULL, NULL);
			for (unsigned k = common->len; k--; )
				if (!g_ptr_array_find_with_equal_func(of->names, common->pdata[k],
								      g_str_equal, NULL))
					g_ptr_array_remove_index(common, k);
			for (unsigned k = 0; k < common->len; k++) {
				struct term term = { common->pdata[k],
						     item_term(of, common->pdata[k]) };

				if (term.text && !item_term(item, term.name))
					g_array_append_val(item->terms, term);
			}
		}
	}
	for (unsigned k = 0; common && k < common->len; k++)
		add_name(item->names, common->pdata[k]);
	if (common)
		g_ptr_array_unref(common);
	ast_walk((struct ast_node **)&n->u.alias.body, visit_assigned, &own);
	if (n->u.alias.epilogue_body)
		ast_walk((struct ast_node **)&n->u.alias.epilogue_body, visit_assigned, &own);
}

static const char *find_term(const GArray *terms, const char *name)
{
	for (unsigned i = 0; i < terms->len; i++) {
		const struct term *term = &g_array_index(terms, struct term, i);

		if (!strcmp(term->name, name))
			return term->text;
	}
	return NULL;
}

const char *item_term(const struct item *item, const char *name)
{
	const char *text = find_term(item->terms, name);

	if (!text && item->chapter)
		text = find_term(item->chapter->terms, name);
	for (unsigned i = 0; !text && item->chapter && i < item->chapter->terms->len; i++) {
		const struct term *term = &g_array_index(item->chapter->terms, struct term, i);

		if (strchr(term->name, '*') && g_pattern_match_simple(term->name, name))
			text = term->text;
	}
	return text;
}

static void find_faults(struct library_text *lib, const struct item *item)
{
	if (!item->summary[0])
		fault(lib, item, "is not described", "");
	for (unsigned i = 0; i < item->names->len; i++)
		if (item->node && !item_term(item, item->names->pdata[i]))
			fault(lib, item, "is not described: ", item->names->pdata[i]);
	for (unsigned i = 0; i < item->terms->len; i++) {
		const char *name = g_array_index(item->terms, struct term, i).name;

		if (!g_ptr_array_find_with_equal_func(item->names, name, g_str_equal, NULL))
			fault(lib, item, "is described and not there: ", name);
	}
}

static void add_builtins(struct library_text *lib)
{
	static const struct {
		const char *name, *type, *args, *flags, *capture, *note;
	} rows[] = {
#define NOTE(note, ...) note
#define BUILTIN(name, type, args, function, flags, capture, ...) \
	{ name, #type, args, #flags, #capture, NOTE(__VA_ARGS__, ) },
#include "translator/program/builtins.def"
#undef BUILTIN
#undef NOTE
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct item *item;
		GString *call;

		if (g_str_has_prefix(rows[i].name, "__") || find_item(lib, rows[i].name, 0))
			continue;
		item = add_item(lib, rows[i].name, NULL, NULL);
		call = g_string_new(item->name);
		g_string_append_printf(call, ":%s(",
				       strcmp(rows[i].type, "STRING") ? "long" : "string");
		for (const char *arg = rows[i].args; *arg; arg++)
			g_string_append_printf(call, "%s%s", arg == rows[i].args ? "" : ", ",
					       *arg == 's' ? "string" : "long");
		g_string_append_c(call, ')');
		item->call = save(lib, call->str);
		item->summary = rows[i].note;
		item->more = strstr(rows[i].flags, "GURU") ? "Needs guru mode, -g." : "";
		g_string_free(call, TRUE);
	}
}

static int by_kind_and_name(const void *a, const void *b)
{
	const struct item *x = *(struct item *const *)a, *y = *(struct item *const *)b;

	return !x->points != !y->points ? !y->points - !x->points : strcmp(x->name, y->name);
}

int item_is_own(const struct item *item)
{
	return g_str_has_prefix(item->name, "__") || strstr(item->name, ".__");
}

void library_text_finish(struct library_text *lib)
{
	add_builtins(lib);
	for (unsigned i = 0; i < lib->items->len; i++) {
		struct item *item = lib->items->pdata[i];

		if (item->points && !item->names->len)
			add_variables(lib, item, 8);
	}
	g_ptr_array_sort(lib->items, by_kind_and_name);
	for (unsigned i = 0; i < lib->items->len; i++)
		if (!item_is_own(lib->items->pdata[i]))
			find_faults(lib, lib->items->pdata[i]);
}
