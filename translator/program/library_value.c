/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * library_value.c - see library_value.h. Follows an expression from the assignment that it is in to
 * the reads of that variable, and from the function that it is in to the calls, until the user's
 * script is reached. Reports nothing.
 */
#include "translator/program/library_value.h"

#include "parser/ast_walk.h"
#include "translator/program/options.h"
#include "translator/program/uses.h"

struct search {
	struct program	*prog;
	GPtrArray	*reached;	/* struct var and struct function, in order */
	GHashTable	*seen;
	struct library_value found;
	struct loc	alias;		/* the script's name of an alias, for what is in no assignment */
	const char	*written;
	/* the body that is looked through, a probe's or a function's */
	struct probe	*probe;
	struct function	*function;
	const void	*now;		/* whose uses are looked for */
};

/* ---- the assignment around an expression ------------------------------------------------*/

struct around {
	const struct ast_node *expr;
	int		inside;
	struct var	*var;
};

static int is_expr(struct ast_node **slot, void *data)
{
	struct around *a = data;

	a->inside |= *slot == a->expr;
	return !a->inside;
}

static int is_around(struct ast_node **slot, void *data)
{
	struct around *a = data;
	struct ast_node *n = *slot, *left;

	if (a->inside || n->kind != AST_EXPR || n->u.expr.expr->kind != AST_ASSIGN)
		return !a->inside;
	left = n->u.expr.expr->u.binary.left;
	ast_walk(&n->u.expr.expr, is_expr, a);
	if (a->inside && left->kind == AST_NAME)
		a->var = left->u.name.var;
	else if (a->inside && left->kind == AST_INDEX)
		a->var = left->u.index.var;
	return 0;
}

/* The variable that a statement of body sets from expr, or NULL. */
static struct var *set_from(struct ast_node *body, const struct ast_node *expr)
{
	struct around a = { .expr = expr };

	ast_walk(&body, is_around, &a);
	return a.var;
}

/* ---- from there to the script --------------------------------------------------------------*/

static struct ast_node *body_of(const struct search *s)
{
	return s->function ? s->function->node->u.function.body : s->probe->body;
}

static void reach(struct search *s, void *what)
{
	if (g_hash_table_add(s->seen, what))
		g_ptr_array_add(s->reached, what);
}

/* ---- the statement around an expression that nothing is set from ------------------------*/

struct statement {
	const struct ast_node *expr;
	int	inside, ends;
};

static int visit_statement(struct ast_node **slot, void *data)
{
	struct statement *st = data;

	st->inside |= *slot == st->expr;
	st->ends |= (*slot)->kind == AST_NEXT;
	return 1;
}

/*
 * True if the handler cannot be without the expression. With -u, which -L implies, code is left in
 * that no script needs: there only what may end the hit counts.
 */
static int is_needed(const struct search *s, const struct ast_node *expr)
{
	const struct ast_list *list = &s->probe->body->u.list;

	for (unsigned i = 0; s->prog->opt->unoptimized && i < list->n; i++) {
		struct statement st = { .expr = expr };

		ast_walk(&list->at[i], visit_statement, &st);
		if (st.inside)
			return st.ends;
	}
	return 1;
}

static void find_alias(struct search *s, const struct ast_node *expr)
{
	s->probe->refused |= is_needed(s, expr);
	if (s->alias.src || !program_is_users(s->prog, s->probe->loc.src))
		return;
	s->alias = s->probe->loc;
	s->written = s->probe->written;
}

/* An expression of the current body has no value. */
static void lacks(struct search *s, const struct ast_node *expr, const char *what)
{
	struct var *var;

	if (program_is_users(s->prog, expr->mark.src)) {
		if (!s->found.place.src)
			s->found = (struct library_value){ expr->mark, what };
		return;
	}
	if (s->function) {
		reach(s, s->function);
		return;
	}
	var = set_from(s->probe->body, expr);
	if (!var) {
		find_alias(s, expr);
		return;
	}
	var->unset |= !var->global;
	reach(s, var);
}

static void use_of_var(struct var *var, unsigned use, struct ast_node *node, void *data)
{
	struct search *s = data;

	if (var == s->now && use & USE_READ)
		lacks(s, node, ast_printf(s->prog->ast, "'%s' cannot be read here", var->name));
}

static void use_of_function(struct ast_node *call, void *data)
{
	struct search *s = data;

	for (const struct function *f = call->u.call.function; f; f = f->overload)
		if (f == s->now)
			lacks(s, call,
			      ast_printf(s->prog->ast, "'%s()' cannot be called here", f->name));
}

/* Goes on to the uses of a variable or a function. */
static void follow(struct search *s, const void *what)
{
	static const struct use_visitor visitor = { .var = use_of_var, .call = use_of_function };
	const struct program *prog = s->prog;

	s->now = what;
	s->probe = NULL;
	for (unsigned i = 0; i < prog->functions->len; i++) {
		s->function = prog->functions->pdata[i];
		uses_walk(body_of(s), &visitor, s);
	}
	s->function = NULL;
	for (unsigned i = 0; i < prog->probes->len; i++) {
		s->probe = prog->probes->pdata[i];
		uses_walk(body_of(s), &visitor, s);
	}
}

struct library_value library_value_of(struct program *prog, struct probe *p, struct function *f,
				      const struct ast_node *expr)
{
	struct search s = { .prog = prog,
			    .reached = g_ptr_array_new(),
			    .seen = g_hash_table_new(NULL, NULL),
			    .probe = p,
			    .function = f };

	lacks(&s, expr, NULL);
	for (unsigned i = 0; i < s.reached->len; i++)
		follow(&s, s.reached->pdata[i]);
	if (!s.found.place.src && s.alias.src)
		s.found = (struct library_value){
			s.alias, ast_printf(prog->ast, "'%s' cannot be probed here", s.written)
		};
	g_ptr_array_unref(s.reached);
	g_hash_table_unref(s.seen);
	return s.found;
}
