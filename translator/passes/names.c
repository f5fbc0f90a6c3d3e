/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.c - binds every identifier.
 *
 * In: declarations of all files (declare.c), probes from pass match.  Out:
 * probe locals, and the var, function and builtin members of the tree; arity of
 * arrays by first use.  A name that is not a global is a local of the whole
 * handler or function.  Does not look at types.
 */
#include "parser/ast_walk.h"
#include "translator/passes/declare.h"
#include "translator/passes/pass.h"
#include "translator/program/builtins.h"
#include "translator/program/privilege.h"
#include "translator/program/program.h"
#include "translator/program/uses.h"

#include <string.h>

static void bind(struct scope *s, struct ast_node **slot);

/* " (similar: a, b)", or nothing. */
static const char *similar_text(struct program *prog, const char *similar)
{
	return similar ? ast_printf(prog->ast, " (similar: %s)", similar) : "";
}

/* ---- variables --------------------------------------------------------------*/

/*
 * True if the variable is the script's global, and either its first use or this one, but not both,
 * is in library code (an alias's body).
 */
static int is_of_alias(const struct scope *s, const struct var *var, const struct loc *loc)
{
	return var->user &&
	       program_is_users(s->prog, loc->src) != program_is_users(s->prog, var->arity_loc.src);
}

/* The first use decides whether it is an array and its number of keys; 0: a scalar. */
static void set_arity(struct scope *s, struct var *var, unsigned arity, const struct loc *loc)
{
	struct diag_sink *diags = s->prog->ast->diag;
	char first[16] = "array";

	if (var->arity == (int)arity)
		return;
	if (var->arity < 0 && !(arity == 0 && var->size)) {
		var->arity = arity;
		var->is_array = arity > 0;
		var->arity_loc = *loc;
		if (!arity && (var->wrap || var->drop))
			diag(diags, &var->loc, D_GLOBAL_WRAP_SCALAR,
			     var->wrap ? "wrapping" : "dropping");
		var->wrap |= arity > 0 && s->prog->opt->overflow == OVERFLOW_WRAP;
		return;
	}
	if (var->collides)
		return;
	var->collides = is_of_alias(s, var, loc);
	if (var->arity >= 0)
		g_snprintf(first, sizeof(first), "%d", var->arity);
	diag(diags, loc, D_ARITY, first, arity);
	diag_chain(diags, &var->arity_loc, "arity %s first inferred here", first);
	if (var->collides)
		diag_hint(
			diags,
			"the alias has a variable '%s' of its own, which a global of that name is too: give the global another name",
			var->name);
	else if (!arity)
		diag_hint(diags, s->assigned ? "arrays cannot be assigned; use foreach" :
			  "name one element, as in %s[k]; foreach goes through all", var->name);
	else if (!var->global)
		diag_hint(diags, "add 'global %s' before the first probe", var->name);
}

static struct var *find_var(struct scope *s, const char *name, struct source *src)
{
	struct var *var = s->locals ? g_hash_table_lookup(s->locals, name) : NULL;

	return var ? var : find_global(s, name, src);
}

static struct var *add_local(struct scope *s, const char *name, struct loc loc)
{
	struct var *var = var_new(s->prog, name, loc);

	if (!s->locals) {
		diag(s->prog->ast->diag, &loc, D_CONDITION_LOCAL);
		return var;
	}
	var->cname = make_cname(s->prog, s->taken, 'l', name);
	g_hash_table_insert(s->locals, (char *)name, var);
	g_ptr_array_add(s->list, var);
	return var;
}

/* Binds a scalar; an undeclared name becomes a new local. */
static struct var *bind_scalar(struct scope *s, const char *name, struct loc loc)
{
	struct var *var = find_var(s, name, loc.src);

	if (!var)
		return add_local(s, name, loc);
	set_arity(s, var, 0, &loc);
	return var;
}

/* Binds an array with arity keys, which must be a global. */
static struct var *bind_array(struct scope *s, const char *name, unsigned arity, struct loc loc)
{
	struct var *var = find_var(s, name, loc.src);

	if (var) {
		set_arity(s, var, arity, &loc);
		return var;
	}
	diag(s->prog->ast->diag, &loc, D_ARRAY_UNRESOLVED, arity, name);
	diag_hint(s->prog->ast->diag, "add 'global %s' before the first probe", name);
	var = var_new(s->prog, name, loc);
	var->global = 1;
	var->arity = arity;
	if (s->locals)
		g_hash_table_insert(s->locals, (char *)name, var);
	return var;
}

/* Binds the operand of <<<, @count() ...: a global scalar or an array element. */
static void bind_stat(struct scope *s, struct ast_node **slot)
{
	bind(s, slot);
	if ((*slot)->kind == AST_NAME && !(*slot)->u.name.var->global) {
		diag(s->prog->ast->diag, &(*slot)->mark, D_STAT_LOCAL);
		diag_hint(s->prog->ast->diag, "add 'global %s' before the first probe",
			  (*slot)->u.name.name);
	}
}

/* ---- calls --------------------------------------------------------------------*/

static void report_call(struct scope *s, struct ast_node *n)
{
	int arity = other_arity(s, n);
	GPtrArray *names;
	char *similar;

	if (arity >= 0) {
		diag(s->prog->ast->diag, &n->mark, D_FUNCTION_ARITY, n->u.call.name, arity);
		return;
	}
	names = function_names(s, n->loc.src);
	similar = diag_similar(n->u.call.name, names, 5);
	diag(s->prog->ast->diag, &n->mark, D_FUNCTION_UNRESOLVED, n->u.call.name,
	     similar_text(s->prog, similar));
	diag_suggest(s->prog->ast->diag, n->u.call.name, similar);
	g_free(similar);
	g_ptr_array_unref(names);
}

/* True if the script's privileges do not allow the callee. */
static int is_privileged(const struct program *prog, const struct ast_node *call)
{
	if (call->u.call.builtin)
		return privilege_refuses(prog, call->u.call.builtin);
	for (const struct function *f = call->u.call.function; f; f = f->overload) {
		const struct ast_node *body = f->node->u.function.body;

		if (body->kind == AST_EMBED && privilege_refuses_embedded(prog, body->u.embed.text))
			return 1;
	}
	return 0;
}

/*
 * A handler is a stopwatch's if it calls a stopwatch builtin, whether a declaration generated it or
 * the user wrote it.
 */
static void take_stopwatch(struct scope *s, const struct ast_node *call)
{
	enum builtin_kind kind = call->u.call.builtin ? call->u.call.builtin->kind : KIND_NONE;
	const struct ast_node *first = call->u.call.args.n ? call->u.call.args.at[0] : NULL;

	if (!s->probe || !first || first->kind != AST_NUMBER || first->u.number.value < 0 ||
	    first->u.number.value >= G_MAXUINT16)
		return;
	if (kind == KIND_STOPWATCH)
		s->probe->stopwatch = (unsigned)first->u.number.value;
	else if (kind == KIND_FLOOR_TAKE)
		s->prog->ast->floors =
			MAX(s->prog->ast->floors, (unsigned)first->u.number.value + 1);
}

static void bind_call(struct scope *s, struct ast_node *n)
{
	if (!s->locals)
		diag(s->prog->ast->diag, &n->mark, D_CONDITION_FUNCTION);
	if (!n->u.call.builtin)		/* else: declare_builtin() has made it */
		n->u.call.function = find_function(s, n);
	if (!n->u.call.function)
		n->u.call.builtin = builtin_find(n->u.call.name, n->u.call.args.n);
	if (!n->u.call.function && !n->u.call.builtin)
		n->u.call.function = find_library_function(s, n);
	if (!n->u.call.function && !n->u.call.builtin)
		report_call(s, n);
	else if (n->u.call.builtin && n->u.call.builtin->flags & GURU && !s->prog->opt->guru &&
		 program_is_users(s->prog, n->loc.src))
		diag(s->prog->ast->diag, &n->mark, D_FUNCTION_GURU, n->u.call.name);
	if (is_privileged(s->prog, n))
		diag(s->prog->ast->diag, &n->mark, D_FUNCTION_PRIVILEGE, s->prog->opt->privilege);
	take_stopwatch(s, n);
}

/* ---- the walk -------------------------------------------------------------------*/

static void bind_list(struct scope *s, struct ast_list *list)
{
	for (unsigned i = 0; i < list->n; i++)
		bind(s, &list->at[i]);
}

/* Binds the array of foreach or in: a NAME, or a histogram. */
static struct var *bind_base(struct scope *s, struct ast_node **slot, unsigned arity)
{
	struct ast_node *n = *slot;

	if (n->kind != AST_NAME) {
		if (arity != 1)
			diag(s->prog->ast->diag, &n->mark, D_ARITY, "1", arity);
		bind(s, slot);
		return NULL;
	}
	n->u.name.var = bind_array(s, n->u.name.name, arity, n->mark);
	return n->u.name.var;
}

static void bind_foreach(struct scope *s, struct ast_node *n)
{
	n->u.foreach.array_var = bind_base(s, &n->u.foreach.array, n->u.foreach.nkeys);
	n->u.foreach.key_vars = ast_alloc(s->prog->ast, n->u.foreach.nkeys * sizeof(struct var *));
	for (unsigned i = 0; i < n->u.foreach.nkeys; i++)
		n->u.foreach.key_vars[i] =
			bind_scalar(s, n->u.foreach.keys[i].name, n->u.foreach.keys[i].loc);
	if (n->u.foreach.value)
		n->u.foreach.value_var = bind_scalar(s, n->u.foreach.value, n->u.foreach.value_loc);
	if (n->u.foreach.slice.n && n->u.foreach.array_var)
		set_arity(s, n->u.foreach.array_var, n->u.foreach.slice.n,
			  &n->u.foreach.array->mark);
	bind_list(s, &n->u.foreach.slice);
	bind(s, &n->u.foreach.limit);
	bind(s, &n->u.foreach.body);
}

static void bind_try(struct scope *s, struct ast_node *n)
{
	bind(s, &n->u.try_.body);
	if (n->u.try_.name)
		n->u.try_.var = bind_scalar(s, n->u.try_.name, n->u.try_.name_loc);
	bind(s, &n->u.try_.handler);
}

/* delete x: of a scalar or of a whole array, so it does not determine the arity. */
static void bind_delete(struct scope *s, struct ast_node *n)
{
	struct ast_node *target = n->u.expr.expr;

	if (target->kind != AST_NAME) {
		bind(s, &n->u.expr.expr);
		return;
	}
	target->u.name.var = find_var(s, target->u.name.name, target->mark.src);
	if (!target->u.name.var) {
		diag(s->prog->ast->diag, &target->mark, D_DELETE_UNRESOLVED);
		diag_hint(s->prog->ast->diag, "add 'global %s' before the first probe",
			  target->u.name.name);
	}
}

/* Binds one side of an assignment. */
static void bind_assigned(struct scope *s, struct ast_node **slot)
{
	s->assigned = (*slot)->kind == AST_NAME;
	bind(s, slot);
	s->assigned = 0;
}

static int bind_change(struct scope *s, struct ast_node *n)
{
	const struct ast_node *changed =
		n->kind == AST_ASSIGN ? n->u.binary.left : n->u.crement.operand;

	if (changed->kind == AST_BUCKET)
		diag(s->prog->ast->diag, &n->mark, D_BUCKET_WRITE);
	if (!s->locals)
		diag(s->prog->ast->diag, &n->mark, D_CONDITION_WRITE);
	if (n->kind != AST_ASSIGN)
		return 1;
	if (changed->kind != AST_NAME && changed->kind != AST_INDEX &&
	    changed->kind != AST_TARGET && changed->kind != AST_BUCKET)
		diag(s->prog->ast->diag, &n->mark, D_LVALUE);
	if (!strcmp(n->u.binary.op, "<<<"))
		bind_stat(s, &n->u.binary.left);
	else
		bind_assigned(s, &n->u.binary.left);
	bind_assigned(s, &n->u.binary.right);
	return 0;
}

static void add_embedded(struct scope *s, struct ast_node *n, struct var *var)
{
	unsigned used = n->u.embed.nvars++;
	struct var **vars = ast_alloc(s->prog->ast, (used + 1) * sizeof(*vars));
	int *writes = ast_alloc(s->prog->ast, (used + 1) * sizeof(*writes));

	if (used) {
		memcpy(vars, n->u.embed.vars, used * sizeof(*vars));
		memcpy(writes, n->u.embed.writes, used * sizeof(*writes));
	}
	vars[used] = var;
	n->u.embed.vars = vars;
	n->u.embed.writes = writes;
}

/* Binds the globals that embedded C declares to use: pragma:read:x, pragma:write:x. */
static void bind_embedded(struct scope *s, struct ast_node *n)
{
	static const char *const words[] = { "/* pragma:read:", "/* pragma:write:" };

	check_embedded(s, n);
	for (unsigned w = 0; w < G_N_ELEMENTS(words); w++)
		for (const char *at = n->u.embed.text; (at = strstr(at, words[w])); ) {
			char *name = ast_strdup(s->prog->ast, at += strlen(words[w]));
			unsigned used = n->u.embed.nvars;
			struct var *var;

			name[strcspn(name, " *")] = 0;
			var = find_global(s, name, n->loc.src);
			if (!var) {
				diag(s->prog->ast->diag, &n->mark, D_EMBED_GLOBAL, name);
				continue;
			}
			for (unsigned i = 0; i < used; i++)
				if (n->u.embed.vars[i] == var)
					used = i;
			if (used == n->u.embed.nvars)
				add_embedded(s, n, var);
			n->u.embed.writes[used] |= w;
		}
}

struct written {
	const char *name;
	int found;
};

/* True for a prologue or an epilogue: those are not the handler. */
static int is_in_alias(const struct loc *loc)
{
	for (const struct expansion *x = loc->via; x; x = x->at.via)
		if (!strcmp(x->what, "alias"))
			return 1;
	return 0;
}

static int find_write(struct ast_node **slot, void *data)
{
	struct written *w = data;
	const struct ast_node *n = *slot, *left = NULL;

	if (n->kind == AST_ASSIGN)
		left = n->u.binary.left;
	else if (n->kind == AST_CREMENT)
		left = n->u.crement.operand;
	if (left && left->kind == AST_NAME && !strcmp(left->u.name.name, w->name) &&
	    !is_in_alias(&n->loc))
		w->found = 1;
	return 1;
}

/* @probewrite(x) asks about a name, so it is answered here. */
static void bind_probewrite(struct scope *s, struct ast_node *n)
{
	const struct ast_list *args = &n->u.atop.args;
	struct written w = {
		args->n == 1 && args->at[0]->kind == AST_NAME ? args->at[0]->u.name.name : "", 0
	};

	ast_walk(&s->body, find_write, &w);
	memset(&n->u, 0, sizeof(n->u));
	n->kind = AST_NUMBER;
	n->u.number.value = w.found;
}

/* Operators for -g only: they become calls of library functions, or embedded C. */
static void bind_machine(struct scope *s, struct ast_node *n)
{
	static const char *const functions[][2] = {
		{ "@kderef", "__kderef" },
		{ "@uderef", "__uderef" },
		{ "@kregister", "__kregister" },
		{ "@uregister", "__uregister" },
	};
	const struct ast_list args = n->u.atop.args;
	const char *op = n->u.atop.op;

	if (!strcmp(op, "@const")) {
		n->kind = AST_EMBED;
		memset(&n->u, 0, sizeof(n->u));
		n->u.embed.text =
			ast_printf(s->prog->ast, "/* pure */ %s", args.at[0]->u.string.text);
		check_embedded(s, n);
	}
	for (unsigned i = 0; n->kind == AST_ATOP && i < G_N_ELEMENTS(functions); i++) {
		if (strcmp(op, functions[i][0]))
			continue;
		n->kind = AST_CALL;
		memset(&n->u, 0, sizeof(n->u));
		n->u.call.name = functions[i][1];
		n->u.call.args = args;
		bind_call(s, n);
	}
}

/* True for what may have no value: a call, print, or a choice of such. */
static int may_lack_value(const struct ast_node *n)
{
	if (n->kind == AST_TERNARY)
		return may_lack_value(n->u.ternary.yes) || may_lack_value(n->u.ternary.no);
	if (n->kind == AST_BINARY)
		return (!strcmp(n->u.binary.op, "&&") || !strcmp(n->u.binary.op, "||")) &&
		       may_lack_value(n->u.binary.right);
	return n->kind == AST_CALL || (n->kind == AST_PRINT && !n->u.print.to_string);
}

static struct ast_node *statement_of(struct scope *s, struct ast_node *n)
{
	struct ast_node *made = ast_node_new(s->prog->ast, n ? AST_EXPR : AST_EMPTY, s->body->loc);

	if (!n)
		return made;
	made->loc = n->loc;
	made->mark = n->mark;
	made->u.expr.expr = n;
	return made;
}

/* A statement such as `x > 2 && println("big")` or `x ? f() : g()` is an if. */
static void rewrite_choice(struct scope *s, struct ast_node *n)
{
	struct ast_node *choice = n->u.expr.expr, *yes, *no, *cond;

	if ((choice->kind != AST_TERNARY && choice->kind != AST_BINARY) || !may_lack_value(choice))
		return;
	if (choice->kind == AST_TERNARY) {
		cond = choice->u.ternary.cond;
		yes = choice->u.ternary.yes;
		no = choice->u.ternary.no;
	} else {
		cond = choice->u.binary.left;
		yes = *choice->u.binary.op == '&' ? choice->u.binary.right : NULL;
		no = yes ? NULL : choice->u.binary.right;
	}
	n->kind = AST_IF;
	memset(&n->u, 0, sizeof(n->u));
	n->u.cond.cond = cond;
	n->u.cond.yes = statement_of(s, yes);
	n->u.cond.no = no ? statement_of(s, no) : NULL;
}

/* flat switch */
static int bind_visit(struct ast_node **slot, void *data)
{
	struct scope *s = data;
	struct ast_node *n = *slot;

	switch (n->kind) {
	case AST_EXPR:
		rewrite_choice(s, n);
		return 1;
	case AST_NAME:
		n->u.name.var = bind_scalar(s, n->u.name.name, n->mark);
		return 0;
	case AST_INDEX:
		n->u.index.var = bind_array(s, n->u.index.name, n->u.index.keys.n, n->mark);
		return 1;
	case AST_CALL:
		bind_call(s, n);
		return 1;
	case AST_NAMED:
		diag(s->prog->ast->diag, &n->mark, D_VALUE_NAMED, n->u.named.name);
		*slot = n->u.named.value;
		ast_walk(slot, bind_visit, s);
		return 0;
	case AST_STATOP:
		bind_stat(s, &n->u.statop.operand);
		return 0;
	case AST_HIST:
		bind_stat(s, &n->u.hist.operand);
		return 0;
	case AST_ASSIGN:
	case AST_CREMENT:
		return bind_change(s, n);
	case AST_IN:
		bind_list(s, &n->u.in.keys);
		bind_base(s, &n->u.in.array, n->u.in.keys.n);
		return 0;
	case AST_FOREACH:
		bind_foreach(s, n);
		return 0;
	case AST_TRY:
		bind_try(s, n);
		return 0;
	case AST_DELETE:
		bind_delete(s, n);
		return 0;
	case AST_EMBED:
		bind_embedded(s, n);
		return 0;
	case AST_ATOP:
		if (!strcmp(n->u.atop.op, "@probewrite"))
			bind_probewrite(s, n);
		else
			bind_machine(s, n);
		return 1;
	default:
		return 1;
	}
}

static void bind(struct scope *s, struct ast_node **slot)
{
	if (*slot)
		ast_walk(slot, bind_visit, s);
}

/* ---- warnings ---------------------------------------------------------------------*/

static int is_assigned(const GPtrArray *vars, const char *name)
{
	for (unsigned i = 0; i < vars->len; i++) {
		const struct var *var = vars->pdata[i];

		if (!strcmp(var->name, name) && var->writes)
			return 1;
	}
	return 0;
}

/* The usual reason: another handler has a local of that name. */
static void hint_shared(struct program *prog, const struct var *var)
{
	int found = 0;

	for (unsigned i = 0; !var->global && i < prog->functions->len; i++)
		found |= is_assigned(((struct function *)prog->functions->pdata[i])->locals,
				     var->name);
	for (unsigned i = 0; !var->global && i < prog->probes->len; i++)
		found |= is_assigned(((struct probe *)prog->probes->pdata[i])->locals, var->name);
	if (found)
		diag_hint(prog->ast->diag,
			  "each handler has its own '%s'; 'global %s' makes one for all", var->name,
			  var->name);
}

static void warn_unassigned(struct scope *s, GPtrArray *vars, const char *kind)
{
	struct program *prog = s->prog;

	for (unsigned i = 0; i < vars->len; i++) {
		struct var *var = vars->pdata[i];
		GPtrArray *names;
		char *similar;

		if (!var->reads || var->writes || var->init || var->given ||
		    !program_is_users(prog, var->loc.src))
			continue;
		names = g_ptr_array_new();
		for (unsigned k = 0; k < vars->len; k++)
			if (k != i)
				g_ptr_array_add(names,
						(char *)((struct var *)vars->pdata[k])->name);
		similar = diag_similar(var->name, names, 5);
		diag(prog->ast->diag, &var->loc, D_NEVER_ASSIGNED, kind, var->name,
		     similar_text(prog, similar));
		diag_suggest(prog->ast->diag, var->name, similar);
		hint_shared(prog, var);
		if (is_function(s, var->name, var->loc.src))
			diag_hint(prog->ast->diag, "a call has parentheses: %s()", var->name);
		g_free(similar);
		g_ptr_array_unref(names);
	}
}

static void warn_all(struct scope *s)
{
	struct program *prog = s->prog;

	uses_count(prog);
	warn_unassigned(s, prog->globals, "global");
	for (unsigned i = 0; i < prog->functions->len; i++)
		warn_unassigned(s, ((struct function *)prog->functions->pdata[i])->locals, "local");
	for (unsigned i = 0; i < prog->probes->len; i++)
		warn_unassigned(s, ((struct probe *)prog->probes->pdata[i])->locals, "local");
}

/* ---- the pass ------------------------------------------------------------------------*/

static void open_locals(struct scope *s, GPtrArray *list)
{
	s->list = list;
	s->locals = g_hash_table_new(g_str_hash, g_str_equal);
	s->taken = g_hash_table_new(g_str_hash, g_str_equal);
}

static void close_locals(struct scope *s)
{
	g_clear_pointer(&s->locals, g_hash_table_unref);
	g_clear_pointer(&s->taken, g_hash_table_unref);
}

static void bind_function(struct scope *s, struct function *f)
{
	s->in_library = !f->user;
	open_locals(s, f->locals);
	for (unsigned i = 0; i < f->params->len; i++) {
		struct var *var = f->params->pdata[i];

		var->cname = make_cname(s->prog, s->taken, 'l', var->name);
		g_hash_table_insert(s->locals, (char *)var->name, var);
	}
	s->body = f->node->u.function.body;
	bind(s, &f->node->u.function.body);
	close_locals(s);
	s->in_library = 0;
}

static void bind_probe(struct scope *s, struct probe *p)
{
	if (!p->locals)
		p->locals = g_ptr_array_new();
	bind(s, &p->condition);		/* no locals are open: globals only */
	open_locals(s, p->locals);
	s->body = p->body;
	s->probe = p;
	bind(s, &p->body);
	s->probe = NULL;
	close_locals(s);
}

/* Reports -G of a name that is not a global. */
static void check_given(struct program *prog)
{
	const GPtrArray *all = prog->opt->globals;

	for (unsigned i = 0; all && i < all->len; i++) {
		const char *given = all->pdata[i];
		char *name = g_strndup(given, strcspn(given, "=")), *similar;
		GPtrArray *names = g_ptr_array_new();
		int found = 0;

		for (unsigned k = 0; k < prog->globals->len; k++) {
			const struct var *var = prog->globals->pdata[k];

			found |= !strcmp(var->name, name);
			g_ptr_array_add(names, (char *)var->name);
		}
		similar = found ? NULL : diag_similar(name, names, 5);
		if (!found)
			diag(prog->ast->diag, NULL, D_GIVEN_UNKNOWN, name,
			     similar_text(prog, similar));
		diag_suggest(prog->ast->diag, name, similar);
		g_free(similar);
		g_ptr_array_unref(names);
		g_free(name);
	}
}

/* Binding may load library files, with more functions and probes. */
static void bind_all(struct scope *s)
{
	const struct program *prog = s->prog;
	unsigned functions = 0, probes = 0;

	while (functions < prog->functions->len || probes < prog->probes->len)
		if (functions < prog->functions->len)
			bind_function(s, prog->functions->pdata[functions++]);
		else
			bind_probe(s, prog->probes->pdata[probes++]);
}

void pass_names(struct program *prog)
{
	struct scope s = { .prog = prog };

	scope_open(&s);
	check_given(prog);
	bind_all(&s);
	for (unsigned i = 0; i < prog->globals->len; i++) {
		struct var *var = prog->globals->pdata[i];

		if (var->arity < 0)
			var->arity = 0;
	}
	program_number(prog);
	if (!prog->ast->diag->errors)
		warn_all(&s);
	scope_close(&s);
}
