/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * context.c - target variables and the other operators that refer to the probed
 * place: $x, @cast, @var, @entry, @perf ...
 *
 * $x and @cast become loads (variable.c), or an error that names what exists instead. A callee's
 * handler first checks its caller (callee.c). @entry(E) becomes a variable that a probe at the
 * entry sets (entry_value.c). @defined is gone by now (pass fold).
 */
#include "parser/ast_print.h"
#include "parser/ast_walk.h"
#include "translator/debuginfo/dwarf.h"
#include "translator/families/family.h"
#include "translator/families/family_variable.h"
#include "translator/families/shared.h"
#include "translator/passes/pass.h"
#include "translator/program/builtins.h"
#include "translator/program/library_value.h"
#include "translator/program/options.h"
#include "translator/program/privilege.h"
#include "translator/target_var/ambient.h"
#include "translator/target_var/callee.h"
#include "translator/target_var/entry_value.h"
#include "translator/target_var/perf_counter.h"
#include "translator/target_var/variable.h"

#include <string.h>

struct context {
	struct program *prog;
	struct diag_sink *diag;
	struct probe *probe;		/* NULL: a function without target variables */
	struct function *function;	/* NULL: the probe's own body */
	GHashTable *refused;		/* places of the script where a library value is missing */
};

static const struct need {
	const char *op, *needs;
} needs[] = {
	{ "@enum",	"an enumerator that the kernel's BTF has" },
	{ NULL }
};

static int visit(struct ast_node **slot, void *data);

static void visit_child(struct ast_node **slot, void *data)
{
	ast_walk(slot, visit, data);
}

/* The target variable becomes the literal 0, or "" where its value is a string. */
static void lower_to_nothing(struct ast_node *n)
{
	const struct ast_suffix *last =
		n->u.target.nsuffixes ? &n->u.target.suffixes[n->u.target.nsuffixes - 1] : NULL;
	int is_text = g_str_has_prefix(n->u.target.name ? n->u.target.name : "", "$$") ||
		      (last && last->kind == SUFFIX_PRETTY);

	memset(&n->u, 0, sizeof(n->u));
	n->kind = is_text ? AST_STRING : AST_NUMBER;
	if (is_text)
		n->u.string.text = "";
}

/*
 * Our calibration functions have no variables: in a stopwatch's handler, variables only tell calls
 * apart, and calls of a calibration function are stored elsewhere. 1: it was such a variable.
 */
static int lower_of_ours(struct context *c, struct ast_node *n)
{
	if (!c->probe || !c->probe->calibrates || perf_counter_has(c->probe, n))
		return 0;
	lower_to_nothing(n);
	return 1;
}

/*
 * A variable that the library cannot read: an error at the script's place that needs it, once. 0:
 * there is no such place.
 */
static int refuse_library(struct context *c, const struct ast_node *n, const char *why)
{
	struct library_value value = library_value_of(c->prog, c->probe, c->function, n);
	char *text, *place;

	if (!value.place.src)
		return 0;
	place = g_strdup_printf("%p:%u", (void *)value.place.src, value.place.start);
	if (!g_hash_table_add(c->refused, place))
		return 1;
	text = ast_print(n);
	diag(c->diag, &value.place, D_LIBRARY_VALUE, value.what, text);
	diag_chain(c->diag, &n->mark, "the library reads '%s'", text);
	diag_hint(c->diag, "%s", why);
	g_free(text);
	return 1;
}

/*
 * A variable that cannot be read: an error, or with --skip-badvars a warning and a literal. A list
 * goes on without what the library cannot read.
 */
static void refuse_target(struct context *c, struct ast_node *n, const char *why)
{
	int is_users = program_is_users(c->prog, n->mark.src);
	unsigned errors = c->diag->errors;

	if (c->prog->opt->skip_badvars) {
		diag(c->diag, &n->mark, D_TARGET_SKIPPED);
		lower_to_nothing(n);
	} else if (c->prog->opt->list_pattern && !is_users) {
		refuse_library(c, n, why);
		c->diag->errors = errors;
		lower_to_nothing(n);
		return;
	} else if (!is_users && refuse_library(c, n, why)) {
		return;
	} else {
		diag(c->diag, &n->mark, D_TARGET_UNRESOLVED);
	}
	diag_hint(c->diag, "%s", why);
}

static void lower_target(struct context *c, struct ast_node **slot)
{
	struct ast_node *n;
	const char *why;

	if (lower_of_ours(c, *slot))
		return;
	n = variable_is_kept(c->prog, c->probe, *slot)
		    ? entry_value_keep(c->prog, c->probe, *slot, &why)
		    : variable_lower(c->prog, c->probe, *slot, &why);

	if (n && (*slot)->u.target.form != TARGET_DOLLAR && privilege_is_user(c->prog)) {
		diag(c->diag, &(*slot)->mark, D_FUNCTION_PRIVILEGE, c->prog->opt->privilege);
		return;
	}
	if (n) {
		*slot = n;
		return;
	}
	refuse_target(c, *slot, why);
}

/* @entry($x) is $x: arguments are kept anyway, unlike variables of every probe ($timestamp). */
static int lower_entry(struct context *c, struct ast_node **slot)
{
	const struct ast_list *args = &(*slot)->u.atop.args;
	struct ast_node *n = *slot;
	const char *why;

	if (strcmp(n->u.atop.op, "@entry") || !c->probe || !strstr(c->probe->point, ".return") ||
	    args->n != 1)
		return 0;
	if (args->at[0]->kind == AST_TARGET && !args->at[0]->u.target.nsuffixes &&
	    !args->at[0]->u.target.address_of && !ambient_has(args->at[0])) {
		*slot = args->at[0];
		lower_target(c, slot);
		return 1;
	}
	*slot = entry_value_keep(c->prog, c->probe, args->at[0], &why);
	if (!*slot) {
		*slot = n;
		diag(c->diag, &n->mark, D_ATOP_CONTEXT, "@entry", why);
	}
	return 1;
}

/* int_arg(n) and similar at a return also mean the entry's value. 1: *slot is handled. */
static int lower_argument(struct context *c, struct ast_node **slot)
{
	const struct builtin *b = (*slot)->u.call.builtin;
	struct ast_node *kept;
	const char *why;

	if (!b || !(b->capture & RT_CAP_ARGS) || c->prog->opt->runtime != RUNTIME_USER ||
	    !c->probe || !family_is_return(c->probe))
		return 0;
	kept = entry_value_keep(c->prog, c->probe, *slot, &why);
	if (kept)
		*slot = kept;
	else
		diag(c->diag, &(*slot)->mark, D_ATOP_CONTEXT, (*slot)->u.call.name, why);
	return 1;
}

/* kernel_string($x->y) where memory cannot be read later. 1: *slot is handled. */
static int lower_text(struct context *c, struct ast_node **slot)
{
	const struct builtin *b = (*slot)->u.call.builtin;
	struct ast_node *of = (*slot)->u.call.args.n ? (*slot)->u.call.args.at[0] : NULL, *n;
	const char *why;

	if (!b || !of || of->kind != AST_TARGET || b->kind != KIND_KERNEL_STRING)
		return 0;
	n = variable_is_kept(c->prog, c->probe, of)
		    ? entry_value_keep(c->prog, c->probe, *slot, &why)
		    : variable_text(c->prog, c->probe, of, &why);
	if (n) {
		*slot = n;
		return 1;
	}
	if (why)
		refuse_target(c, of, why);
	return why && of->kind == AST_TARGET;
}

static int lower_perf(struct context *c, struct ast_node **slot)
{
	const char *why;
	struct ast_node *n;

	if (strcmp((*slot)->u.atop.op, "@perf"))
		return 0;
	n = perf_counter_perf(c->prog, *slot, &why);
	if (n)
		*slot = n;
	else
		diag(c->diag, &(*slot)->mark, D_ATOP_CONTEXT, "@perf", why);
	return 1;
}

static int lower_enum(struct context *c, struct ast_node **slot)
{
	struct ast_node *n = *slot;
	const struct ast_list *args = &n->u.atop.args;
	gint64 value;

	if (strcmp(n->u.atop.op, "@enum") || args->n != 1 || args->at[0]->kind != AST_STRING ||
	    !variable_enum(c->prog, args->at[0]->u.string.text, &value))
		return 0;
	memset(&n->u, 0, sizeof(n->u));
	n->kind = AST_NUMBER;
	n->u.number.value = value;
	return 1;
}

/* decode_value()'s table for @enumname: of a type by name, an enum before others, or of the value. */
static const char *enumerators(struct context *c, const struct ast_node *n, const char **why)
{
	const struct ast_list *args = &n->u.atop.args;
	struct ast_node *of = args->at[0];
	const char *name, *text;

	*why = NULL;
	if (args->n < 2)
		return of->kind == AST_TARGET ? variable_enumerators(c->prog, c->probe, of, why)
					      : NULL;
	name = args->at[1]->u.string.text;
	of = ast_node_new(c->prog->ast, AST_TARGET, n->loc);
	of->u.target.form = TARGET_CAST;
	of->u.target.operand = args->at[0];
	of->u.target.module = args->n > 2 ? args->at[2]->u.string.text : NULL;
	of->u.target.type_name = ast_printf(c->prog->ast, "enum %s", name);
	text = variable_enumerators(c->prog, c->probe, of, why);
	of->u.target.type_name = name;
	return text ? text : variable_enumerators(c->prog, c->probe, of, why);
}

/* @enumname(x), of x's own type, and @enumname(x, "enum type"[, "module"]). 1: *slot is handled. */
static int lower_enumname(struct context *c, struct ast_node **slot)
{
	const struct ast_list *args = &(*slot)->u.atop.args;
	struct ast *ast = c->prog->ast;
	struct ast_node *call, *table;
	const char *why;

	if (strcmp((*slot)->u.atop.op, "@enumname"))
		return 0;
	table = ast_node_new(ast, AST_STRING, (*slot)->loc);
	table->u.string.text = enumerators(c, *slot, &why);
	visit_child(&args->at[0], c);
	if (!table->u.string.text && why) {
		diag(c->diag, &(*slot)->mark, D_TARGET_UNRESOLVED);
		diag_hint(c->diag, "%s", why);
	} else if (!table->u.string.text) {
		diag(c->diag, &(*slot)->mark, D_ATOP_CONTEXT, "@enumname",
		     "an enum: @enumname(x, \"enum pid_type\") names one");
	}
	if (!table->u.string.text)
		return 1;
	call = ast_node_new(ast, AST_CALL, (*slot)->loc);
	call->mark = (*slot)->mark;
	call->u.call.builtin = builtin_find("decode_value", 2);
	call->u.call.name = call->u.call.builtin->name;
	ast_append(ast, &call->u.call.args, args->at[0]);
	ast_append(ast, &call->u.call.args, table);
	*slot = call;
	return 1;
}

/* pmu_quality("NAME"). 1: *slot is handled. */
static int lower_quality(struct context *c, struct ast_node **slot)
{
	const struct builtin *b = (*slot)->u.call.builtin;
	struct ast_node *n;

	if (!b || b->kind != KIND_PMU_QUALITY)
		return 0;
	n = perf_counter_quality(c->prog, *slot, c->diag);
	if (n)
		*slot = n;
	return 1;
}

/* $value = e, if the family has such a variable. 1: *slot was such a write and is handled. */
static int lower_family_write(struct context *c, struct ast_node **slot)
{
	const struct ast_node *to = (*slot)->u.binary.left;
	struct ast_node *n;
	const char *why;

	if (to->kind != AST_TARGET || to->u.target.form != TARGET_DOLLAR ||
	    !family_variable_has(c->probe))
		return 0;
	visit_child(&(*slot)->u.binary.right, c);
	n = family_variable_write(c->prog, c->probe, *slot, &why);
	if (n) {
		*slot = n;
		return 1;
	}
	diag(c->diag, &to->mark, D_TARGET_UNRESOLVED);
	diag_hint(c->diag, "%s", why);
	return 1;
}

/* $x->y = e, with -g; no other form of write. 1: *slot was a write and is handled. */
static int lower_write(struct context *c, struct ast_node **slot, struct ast_node *to)
{
	struct ast_node *n;
	const char *why = "write it as $x = value";

	if (to->kind != AST_TARGET)
		return 0;
	if (!c->prog->opt->guru) {
		diag(c->diag, &to->mark, D_TARGET_WRITE);
		return 1;
	}
	ast_children(to, visit_child, c);
	if ((*slot)->kind == AST_ASSIGN && !strcmp((*slot)->u.binary.op, "=")) {
		visit_child(&(*slot)->u.binary.right, c);
		n = variable_store(c->prog, c->probe, to, (*slot)->u.binary.right, &why);
		if (n) {
			*slot = n;
			return 1;
		}
	}
	diag(c->diag, &to->mark, D_TARGET_UNRESOLVED);
	diag_hint(c->diag, "%s", why);
	return 1;
}

static void report_atop(struct context *c, struct ast_node *n)
{
	const char *op = n->u.atop.op;

	if (!strcmp(op, "@entry") && !(c->probe && strstr(c->probe->point, ".return"))) {
		diag(c->diag, &n->mark, D_ENTRY_PLACE);
		return;
	}
	for (const struct need *need = needs; need->op; need++)
		if (!strcmp(need->op, op)) {
			diag(c->diag, &n->mark, D_ATOP_CONTEXT, op, need->needs);
			return;
		}
	diag(c->diag, &n->mark, D_ATOP_CONTEXT, op, "a probe whose entry can be probed");
}

static int visit(struct ast_node **slot, void *data)
{
	switch ((*slot)->kind) {
	case AST_TARGET:
		ast_children(*slot, visit_child, data);
		lower_target(data, slot);
		return 0;
	case AST_ASSIGN:
		return !lower_family_write(data, slot) &&
		       !lower_write(data, slot, (*slot)->u.binary.left);
	case AST_CREMENT:
		return !lower_write(data, slot, (*slot)->u.crement.operand);
	case AST_CALL:
		return !lower_argument(data, slot) && !lower_text(data, slot) &&
		       !lower_quality(data, slot);
	case AST_ATOP:
		if (!lower_entry(data, slot) && !lower_enum(data, slot) &&
		    !lower_enumname(data, slot) && !lower_perf(data, slot))
			report_atop(data, *slot);
		return 0;
	default:
		return 1;
	}
}

void pass_context(struct program *prog)
{
	struct context c = { .prog = prog,
			     .diag = prog->ast->diag,
			     .refused = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
							      NULL) };

	for (unsigned i = 0; i < prog->functions->len; i++) {
		c.function = prog->functions->pdata[i];
		c.probe = c.function->probe;
		ast_walk(&c.function->node->u.function.body, visit, &c);
	}
	c.function = NULL;
	for (unsigned i = 0; i < prog->probes->len; i++) {
		struct probe *p = prog->probes->pdata[i];

		c.probe = p;
		if (p->condition)
			ast_walk(&p->condition, visit, &c);
		ast_walk(&p->body, visit, &c);
		if (p->place && p->place->frame &&
		    !options_define(prog->opt, "STAP_CALLEE_MATCHALL", 0))
			callee_guard(prog, p);
	}
	g_hash_table_unref(c.refused);
}
