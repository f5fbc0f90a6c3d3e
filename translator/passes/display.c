/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * display.c - the automatic display: user globals that are written and never
 * read are printed by a synthetic `end` probe that runs last.
 *
 *   name=1   name="text"   name["key",2]=3   name @count=1 @min=... @avg=...
 *
 * Numbers are hexadecimal with --compatible before 5.0, those of statistics with --compatible
 * before 1.4, as in those versions.
 *
 * Builds an ordinary, already bound and typed tree.  The formatting is done by
 * printf.
 */
#include "translator/families/family.h"
#include "translator/passes/pass.h"
#include "translator/program/options.h"
#include "translator/program/uses.h"

#include <stdarg.h>
#include <string.h>

static struct ast_node *make(struct program *prog, enum ast_kind kind, enum ast_type type,
			     struct var *var)
{
	struct ast_node *n = ast_node_new(prog->ast, kind, var->loc);

	n->mark = var->loc;
	n->type = type;
	return n;
}

static struct ast_node *make_name(struct program *prog, struct var *at, struct var *var)
{
	struct ast_node *n = make(prog, AST_NAME, var->type, at);

	n->u.name.name = var->name;
	n->u.name.var = var;
	return n;
}

static struct ast_node *make_statement(struct program *prog, struct var *at, struct ast_node *expr)
{
	struct ast_node *n = make(prog, AST_EXPR, TYPE_UNKNOWN, at);

	n->u.expr.expr = expr;
	return n;
}

static struct ast_node *make_printf(struct program *prog, struct var *var, const char *format)
{
	struct ast_node *n = make(prog, AST_PRINT, TYPE_UNKNOWN, var);

	n->u.print.name = "printf";
	n->u.print.format = format;
	return n;
}

/* The variable, or its element at the loop's keys. */
static struct ast_node *make_element(struct program *prog, struct var *var, struct ast_node *loop)
{
	struct ast_node *n;

	if (!loop)
		return make_name(prog, var, var);
	n = make(prog, AST_INDEX, var->type, var);
	n->u.index.name = var->name;
	n->u.index.var = var;
	for (unsigned i = 0; i < loop->u.foreach.nkeys; i++)
		ast_append(prog->ast, &n->u.index.keys,
			   make_name(prog, var, loop->u.foreach.key_vars[i]));
	return n;
}

static struct ast_node *make_op(struct program *prog, struct var *var, struct ast_node *loop,
				const char *op)
{
	struct ast_node *n = make(prog, AST_STATOP, TYPE_LONG, var);

	n->u.statop.op = g_intern_string(op);
	n->u.statop.operand = make_element(prog, var, loop);
	n->u.statop.number = -1;
	return n;
}

/* "name" or "name[%d,\"%s\"]" in script escapes, with the keys as arguments. */
static void key_format(struct var *var, GString *format)
{
	g_string_append(format, var->name);
	for (int i = 0; i < var->arity; i++) {
		g_string_append_c(format, i ? ',' : '[');
		g_string_append(format, var->keys[i] == TYPE_STRING ? "\\\"%s\\\"" : "%d");
	}
	if (var->arity)
		g_string_append_c(format, ']');
}

static struct ast_node *print_var(struct program *prog, struct var *var, struct ast_node *loop)
{
	static const char *const ops[] = { "@count", "@min", "@max", "@sum", "@avg" };
	GString *format = g_string_new(NULL);
	struct ast_node *print;

	key_format(var, format);
	if (var->type == TYPE_STATS)
		g_string_append(format,
				options_since(prog->opt, "1.4")
					? " @count=%d @min=%d @max=%d @sum=%d @avg=%d\\n"
					: " @count=%#x @min=%#x @max=%#x @sum=%#x @avg=%#x\\n");
	else
		g_string_append(format, var->type == TYPE_STRING ? "=\\\"%s\\\"\\n"
					: options_since(prog->opt, "5.0") ? "=%d\\n"
					: "=%#x\\n");
	print = make_printf(prog, var, ast_strdup(prog->ast, format->str));
	g_string_free(format, TRUE);
	for (unsigned i = 0; loop && i < loop->u.foreach.nkeys; i++)
		ast_append(prog->ast, &print->u.print.args,
			   make_name(prog, var, loop->u.foreach.key_vars[i]));
	if (var->type != TYPE_STATS)
		ast_append(prog->ast, &print->u.print.args, make_element(prog, var, loop));
	for (unsigned i = 0; var->type == TYPE_STATS && i < G_N_ELEMENTS(ops); i++)
		ast_append(prog->ast, &print->u.print.args, make_op(prog, var, loop, ops[i]));
	return make_statement(prog, var, print);
}

/*
 * @min of an empty statistic has no value, so: if (@count(x)) ... else printf("x @count=0x0\n").
 */
static struct ast_node *print_stat(struct program *prog, struct var *var)
{
	struct ast_node *n = make(prog, AST_IF, TYPE_UNKNOWN, var);

	n->u.cond.cond = make_op(prog, var, NULL, "@count");
	n->u.cond.yes = print_var(prog, var, NULL);
	n->u.cond.no = make_statement(
		prog, var,
		make_printf(prog, var, ast_printf(prog->ast, "%s @count=0x0\\n", var->name)));
	return n;
}

static struct var *key_var(struct program *prog, struct probe *p, struct var *array, int i)
{
	struct var *var = ast_alloc(prog->ast, sizeof(*var));

	var->name = ast_printf(prog->ast, "%s_k%d", array->name, i + 1);
	var->cname = ast_printf(prog->ast, "l_%s", array->cname + 2);
	var->cname = ast_printf(prog->ast, "%s_k%d", var->cname, i + 1);
	var->type = array->keys[i];
	var->loc = var->type_loc = array->loc;
	var->shift = -1;
	g_ptr_array_add(p->locals, var);
	return var;
}

static struct ast_node *print_array(struct program *prog, struct probe *p, struct var *var)
{
	struct ast_node *n = make(prog, AST_FOREACH, TYPE_UNKNOWN, var);

	n->u.foreach.nkeys = var->arity;
	n->u.foreach.keys = ast_alloc(prog->ast, var->arity * sizeof(struct ast_param));
	n->u.foreach.key_vars = ast_alloc(prog->ast, var->arity * sizeof(struct var *));
	for (int i = 0; i < var->arity; i++) {
		n->u.foreach.key_vars[i] = key_var(prog, p, var, i);
		n->u.foreach.keys[i].name = n->u.foreach.key_vars[i]->name;
		n->u.foreach.keys[i].loc = var->loc;
	}
	n->u.foreach.array = make_name(prog, var, var);
	n->u.foreach.array_var = var;
	n->u.foreach.sort_key = -1;
	n->u.foreach.sort_dir = -1;
	n->u.foreach.body = print_var(prog, var, n);
	return n;
}

/* ---- the probe ------------------------------------------------------------*/

static void *row_alloc(struct family_call *call, size_t bytes)
{
	return ast_alloc(((struct program *)call->data)->ast, bytes);
}

static void add_probe(struct family_call *call, const struct family_probe *found)
{
	struct program *prog = call->data;
	struct probe *p = ast_alloc(prog->ast, sizeof(*p));

	p->point = p->written = "end";
	p->phase = found->phase;
	p->row = found->row;
	p->locals = g_ptr_array_new();
	g_ptr_array_add(prog->probes, p);
}

/* end(N) with the largest N: after every end probe of the script. */
static struct probe *add_last_end(struct program *prog)
{
	struct point_comp *comp = ast_alloc(prog->ast, sizeof(*comp));
	struct probe_point *point = ast_alloc(prog->ast, sizeof(*point));
	struct family_call call = {
		.point = point, .info = prog->info, .diag = prog->ast->diag,
		.add = add_probe, .alloc = row_alloc, .data = prog,
	};
	const struct family *family = NULL;
	unsigned before = prog->probes->len, matched = 0;
	struct probe *p;

	*comp = (struct point_comp){ .name = "end", .arg = POINT_NUMBER, .number = INT64_MAX };
	*point = (struct probe_point){ .comps = comp, .ncomps = 1 };
	call.pattern = family_match(point, &family, &matched);
	if (call.pattern)
		family->resolve(&call);
	if (prog->probes->len == before)
		return NULL;
	p = prog->probes->pdata[before];
	p->family = family;
	return p;
}

static int unread(const struct program *prog, const struct var *var)
{
	return var->user && var->writes && !var->reads && !prog->opt->no_auto_display;
}

/* Each loop needs room for its keys on a handler's stack, so the keys per probe are limited. */
#define KEYS_PER_PROBE 12

void pass_display(struct program *prog)
{
	struct probe *p = NULL;
	int keys = 0;

	uses_count(prog);
	for (unsigned i = 0; i < prog->globals->len; i++) {
		struct var *var = prog->globals->pdata[i];
		struct ast_node *print;

		if (!unread(prog, var) || var->arity > RT_MAXKEYS)	/* pass refuse says so */
			continue;
		keys += MAX(var->arity, 0);
		if (p && keys > KEYS_PER_PROBE) {
			p = NULL;
			keys = var->arity;
		}
		if (!p && !(p = add_last_end(prog)))
			return;
		if (!p->body) {
			p->loc = var->loc;
			p->body = make(prog, AST_BLOCK, TYPE_UNKNOWN, var);
		}
		if (var->arity > 0)
			print = print_array(prog, p, var);
		else
			print = var->type == TYPE_STATS ? print_stat(prog, var)
							: print_var(prog, var, NULL);
		ast_append(prog->ast, &p->body->u.list, print);
	}
}
