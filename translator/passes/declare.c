/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * declare.c - globals and functions: their declarations, visibility, and name lookup.
 *
 * In: the files' declarations. Out: prog->globals and prog->functions, overload chains. The user's
 * globals enter the program at once; functions, and what the library declares, on first use: a
 * function that is never called is not checked. A user's function overrides the library's with the
 * same name and number of parameters. Does not look into bodies.
 */
#include "translator/passes/declare.h"

#include "parser/ast_walk.h"
#include "parser/outline.h"
#include "translator/passes/alias.h"
#include "translator/passes/entry.h"
#include "translator/passes/match.h"
#include "translator/program/builtins.h"
#include "translator/program/options.h"
#include "translator/program/program.h"
#include "translator/tapset/tapset.h"

#include <string.h>

static void declare_new_files(struct scope *s);

struct declared {
	struct ast_node *node;		/* AST_GLOBAL or AST_FUNCTION */
	int		user;
	struct var	*var;		/* NULL: not used yet */
	struct function	*function;
};

const char *make_cname(struct program *prog, GHashTable *taken, char prefix, const char *name)
{
	char *base = ast_printf(prog->ast, "%c_%s", prefix, name), *cname = base;

	g_strcanon(base, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_", '_');
	for (unsigned n = 2; g_hash_table_contains(taken, cname); n++)
		cname = ast_printf(prog->ast, "%s_%u", base, n);
	g_hash_table_add(taken, cname);
	return cname;
}

struct var *var_new(struct program *prog, const char *name, struct loc loc)
{
	struct var *var = ast_alloc(prog->ast, sizeof(*var));

	var->name = name;
	var->loc = var->type_loc = var->arity_loc = loc;
	var->shift = -1;
	return var;
}

/* ---- globals ----------------------------------------------------------------*/

/* The last value that -G gives the global with that name; NULL: none. */
static const char *given_value(const struct options *opt, const char *name)
{
	size_t len = strlen(name);

	for (unsigned i = opt->globals ? opt->globals->len : 0; i-- > 0; ) {
		const char *given = g_ptr_array_index(opt->globals, i);

		if (!strncmp(given, name, len) && given[len] == '=')
			return given + len + 1;
	}
	return NULL;
}

static struct var *enter_global(struct scope *s, struct declared *d)
{
	const struct ast_node *n = d->node;
	struct var *var;

	if (d->var)
		return d->var;
	var = d->var = var_new(s->prog, n->u.global.name, n->mark);
	var->global = 1;
	var->user = d->user && !n->u.global.hidden;
	var->arity = n->u.global.init ? 0 : -1;
	var->arity_loc = n->mark;
	var->wrap = n->u.global.wrap;
	var->drop = n->u.global.drop;
	var->size = n->u.global.size;
	var->init = n->u.global.init;
	var->given = d->user ? given_value(s->prog->opt, var->name) : NULL;
	if (var->init)
		var->type = var->init->kind == AST_STRING ? TYPE_STRING : TYPE_LONG;
	if (var->init && (var->wrap || var->drop))
		diag(s->prog->ast->diag, &n->mark, D_GLOBAL_WRAP_SCALAR,
		     var->wrap ? "wrapping" : "dropping");
	var->cname = make_cname(s->prog, s->cnames, 'g', var->name);
	g_ptr_array_add(s->prog->globals, var);
	return var;
}

static struct declared *declared_new(struct scope *s, struct ast_node *n, int user)
{
	struct declared *d = ast_alloc(s->prog->ast, sizeof(*d));

	d->node = n;
	d->user = user;
	return d;
}

/* Keys of globals: private to a file, of the user's files, of the library's. */
static char *private_key(const struct source *src, const char *name)
{
	return g_strdup_printf("%s\1%s", src ? src->name : "", name);
}

static char *public_key(int user, const char *name)
{
	return g_strdup_printf("%c%s", user ? 'u' : 'l', name);
}

static void declare_global(struct scope *s, struct ast_node *n, int user)
{
	const char *name = n->u.global.name;
	char *key = n->u.global.private_ ? private_key(n->loc.src, name) : public_key(user, name);
	struct declared *d = declared_new(s, n, user), *old = g_hash_table_lookup(s->globals, key);

	if (old) {
		diag(s->prog->ast->diag, &n->mark, D_GLOBAL_DUPLICATE, name);
		diag_chain(s->prog->ast->diag, &old->node->mark, "'%s' first declared here", name);
		g_free(key);
		return;
	}
	g_hash_table_insert(s->globals, key, d);
	if (user)
		enter_global(s, d);
}

static struct declared *take_key(struct scope *s, char *key)
{
	struct declared *d = g_hash_table_lookup(s->globals, key);

	g_free(key);
	return d;
}

/*
 * True for a library global that scripts may use: a constant or a counter, such as VM_FAULT_MAJOR
 * and ActiveOpens, the script's arguments, and with -I any.
 */
static int is_offered(const struct scope *s, const char *name)
{
	const GPtrArray *folders = s->prog->opt->tapset_folders;

	return (folders && folders->len) || library_is_argument(name) || g_ascii_isupper(*name);
}

struct var *find_global(struct scope *s, const char *name, struct source *src)
{
	struct declared *d = src ? take_key(s, private_key(src, name)) : NULL;

	if (!d && !s->in_library)
		d = take_key(s, public_key(1, name));
	if (!d && src && (is_offered(s, name) || !program_is_users(s->prog, src))) {
		d = take_key(s, public_key(0, name));
		while (!d && library_global(s->prog, name)) {
			declare_new_files(s);
			d = take_key(s, public_key(0, name));
		}
	}
	return d ? enter_global(s, d) : NULL;
}

/* Embedded kernel code cannot run in a process. */
void check_embedded(struct scope *s, const struct ast_node *n)
{
	if (s->prog->opt->runtime != RUNTIME_USER || strstr(n->u.embed.text, "/* userspace */"))
		return;
	diag(s->prog->ast->diag, &n->mark, D_EMBED);
	diag_hint(
		s->prog->ast->diag,
		"write /* userspace */ into code that needs no kernel, or use --runtime=kernel or --target=vm");
}

/* ---- functions ----------------------------------------------------------------*/

static gint64 priority(const struct declared *d)
{
	return d->node->u.function.priority >= 0 ? d->node->u.function.priority : d->user ? 0 : 1;
}

static int visible(const struct declared *d, const struct source *src)
{
	return !d->node->u.function.private_ || d->node->loc.src == src;
}

/*
 * The next function after `after` with that name and arity, in order of priority, then of
 * declaration; after NULL: the first one.
 */
static struct declared *find_declared(struct scope *s, const char *name, unsigned arity,
				      const struct ast_node *from, const struct declared *after)
{
	GPtrArray *all = g_hash_table_lookup(s->functions, name);
	struct declared *best = NULL;
	int passed = 0;

	for (unsigned i = 0; all && i < all->len; i++) {
		struct declared *d = all->pdata[i];

		passed |= d == after;
		if (d->node->u.function.nparams != arity || !visible(d, from->loc.src) ||
		    d == after)
			continue;
		if (after &&
		    (priority(d) < priority(after) || (priority(d) == priority(after) && !passed)))
			continue;
		if (!best || priority(d) < priority(best))
			best = d;
	}
	return best;
}

/* Loads the library files that declare that name one by one, until one has the function. */
static struct declared *find_in_library(struct scope *s, const char *name, unsigned arity,
					const struct ast_node *from, const struct declared *after)
{
	struct declared *d = NULL;

	while (!d && library_function(s->prog, name)) {
		declare_new_files(s);
		d = find_declared(s, name, arity, from, after);
	}
	return d;
}

/* `function strlen:long(a:string) { return strlen(a) }`, of the builtin: what `next` goes on to. */
static struct declared *declare_builtin(struct scope *s, const struct ast_node *from)
{
	const struct builtin *b = builtin_find(from->u.function.name, from->u.function.nparams);
	struct ast *ast = s->prog->ast;
	struct ast_node *n, *call, *statement;

	if (!b)
		return NULL;
	n = ast_node_new(ast, AST_FUNCTION, from->mark);
	call = ast_node_new(ast, AST_CALL, from->mark);
	call->u.call.name = n->u.function.name = b->name;
	call->u.call.builtin = b;
	n->u.function.type = b->type;
	n->u.function.nparams = (unsigned)strlen(b->args);
	n->u.function.params =
		ast_alloc(ast, n->u.function.nparams * sizeof(*n->u.function.params));
	n->u.function.priority = -1;
	for (unsigned i = 0; i < n->u.function.nparams; i++) {
		struct ast_node *argument = ast_node_new(ast, AST_NAME, from->mark);

		argument->u.name.name = ast_printf(ast, "a%u", i);
		ast_append(ast, &call->u.call.args, argument);
		n->u.function.params[i] = (struct ast_param){
			argument->u.name.name, b->args[i] == 's' ? TYPE_STRING : TYPE_LONG, from->mark
		};
	}
	statement = ast_node_new(ast, b->type == TYPE_UNKNOWN ? AST_EXPR : AST_RETURN, from->mark);
	statement->u.expr.expr = call;
	n->u.function.body = ast_node_new(ast, AST_BLOCK, from->mark);
	ast_append(ast, &n->u.function.body->u.list, statement);
	return declared_new(s, n, 0);
}

static int note_next(struct ast_node **slot, void *data)
{
	*(int *)data |= (*slot)->kind == AST_NEXT || ((*slot)->kind == AST_EMBED && strstr((*slot)->u.embed.text, "STAP_NEXT"));
	return 1;
}

static struct function *enter_function(struct scope *s, struct declared *d)
{
	struct ast_node *n = d->node;
	struct declared *next;
	int *hands_over;

	if (d->function)
		return d->function;
	d->function = function_new(s->prog, n, d->user);
	d->function->cname = make_cname(s->prog, s->cnames, 'f', d->function->name);
	for (unsigned i = 0; i < n->u.function.nparams; i++) {
		const struct ast_param *p = &n->u.function.params[i];
		struct var *var = var_new(s->prog, p->name, p->loc);

		var->param = 1;
		var->type = p->type;
		g_ptr_array_add(d->function->params, var);
	}
	hands_over = &d->function->hands_over;
	ast_walk(&n->u.function.body, note_next, hands_over);
	next = find_declared(s, d->function->name, n->u.function.nparams, n, d);
	if (*hands_over && !next)
		next = find_in_library(s, d->function->name, n->u.function.nparams, n, d);
	else if (!*hands_over && next && next->user != d->user)
		next = NULL;	/* the user's function overrides the library's */
	if (*hands_over && !next)
		next = declare_builtin(s, n);
	if (next)
		d->function->overload = enter_function(s, next);
	return d->function;
}

static void declare_function(struct scope *s, struct ast_node *n, int user)
{
	GPtrArray *all = g_hash_table_lookup(s->functions, n->u.function.name);
	struct declared *d = declared_new(s, n, user);

	if (!all) {
		all = g_ptr_array_new();
		g_hash_table_insert(s->functions, (char *)n->u.function.name, all);
	}
	g_ptr_array_add(all, d);
}

struct function *find_function(struct scope *s, const struct ast_node *call)
{
	struct declared *d = find_declared(s, call->u.call.name, call->u.call.args.n, call, NULL);

	return d ? enter_function(s, d) : NULL;
}

struct function *find_library_function(struct scope *s, const struct ast_node *call)
{
	struct declared *d = find_in_library(s, call->u.call.name, call->u.call.args.n, call, NULL);

	return d ? enter_function(s, d) : NULL;
}

int other_arity(struct scope *s, const struct ast_node *call)
{
	GPtrArray *all = g_hash_table_lookup(s->functions, call->u.call.name);

	for (unsigned i = 0; all && i < all->len; i++) {
		const struct declared *d = all->pdata[i];

		if (visible(d, call->loc.src))
			return d->node->u.function.nparams;
	}
	for (const struct builtin *b = builtins; b->name; b++)
		if (!strcmp(b->name, call->u.call.name))
			return strlen(b->args);
	return -1;
}

GPtrArray *function_names(struct scope *s, const struct source *src)
{
	static const char *const prints[] = {
		"print",  "printf",  "println",  "printd",  "printdln",  "print_char",
		"sprint", "sprintf", "sprintln", "sprintd", "sprintdln",
	};
	GPtrArray *names = g_ptr_array_new();
	GHashTableIter iter;
	gpointer name, all;

	for (unsigned i = 0; i < G_N_ELEMENTS(prints); i++)
		g_ptr_array_add(names, (char *)prints[i]);
	for (const struct builtin *b = builtins; b->name; b++)
		g_ptr_array_add(names, (char *)b->name);
	g_hash_table_iter_init(&iter, s->functions);
	while (g_hash_table_iter_next(&iter, &name, &all))
		for (unsigned i = 0; i < ((GPtrArray *)all)->len; i++)
			if (visible(((GPtrArray *)all)->pdata[i], src))
				g_ptr_array_add(names, name);
	library_names(s->prog, OUTLINE_FUNCTION, names);
	return names;
}

int is_function(struct scope *s, const char *name, const struct source *src)
{
	GPtrArray *names = function_names(s, src);
	int found = g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL);

	g_ptr_array_unref(names);
	return found;
}

/* ---- files ----------------------------------------------------------------*/

static void declare_file(struct scope *s, struct ast_node *file, int user)
{
	for (unsigned i = 0; i < file->u.list.n; i++) {
		struct ast_node *n = file->u.list.at[i];

		if (n->kind == AST_GLOBAL)
			declare_global(s, n, user);
		else if (n->kind == AST_FUNCTION)
			declare_function(s, n, user);
		else if (n->kind == AST_EMBED && user)
			check_embedded(s, n);
	}
}

/* Applies the passes that have already run to newly loaded files. */
static void declare_new_files(struct scope *s)
{
	const GPtrArray *files = s->prog->ast->files;

	for (; s->files < files->len; s->files++) {
		struct ast_node *file = files->pdata[s->files];

		alias_file(s->prog, file);
		entry_file(s->prog, file);
		match_file(s->prog, file);
		declare_file(s, file, 0);
	}
}

void scope_open(struct scope *s)
{
	const GPtrArray *files = s->prog->ast->files;

	s->globals = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	s->functions = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
					     (GDestroyNotify)g_ptr_array_unref);
	s->cnames = g_hash_table_new(g_str_hash, g_str_equal);
	for (; s->files < files->len; s->files++)
		declare_file(s, files->pdata[s->files], s->files < s->prog->user_files);
}

/* With -v: lists the user's uncalled functions. */
static void note_uncalled(struct scope *s, const struct ast_node *file)
{
	for (unsigned i = 0; i < file->u.list.n; i++) {
		const struct ast_node *n = file->u.list.at[i];
		GPtrArray *all = n->kind == AST_FUNCTION
					 ? g_hash_table_lookup(s->functions, n->u.function.name)
					 : NULL;

		for (unsigned k = 0; all && k < all->len; k++) {
			const struct declared *d = all->pdata[k];

			if (d->node == n && !d->function)
				diag(s->prog->ast->diag, &n->mark, D_ELIDED_FUNCTION,
				     n->u.function.name);
		}
	}
}

void scope_close(struct scope *s)
{
	for (unsigned i = 0; s->prog->opt->verbose[2] && i < s->prog->user_files; i++)
		note_uncalled(s, s->prog->ast->files->pdata[i]);
	g_hash_table_unref(s->globals);
	g_hash_table_unref(s->functions);
	g_hash_table_unref(s->cnames);
}
