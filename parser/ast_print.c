/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ast_print.c - prints a tree as a script, operands fully parenthesised (stap -p1).
 *
 * Input: any node; output: text that parses to the same tree, except for two differences of -p1:
 * `while` prints as `for (; cond; )`, and `private` is not shown. Comments and layout are lost.
 */
#include "parser/ast_print.h"

#include "parser/ast.h"

#include <inttypes.h>

struct printer {
	GString		*out;
	unsigned	indent;
};

static void node(struct printer *p, const struct ast_node *n);

static void text(struct printer *p, const char *s)
{
	g_string_append(p->out, s);
}

static void newline(struct printer *p)
{
	g_string_append_c(p->out, '\n');
	for (unsigned i = 0; i < p->indent; i++)
		g_string_append_c(p->out, '\t');
}

static void paren(struct printer *p, const struct ast_node *n)
{
	text(p, "(");
	node(p, n);
	text(p, ")");
}

/* A NULL entry is a '*'. */
static void list(struct printer *p, const struct ast_list *l, const char *separator)
{
	for (unsigned i = 0; i < l->n; i++) {
		if (i)
			text(p, separator);
		if (l->at[i])
			node(p, l->at[i]);
		else
			text(p, "*");
	}
}

static void infix(struct printer *p, const struct ast_node *left, const char *op,
		  const struct ast_node *right)
{
	paren(p, left);
	g_string_append_printf(p->out, " %s ", op);
	paren(p, right);
}

static void concat(struct printer *p, const struct ast_list *l)
{
	for (unsigned i = 0; i < l->n; i++) {
		if (i)
			text(p, " . ");
		paren(p, l->at[i]);
	}
}

static void strings(struct printer *p, const char *first, const char *second)
{
	g_string_append_printf(p->out, "\"%s\"", first);
	if (second)
		g_string_append_printf(p->out, ", \"%s\"", second);
}

static void target(struct printer *p, const struct ast_node *n)
{
	if (n->u.target.address_of)
		text(p, "&");
	switch (n->u.target.form) {
	case TARGET_DOLLAR:
		text(p, n->u.target.name);
		break;
	case TARGET_CAST:
		text(p, "@cast(");
		node(p, n->u.target.operand);
		text(p, ", ");
		strings(p, n->u.target.type_name, n->u.target.module);
		text(p, ")");
		break;
	case TARGET_VAR:
		text(p, "@var(");
		strings(p, n->u.target.name, n->u.target.module);
		text(p, ")");
		break;
	case TARGET_AUTOCAST:
		paren(p, n->u.target.operand);
		break;
	}
	for (unsigned i = 0; i < n->u.target.nsuffixes; i++) {
		const struct ast_suffix *s = &n->u.target.suffixes[i];

		if (s->kind == SUFFIX_INDEX) {
			text(p, "[");
			node(p, s->index);
			text(p, "]");
		} else {
			g_string_append_printf(p->out, "->%s", s->member);
		}
	}
}

static void print_call(struct printer *p, const struct ast_node *n)
{
	g_string_append_printf(p->out, "%s(", n->u.print.name);
	if (n->u.print.format)
		g_string_append_printf(p->out, "\"%s\"%s", n->u.print.format,
				       n->u.print.args.n ? ", " : "");
	for (unsigned i = 0; n->u.print.columns && i < n->u.print.args.n; i++) {
		g_string_append_printf(p->out, "%s%s: ", i ? ", " : "", n->u.print.columns[i].name);
		node(p, n->u.print.args.at[i]);
	}
	if (!n->u.print.columns)
		list(p, &n->u.print.args, ", ");
	text(p, ")");
}

static void named(struct printer *p, const struct ast_node *n)
{
	g_string_append_printf(p->out, "%s: ", n->u.named.name);
	node(p, n->u.named.value);
}

static void statop(struct printer *p, const struct ast_node *n)
{
	g_string_append_printf(p->out, "%s(", n->u.statop.op);
	node(p, n->u.statop.operand);
	if (n->u.statop.number >= 0)
		g_string_append_printf(p->out, ", %" PRId64, n->u.statop.number);
	text(p, ")");
}

static void hist(struct printer *p, const struct ast_node *n)
{
	text(p, n->u.hist.linear ? "@hist_linear(" : "@hist_log(");
	node(p, n->u.hist.operand);
	if (n->u.hist.linear)
		g_string_append_printf(p->out, ", %" PRId64 ", %" PRId64 ", %" PRId64,
				       n->u.hist.low, n->u.hist.high, n->u.hist.step);
	text(p, ")");
}

static void call(struct printer *p, const char *name, const struct ast_list *args, const char *open,
		 const char *close)
{
	g_string_append_printf(p->out, "%s%s", name, open);
	list(p, args, ", ");
	text(p, close);
}

static void crement(struct printer *p, const struct ast_node *n)
{
	if (n->u.crement.prefix)
		text(p, n->u.crement.op);
	paren(p, n->u.crement.operand);
	if (!n->u.crement.prefix)
		text(p, n->u.crement.op);
}

static void in(struct printer *p, const struct ast_node *n)
{
	call(p, "", &n->u.in.keys, "[", "] in ");
	node(p, n->u.in.array);
}

/* flat switch over expression kinds */
static void expression(struct printer *p, const struct ast_node *n)
{
	switch (n->kind) {
	case AST_NUMBER:
		/*
		 * a minus would be a separate operator; a value over 2^63 wraps to the same number
		 */
		g_string_append_printf(p->out, "%" PRIu64, (uint64_t)n->u.number.value);
		break;
	case AST_STRING:	strings(p, n->u.string.text, NULL); break;
	case AST_NAME:		text(p, n->u.name.name); break;
	case AST_TARGET:	target(p, n); break;
	case AST_INDEX:		call(p, n->u.index.name, &n->u.index.keys, "[", "]"); break;
	case AST_CALL:
		if (*n->u.call.name == '$')		/* a lowered target variable */
			text(p, n->u.call.name);
		else
			call(p, n->u.call.name, &n->u.call.args, "(", ")");
		break;
	case AST_PRINT:		print_call(p, n); break;
	case AST_NAMED:		named(p, n); break;
	case AST_STATOP:	statop(p, n); break;
	case AST_HIST:		hist(p, n); break;
	case AST_BUCKET:
		node(p, n->u.bucket.hist);
		text(p, "[");
		node(p, n->u.bucket.index);
		text(p, "]");
		break;
	case AST_UNARY:		text(p, n->u.unary.op); paren(p, n->u.unary.operand); break;
	case AST_CREMENT:	crement(p, n); break;
	case AST_BINARY:
	case AST_ASSIGN:
		infix(p, n->u.binary.left, n->u.binary.op, n->u.binary.right);
		break;
	case AST_CONCAT:	concat(p, &n->u.list); break;
	case AST_REGEX:
		paren(p, n->u.regex.left);
		g_string_append_printf(p->out, " %s \"%s\"", n->u.regex.op, n->u.regex.pattern);
		break;
	case AST_TERNARY:
		infix(p, n->u.ternary.cond, "?", n->u.ternary.yes);
		text(p, " : ");
		paren(p, n->u.ternary.no);
		break;
	case AST_IN:		in(p, n); break;
	case AST_ATOP:		call(p, n->u.atop.op, &n->u.atop.args, "(", ")"); break;
	case AST_EMBED:		g_string_append_printf(p->out, "%%{%s%%}", n->u.embed.text); break;
	default:		g_assert_not_reached();
	}
}

static void block(struct printer *p, const struct ast_node *n)
{
	text(p, "{");
	p->indent++;
	for (unsigned i = 0; i < n->u.list.n; i++) {
		newline(p);
		node(p, n->u.list.at[i]);
	}
	p->indent--;
	newline(p);
	text(p, "}");
}

static void if_(struct printer *p, const struct ast_node *n)
{
	text(p, "if (");
	node(p, n->u.cond.cond);
	text(p, ") ");
	node(p, n->u.cond.yes);
	if (!n->u.cond.no)
		return;
	text(p, " else ");
	node(p, n->u.cond.no);
}

static void loop(struct printer *p, const struct ast_node *n)
{
	text(p, "for (");
	if (n->u.loop.init)
		node(p, n->u.loop.init);
	text(p, "; ");
	if (n->u.loop.cond)
		node(p, n->u.loop.cond);
	text(p, "; ");
	if (n->u.loop.step)
		node(p, n->u.loop.step);
	text(p, ") ");
	node(p, n->u.loop.body);
}

static const char *direction(const struct ast_node *n, int key)
{
	if (n->u.foreach.sort_key != key || n->u.foreach.sort_op)
		return "";
	return n->u.foreach.sort_dir > 0 ? "+" : "-";
}

static void foreach(struct printer *p, const struct ast_node *n)
{
	text(p, "foreach (");
	if (n->u.foreach.value)
		g_string_append_printf(p->out, "%s = ", n->u.foreach.value);
	text(p, "[");
	for (unsigned i = 0; i < n->u.foreach.nkeys; i++)
		g_string_append_printf(p->out, "%s%s%s", i ? ", " : "", n->u.foreach.keys[i].name,
				       direction(n, i + 1));
	text(p, "] in ");
	node(p, n->u.foreach.array);
	if (n->u.foreach.slice.n)
		call(p, "", &n->u.foreach.slice, "[", "]");
	if (n->u.foreach.sort_op)
		g_string_append_printf(p->out, " %s%s", n->u.foreach.sort_op,
				       n->u.foreach.sort_dir > 0 ? "+" : "-");
	else
		text(p, direction(n, -1));
	if (n->u.foreach.limit) {
		text(p, " limit ");
		node(p, n->u.foreach.limit);
	}
	text(p, ") ");
	node(p, n->u.foreach.body);
}

static void try_(struct printer *p, const struct ast_node *n)
{
	text(p, "try ");
	node(p, n->u.try_.body);
	text(p, " catch ");
	if (n->u.try_.name)
		g_string_append_printf(p->out, "(%s) ", n->u.try_.name);
	node(p, n->u.try_.handler);
}

static void word_and(struct printer *p, const char *word, const struct ast_node *operand)
{
	text(p, word);
	if (operand) {
		text(p, " ");
		node(p, operand);
	}
	text(p, ";");
}

static void statement(struct printer *p, const struct ast_node *n)
{
	switch (n->kind) {
	case AST_BLOCK:		block(p, n); break;
	case AST_EMPTY:		text(p, ";"); break;
	case AST_EXPR:		node(p, n->u.expr.expr); text(p, ";"); break;
	case AST_IF:		if_(p, n); break;
	case AST_WHILE:
	case AST_FOR:		loop(p, n); break;
	case AST_FOREACH:	foreach(p, n); break;
	case AST_TRY:		try_(p, n); break;
	case AST_RETURN:	word_and(p, "return", n->u.expr.expr); break;
	case AST_DELETE:	word_and(p, "delete", n->u.expr.expr); break;
	case AST_BREAK:		word_and(p, "break", NULL); break;
	case AST_CONTINUE:	word_and(p, "continue", NULL); break;
	case AST_NEXT:		word_and(p, "next", NULL); break;
	default:		expression(p, n); break;
	}
}

static void literal(struct printer *p, const struct ast_node *n)
{
	if (n->kind == AST_NUMBER)
		g_string_append_printf(p->out, "%" PRId64, n->u.number.value);
	else
		node(p, n);
}

static void global(struct printer *p, const struct ast_node *n)
{
	g_string_append_printf(p->out, "global %s%s", n->u.global.name,
			       n->u.global.wrap ? "%" : n->u.global.drop ? "?" : "");
	if (n->u.global.size)
		g_string_append_printf(p->out, "[%" PRId64 "]", n->u.global.size);
	if (n->u.global.init) {
		text(p, " = ");
		literal(p, n->u.global.init);
	}
}

static void typed(struct printer *p, const char *name, enum ast_type type)
{
	text(p, name);
	if (type != TYPE_UNKNOWN)
		g_string_append_printf(p->out, ":%s", type_word(type));
}

static void function(struct printer *p, const struct ast_node *n)
{
	text(p, "function ");
	typed(p, n->u.function.name, n->u.function.type);
	text(p, " (");
	for (unsigned i = 0; i < n->u.function.nparams; i++) {
		if (i)
			text(p, ", ");
		typed(p, n->u.function.params[i].name, n->u.function.params[i].type);
	}
	text(p, ")");
	if (n->u.function.priority >= 0)
		g_string_append_printf(p->out, " : %" PRId64, n->u.function.priority);
	newline(p);
	node(p, n->u.function.body);
}

static void points(struct printer *p, const struct probe_point *at, unsigned n,
		   const char *separator)
{
	for (unsigned i = 0; i < n; i++) {
		g_autofree char *point = point_string(&at[i]);

		g_string_append_printf(p->out, "%s%s%s", i ? separator : "", point,
				       at[i].optional ? "?" : at[i].sufficient ? "!" : "");
		if (at[i].condition) {
			text(p, " if ");
			paren(p, at[i].condition);
		}
	}
}

static void alias(struct printer *p, const struct ast_node *n)
{
	const char *op = n->u.alias.epilogue ? " += " : " = ";

	text(p, "probe ");
	points(p, n->u.alias.names, n->u.alias.nnames, op);
	text(p, op);
	points(p, n->u.alias.points, n->u.alias.npoints, ", ");
	text(p, " ");
	node(p, n->u.alias.body);
	if (!n->u.alias.epilogue_body)
		return;
	text(p, ", ");
	node(p, n->u.alias.epilogue_body);
}

static void probe(struct printer *p, const struct ast_node *n)
{
	text(p, "probe ");
	points(p, n->u.probe.points, n->u.probe.npoints, ", ");
	text(p, " ");
	node(p, n->u.probe.body);
}

static void node(struct printer *p, const struct ast_node *n)
{
	switch (n->kind) {
	case AST_FILE:
		for (unsigned i = 0; i < n->u.list.n; i++) {
			node(p, n->u.list.at[i]);
			text(p, "\n");
		}
		break;
	case AST_GLOBAL:	global(p, n); break;
	case AST_FUNCTION:	function(p, n); break;
	case AST_PROBE:		probe(p, n); break;
	case AST_ALIAS:		alias(p, n); break;
	default:		statement(p, n); break;
	}
}

char *ast_print(const struct ast_node *n)
{
	struct printer p = { .out = g_string_new(NULL) };

	node(&p, n);
	return g_string_free(p.out, FALSE);
}

/* The name in a node that has one, or NULL for other kinds. */
static const char *subject(const struct ast_node *n)
{
	switch (n->kind) {
	case AST_NAME:		return n->u.name.name;
	case AST_STRING:	return n->u.string.text;
	case AST_INDEX:		return n->u.index.name;
	case AST_CALL:		return n->u.call.name;
	case AST_PRINT:		return n->u.print.name;
	case AST_NAMED:		return n->u.named.name;
	case AST_GLOBAL:	return n->u.global.name;
	case AST_FUNCTION:	return n->u.function.name;
	default:		return NULL;
	}
}

static const char *operator(const struct ast_node *n)
{
	switch (n->kind) {
	case AST_STATOP:	return n->u.statop.op;
	case AST_HIST:		return n->u.hist.linear ? "@hist_linear" : "@hist_log";
	case AST_BUCKET:	return operator(n->u.bucket.hist);
	case AST_UNARY:		return n->u.unary.op;
	case AST_CREMENT:	return n->u.crement.op;
	case AST_BINARY:
	case AST_ASSIGN:	return n->u.binary.op;
	case AST_CONCAT:	return ".";
	case AST_REGEX:		return n->u.regex.op;
	case AST_TERNARY:	return "?";
	case AST_IN:		return "in";
	case AST_ATOP:		return n->u.atop.op;
	default:		return NULL;
	}
}

static char *describe_target(const struct ast_node *n)
{
	switch (n->u.target.form) {
	case TARGET_DOLLAR:	return g_strdup_printf("identifier '%s'", n->u.target.name);
	case TARGET_CAST:	return g_strdup("operator '@cast'");
	case TARGET_VAR:	return g_strdup("operator '@var'");
	case TARGET_AUTOCAST:	break;
	}
	return g_strdup("operator '->'");
}

char *ast_describe(const struct ast_node *n)
{
	const char *word;

	if (n->kind == AST_NUMBER)
		return g_strdup_printf("number '%" PRId64 "'", n->u.number.value);
	if (n->kind == AST_TARGET)
		return describe_target(n);
	if ((word = operator(n)))
		return g_strdup_printf("operator '%s'", word);
	if ((word = subject(n)))
		return g_strdup_printf("%s '%s'", n->kind == AST_STRING ? "string" : "identifier",
				       word);
	return g_strdup(n->kind == AST_EMBED ? "embedded-code" : "keyword");
}
