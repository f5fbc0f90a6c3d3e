/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * types.c - infers the types long, string and statistic, to a fixpoint.
 *
 * Each visit passes an expected type down; an inferred type is stored in the
 * node, the variable, the array's keys or the function, with the location of
 * the first inference for messages.  Rounds are repeated until nothing new is
 * inferred; a type that is then unknown but needed is an error.  Pass agree runs
 * the rounds before branches are dropped, and requires no type to be known.
 */

#include "parser/format.h"
#include "translator/passes/pass.h"

#include <string.h>

struct types {
	struct program *prog;
	struct diag_sink *diag;
	struct function *function;	/* the current one, or NULL */
	GHashTable *key_locs;		/* struct var -> struct loc[RT_MAXKEYS] */
	int progress, last;		/* last: this round reports unresolved types */
};

static void want(struct types *t, struct ast_node *n, enum ast_type type);

static void learn(struct types *t, enum ast_type *have, enum ast_type type)
{
	if (*have == TYPE_UNKNOWN && type != TYPE_UNKNOWN) {
		*have = type;
		t->progress = 1;
	}
}

/* Hints how to convert one type to the other. */
static void hint_conversion(struct types *t, enum ast_type wanted, enum ast_type got)
{
	if (wanted == TYPE_LONG && got == TYPE_STRING)
		diag_hint(t->diag,
			  "strtol(text, 10) makes a number of a string; '.' joins strings");
	else if (wanted == TYPE_STRING && got == TYPE_LONG)
		diag_hint(t->diag, "sprintf(\"%%d\", number) makes a string of a number");
}

/* An expression of type `got` in a place that needs `type`. */
static void result(struct types *t, struct ast_node *n, enum ast_type got, enum ast_type type)
{
	learn(t, &n->type, got);
	if (type == TYPE_UNKNOWN || type == got)
		return;
	diag(t->diag, &n->mark, D_TYPE_EXPECTED, type_word(type), type_word(got));
	hint_conversion(t, type, got);
}

/* A use of something that has a type of its own: a variable or a function's result. */
static void unify(struct types *t, struct ast_node *n, enum ast_type *have, struct loc *where,
		  enum ast_type type)
{
	if (*have == TYPE_UNKNOWN && type != TYPE_UNKNOWN) {
		*where = n->mark;
		learn(t, have, type);
	} else if (type != TYPE_UNKNOWN && *have != type) {
		diag(t->diag, &n->mark, D_TYPE_FIRST, type_word(type));
		diag_chain(t->diag, where, "type was first inferred here (%s)", type_word(*have));
		hint_conversion(t, type, *have);
	}
	learn(t, &n->type, *have);
}

static void unresolved(struct types *t, struct ast_node *n, enum ast_type *have)
{
	if (t->last && *have == TYPE_UNKNOWN) {
		diag(t->diag, &n->mark, D_TYPE_UNRESOLVED);
		*have = TYPE_LONG;		/* report once */
	}
}

/* A call or print that gives no value, where one is used: 0 or "", as the place needs. */
static void no_value(struct types *t, struct ast_node *n, const char *name, enum ast_type type)
{
	learn(t, &n->type, type);
	if (t->last && n->type == TYPE_UNKNOWN) {
		diag(t->diag, &n->mark, D_TYPE_UNRESOLVED);
		diag_hint(t->diag, "'%s' gives no value, and nothing says whether 0 or \"\" is to stand for it", name);
	} else if (t->last) {
		diag(t->diag, &n->mark, D_NO_VALUE, name, n->type == TYPE_STRING ? "\"\"" : "0");
	}
	result(t, n, n->type, type);
}

static void want_var(struct types *t, struct ast_node *n, struct var *var, enum ast_type type)
{
	unify(t, n, &var->type, &var->type_loc, type);
	unresolved(t, n, &var->type);
}

/* A variable that is not in an expression: in foreach or catch. */
static void unify_var(struct types *t, struct loc loc, struct var *var, enum ast_type type)
{
	struct ast_node at = { .kind = AST_NAME, .type = var->type, .loc = loc, .mark = loc };

	unify(t, &at, &var->type, &var->type_loc, type);
}

/* Keys, arguments and results are copies; a statistic cannot be copied. */
static void refuse_stats(struct types *t, struct ast_node *n)
{
	if (n->type == TYPE_STATS) {
		diag(t->diag, &n->mark, D_TYPE_INVALID, "stats");
		diag_hint(t->diag,
			  "a statistic cannot be copied; pass @count() or another extractor of it");
	}
}

/*
 * The second visit of an expression without a type; of a variable only the value, because its keys
 * have been visited.
 */
static void want_again(struct types *t, struct ast_node *n, enum ast_type type)
{
	if (n->kind == AST_NAME)
		want_var(t, n, n->u.name.var, type);
	else if (n->kind == AST_INDEX)
		want_var(t, n, n->u.index.var, type);
	else if (!t->diag->errors)	/* avoid duplicate reports */
		want(t, n, type);
}

static struct loc *key_locs(struct types *t, struct var *var)
{
	struct loc *locs = g_hash_table_lookup(t->key_locs, var);

	if (!locs) {
		locs = ast_alloc(t->prog->ast, RT_MAXKEYS * sizeof(*locs));
		g_hash_table_insert(t->key_locs, var, locs);
	}
	return locs;
}

static void want_keys(struct types *t, struct var *var, struct ast_list *keys)
{
	struct loc *locs = key_locs(t, var);

	for (unsigned i = 0; i < keys->n && i < RT_MAXKEYS; i++) {
		struct ast_node *k = keys->at[i];

		if (!k)
			continue;
		want(t, k, TYPE_UNKNOWN);
		if (k->type == TYPE_UNKNOWN && var->keys[i] != TYPE_UNKNOWN)
			want_again(t, k, var->keys[i]);
		refuse_stats(t, k);
		if (var->keys[i] == TYPE_UNKNOWN && k->type != TYPE_UNKNOWN)
			locs[i] = k->mark;
		learn(t, &var->keys[i], k->type);
		if (k->type != TYPE_UNKNOWN && k->type != var->keys[i]) {
			diag(t->diag, &k->mark, D_TYPE_INDEX, i, type_word(k->type));
			diag_chain(t->diag, &locs[i],
				   "type of index %u was first inferred here (%s)", i,
				   type_word(var->keys[i]));
		}
	}
}

/* Both expressions get the type of the one that is known. */
static void want_same(struct types *t, struct ast_node *a, struct ast_node *b, enum ast_type type)
{
	want(t, a, type);
	want(t, b, a->type != TYPE_UNKNOWN ? a->type : type);
	if (a->type == TYPE_UNKNOWN && b->type != TYPE_UNKNOWN)
		want_again(t, a, b->type);
	refuse_stats(t, b->type == TYPE_STATS ? b : a);
}

static void want_assign(struct types *t, struct ast_node *n, enum ast_type type)
{
	const char *op = n->u.binary.op;
	struct ast_node *left = n->u.binary.left, *right = n->u.binary.right;

	if (!strcmp(op, "=")) {
		want_same(t, left, right, type);
		learn(t, &n->type, left->type);
		return;
	}
	if (!strcmp(op, ".=")) {
		want(t, left, TYPE_STRING);
		want(t, right, TYPE_STRING);
		result(t, n, TYPE_STRING, type);
		return;
	}
	want(t, left, !strcmp(op, "<<<") ? TYPE_STATS : TYPE_LONG);
	want(t, right, TYPE_LONG);
	result(t, n, TYPE_LONG, type);
}

static void want_binary(struct types *t, struct ast_node *n, enum ast_type type)
{
	static const char *const comparisons[] = { "<", ">", "<=", ">=", "==", "!=", NULL };
	int compares = 0;

	for (const char *const *c = comparisons; *c; c++)
		compares |= !strcmp(*c, n->u.binary.op);
	if (compares) {
		want_same(t, n->u.binary.left, n->u.binary.right, TYPE_UNKNOWN);
	} else {
		want(t, n->u.binary.left, TYPE_LONG);
		want(t, n->u.binary.right, TYPE_LONG);
	}
	result(t, n, TYPE_LONG, type);
}

/* value: the result is used. */
static void want_call(struct types *t, struct ast_node *n, enum ast_type type, int value)
{
	const struct builtin *b = n->u.call.builtin;
	struct function *f = n->u.call.function;

	for (unsigned i = 0; i < n->u.call.args.n; i++) {
		struct ast_node *arg = n->u.call.args.at[i];

		if (b) {
			want(t, arg, b->args[i] == 's' ? TYPE_STRING : TYPE_LONG);
			continue;
		}
		for (struct function *g = f; g; g = g->overload) {
			struct var *param = i < g->params->len ? g->params->pdata[i] : NULL;

			if (!param)	/* of a function that was dropped with its parameters */
				continue;
			want(t, arg, param->type);
			refuse_stats(t, arg);
			if (param->type == TYPE_UNKNOWN)
				param->type_loc = arg->mark;
			learn(t, &param->type, arg->type);
		}
	}
	if (b && b->type == TYPE_UNKNOWN && value)
		no_value(t, n, n->u.call.name, type);
	else if (b && b->type != TYPE_UNKNOWN)
		result(t, n, b->type, type);
	/* all overloads have the same result type */
	for (struct function *g = f; g; g = g->overload)
		unify(t, n, &g->type, &g->type_loc, type == TYPE_UNKNOWN ? n->type : type);
	if (f && value)
		unresolved(t, n, &f->type);
}

static void want_print(struct types *t, struct ast_node *n, enum ast_type type, int value)
{
	struct ast_list *args = &n->u.print.args;
	int formatted = g_str_has_suffix(n->u.print.name, "printf");
	const char *bad = NULL;
	char *kinds = formatted ? format_kinds(n->u.print.format, &bad) : NULL;

	if (kinds && strlen(kinds) != args->n)
		diag(t->diag, &n->mark, D_PRINT_COUNT);
	for (unsigned i = 0; i < args->n; i++) {
		enum ast_type expect = TYPE_UNKNOWN;

		if (kinds && i < strlen(kinds))
			expect = kinds[i] == 's' ? TYPE_STRING : TYPE_LONG;
		else if (!strcmp(n->u.print.name, "print_char"))
			expect = TYPE_LONG;
		want(t, args->at[i], expect);
	}
	g_free(kinds);
	if (n->u.print.to_string)
		result(t, n, TYPE_STRING, type);
	else if (value)
		no_value(t, n, n->u.print.name, type == TYPE_UNKNOWN ? TYPE_LONG : type);
}

static void want_list(struct types *t, struct ast_list *list, enum ast_type type)
{
	for (unsigned i = 0; i < list->n; i++)
		want(t, list->at[i], type);
}

/* flat switch: expressions whose value is used */
static void want(struct types *t, struct ast_node *n, enum ast_type type)
{
	if (!n)
		return;
	switch (n->kind) {
	case AST_NUMBER:
		result(t, n, TYPE_LONG, type);
		break;
	case AST_STRING:
		result(t, n, TYPE_STRING, type);
		break;
	case AST_NAME:
		want_var(t, n, n->u.name.var, type);
		break;
	case AST_INDEX:
		want_keys(t, n->u.index.var, &n->u.index.keys);
		want_var(t, n, n->u.index.var, type);
		break;
	case AST_CALL:
		want_call(t, n, type, 1);
		break;
	case AST_PRINT:
		want_print(t, n, type, 1);
		break;
	case AST_STATOP:
		want(t, n->u.statop.operand, TYPE_STATS);
		result(t, n, TYPE_LONG, type);
		break;
	case AST_HIST:
		want(t, n->u.hist.operand, TYPE_STATS);
		result(t, n, TYPE_STATS, type);
		break;
	case AST_BUCKET:
		want(t, n->u.bucket.hist, TYPE_UNKNOWN);
		want(t, n->u.bucket.index, TYPE_LONG);
		result(t, n, TYPE_LONG, type);
		break;
	case AST_UNARY:
		want(t, n->u.unary.operand, TYPE_LONG);
		result(t, n, TYPE_LONG, type);
		break;
	case AST_CREMENT:
		want(t, n->u.crement.operand, TYPE_LONG);
		result(t, n, TYPE_LONG, type);
		break;
	case AST_BINARY:
		want_binary(t, n, type);
		break;
	case AST_ASSIGN:
		want_assign(t, n, type);
		break;
	case AST_REGEX:
		want(t, n->u.regex.left, TYPE_STRING);
		result(t, n, TYPE_LONG, type);
		break;
	case AST_EMBED:
		result(t, n, strstr(n->u.embed.text, "/* string */") ? TYPE_STRING : TYPE_LONG,
		       type);
		break;
	case AST_CONCAT:
		want_list(t, &n->u.list, TYPE_STRING);
		result(t, n, TYPE_STRING, type);
		break;
	case AST_TERNARY:
		want(t, n->u.ternary.cond, TYPE_LONG);
		want_same(t, n->u.ternary.yes, n->u.ternary.no, type);
		learn(t, &n->type, n->u.ternary.yes->type);
		break;
	case AST_IN:
		if (n->u.in.array->kind == AST_NAME)
			want_keys(t, n->u.in.array->u.name.var, &n->u.in.keys);
		else
			want_list(t, &n->u.in.keys, TYPE_LONG);
		if (n->u.in.array->kind != AST_NAME)
			want(t, n->u.in.array, TYPE_UNKNOWN);
		result(t, n, TYPE_LONG, type);
		break;
	default:
		break;
	}
}

static void foreach_types(struct types *t, struct ast_node *n)
{
	struct var *array = n->u.foreach.array_var;

	for (unsigned i = 0; i < n->u.foreach.nkeys && i < RT_MAXKEYS; i++) {
		struct var *key = n->u.foreach.key_vars[i];

		unify_var(t, n->u.foreach.keys[i].loc, key, array ? array->keys[i] : TYPE_LONG);
		if (!array)
			continue;
		if (array->keys[i] == TYPE_UNKNOWN)
			key_locs(t, array)[i] = n->u.foreach.keys[i].loc;
		learn(t, &array->keys[i], key->type);
	}
	if (!array)
		want(t, n->u.foreach.array, TYPE_UNKNOWN);
	if (array)
		want_keys(t, array, &n->u.foreach.slice);
	if (array && array->type == TYPE_STATS && n->u.foreach.value_var) {
		diag(t->diag, &n->u.foreach.value_loc, D_TYPE_INVALID, "stats");
		diag_hint(
			t->diag,
			"loop over the keys and ask @count() or another extractor of the element");
	} else if (array && n->u.foreach.value_var) {
		unify_var(t, n->u.foreach.value_loc, n->u.foreach.value_var, array->type);
	} else if (n->u.foreach.value_var) {
		unify_var(t, n->u.foreach.value_loc, n->u.foreach.value_var, TYPE_LONG);
	}
	want(t, n->u.foreach.limit, TYPE_LONG);
}

/* An expression statement: a call or print needs no value here. */
static void unused_value(struct types *t, struct ast_node *n)
{
	if (n && n->kind == AST_CALL)
		want_call(t, n, TYPE_UNKNOWN, 0);
	else if (n && n->kind == AST_PRINT)
		want_print(t, n, TYPE_UNKNOWN, 0);
	else
		want(t, n, TYPE_UNKNOWN);
}

static void return_type(struct types *t, struct ast_node *n)
{
	struct function *f = t->function;

	if (f && !n->u.expr.expr && f->type != TYPE_UNKNOWN)
		diag(t->diag, &n->mark, D_TYPE_EXPECTED, type_word(f->type), "unknown");
	if (!f || !n->u.expr.expr)
		return;
	want(t, n->u.expr.expr, f->type);
	refuse_stats(t, n->u.expr.expr);
	if (f->type == TYPE_UNKNOWN)
		f->type_loc = n->u.expr.expr->mark;
	learn(t, &f->type, n->u.expr.expr->type);
}

/*
 * Statements: their expressions are visited here, the statements below them by ast_walk.
 * flat switch
 */
static void statement(struct types *t, struct ast_node *n)
{
	if (!n)
		return;
	switch (n->kind) {
	case AST_BLOCK:
		for (unsigned i = 0; i < n->u.list.n; i++)
			statement(t, n->u.list.at[i]);
		break;
	case AST_EXPR:
		unused_value(t, n->u.expr.expr);
		break;
	case AST_IF:
		want(t, n->u.cond.cond, TYPE_LONG);
		statement(t, n->u.cond.yes);
		statement(t, n->u.cond.no);
		break;
	case AST_WHILE:
	case AST_FOR:
		unused_value(t, n->u.loop.init);
		want(t, n->u.loop.cond, TYPE_LONG);
		statement(t, n->u.loop.body);
		unused_value(t, n->u.loop.step);
		break;
	case AST_FOREACH:
		foreach_types(t, n);
		statement(t, n->u.foreach.body);
		break;
	case AST_TRY:
		statement(t, n->u.try_.body);
		if (n->u.try_.var)
			unify_var(t, n->u.try_.name_loc, n->u.try_.var, TYPE_STRING);
		statement(t, n->u.try_.handler);
		break;
	case AST_RETURN:
		return_type(t, n);
		break;
	case AST_DELETE:
		if (n->u.expr.expr->kind == AST_INDEX)
			want_keys(t, n->u.expr.expr->u.index.var, &n->u.expr.expr->u.index.keys);
		break;
	default:
		break;
	}
}

static void one_round(struct types *t)
{
	struct program *prog = t->prog;

	for (unsigned i = 0; i < prog->functions->len; i++) {
		t->function = prog->functions->pdata[i];
		if (t->function->used)
			statement(t, t->function->node->u.function.body);
	}
	t->function = NULL;
	for (unsigned i = 0; i < prog->probes->len; i++) {
		struct probe *p = prog->probes->pdata[i];

		want(t, p->condition, TYPE_LONG);
		statement(t, p->body);
	}
}

/* A type that is still unknown and not needed becomes long, the default. */
static void settle(GPtrArray *vars)
{
	for (unsigned i = 0; i < vars->len; i++) {
		struct var *var = vars->pdata[i];

		if (var->type == TYPE_UNKNOWN)
			var->type = TYPE_LONG;
		for (int k = 0; k < var->arity && k < RT_MAXKEYS; k++)
			if (var->keys[k] == TYPE_UNKNOWN)
				var->keys[k] = TYPE_LONG;
	}
}

static void settle_all(struct program *prog)
{
	settle(prog->globals);
	for (unsigned i = 0; i < prog->functions->len; i++) {
		struct function *f = prog->functions->pdata[i];

		settle(f->params);
		settle(f->locals);
	}
	for (unsigned i = 0; i < prog->probes->len; i++) {
		struct probe *p = prog->probes->pdata[i];

		settle(p->locals);
		if (p->kept)
			settle(p->kept);
	}
}

static void infer(struct types *t)
{
	do {
		t->progress = 0;
		one_round(t);
	} while (t->progress && !t->diag->errors);
}

/* Target variables have no types yet; types that stay unknown are left to pass types. */
void pass_agree(struct program *prog)
{
	struct types t = { .prog = prog,
			   .diag = prog->ast->diag,
			   .key_locs = g_hash_table_new(NULL, NULL) };

	infer(&t);
	g_hash_table_unref(t.key_locs);
}

int types_of_dropped(struct program *prog)
{
	struct types t = { .prog = prog,
			   .diag = prog->ast->diag,
			   .key_locs = g_hash_table_new(NULL, NULL) };

	do {
		t.progress = 0;
		for (unsigned i = 0; i < prog->dropped->len; i++)
			unused_value(&t, prog->dropped->pdata[i]);
	} while (t.progress && !t.diag->errors);
	g_hash_table_unref(t.key_locs);
	return t.diag->errors != 0;
}

void pass_types(struct program *prog)
{
	struct types t = { .prog = prog,
			   .diag = prog->ast->diag,
			   .key_locs = g_hash_table_new(NULL, NULL) };

	infer(&t);
	if (!t.diag->errors) {
		t.last = 1;
		one_round(&t);
	}
	g_hash_table_unref(t.key_locs);
	settle_all(prog);
}
