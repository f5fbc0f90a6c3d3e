/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regex.c - tables for the regular expressions of =~ and !~.
 *
 * Each pattern gets the automaton that finds it. If the script uses matched(), it also gets the
 * automata that locate a match: where it can start, how long it can be, and a plan that follows the
 * pattern down to its groups (rt.h, struct rt_regex).
 */
#include "translator/emit/regex.h"

#include "lib/escape.h"
#include "parser/ast_walk.h"
#include "translator/emit/emit.h"
#include "translator/emit/expr.h"
#include "translator/emit/out.h"
#include "translator/regex/dfa.h"
#include "translator/regex/parse.h"
#include "translator/regex/regex.h"

#include <string.h>

struct plan {
	struct emitter	*e;
	GPtrArray	*pool;
	unsigned	id;		/* of the pattern */
	unsigned	parts;		/* number of parts so far */
	GString		*rows;
};

static void write_numbers(GString *out, const void *at, size_t width, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		g_string_append_printf(out, "%s%u",
				       i % 32 ? ", "
				       : i ? ",\n\t\t"
				       : "\n\t\t",
				       width == 2 ? ((const guint16 *)at)[i]
						  : ((const guint8 *)at)[i]);
}

/* Writes a table named regexN_what; frees the automaton. */
static void write_dfa(struct emitter *e, unsigned id, const char *what, struct dfa *d)
{
	g_assert(d);		/* pass check has built each of them */
	g_string_append_printf(
		e->out,
		"static const struct rt_dfa regex%u_%s = {\n\t.nclasses = %u,\n\t.classes = (const u8[]){",
		id, what, d->nclasses);
	write_numbers(e->out, d->classes, 1, REGEX_SYMBOLS);
	g_string_append(e->out, "\n\t},\n\t.next = (const u16[]){");
	write_numbers(e->out, d->next->data, 2, d->next->len);
	g_string_append(e->out, "\n\t},\n\t.accepts = (const u8[]){");
	write_numbers(e->out, d->accepts->data, 1, d->accepts->len);
	g_string_append(e->out, "\n\t},\n};\n");
	dfa_free(d);
}

static const char *part_dfa(struct plan *p, unsigned part, const char *which, const struct regex *r,
			    int backwards)
{
	char *what = g_strdup_printf("part%u_%s", part, which);
	const char *name = emit_text(p->e, "&regex%u_%s", p->id, what);

	write_dfa(p->e, p->id, what, dfa_new(r, backwards));
	g_free(what);
	return name;
}

/* Writes and numbers the parts below r, children first; returns r's number, -1: r has no group. */
static int write_part(struct plan *p, const struct regex *r)
{
	static const char *const kinds[] = {
		[REGEX_CAT] = "RT_REGEX_CAT",
		[REGEX_ALT] = "RT_REGEX_ALT",
		[REGEX_STAR] = "RT_REGEX_STAR",
		[REGEX_GROUP] = "RT_REGEX_GROUP",
	};
	const char *first = "0", *rest = "0";
	int left, right, part;

	if (!r || !r->has_groups)
		return -1;
	left = write_part(p, r->left);
	right = write_part(p, r->right);
	part = p->parts++;
	if (r->kind != REGEX_GROUP)
		first = part_dfa(p, part, "first", r->left, 0);
	if (r->kind == REGEX_CAT)
		rest = part_dfa(p, part, "rest", r->right, 1);
	else if (r->kind == REGEX_STAR)
		rest = part_dfa(p, part, "rest", r, 1);
	g_string_append_printf(p->rows, "\t{ %s, %u, %d, %d, %s, %s },\n", kinds[r->kind], r->group,
			       left, right, first, rest);
	return part;
}

static unsigned count_groups(const struct regex *r)
{
	unsigned left, right;

	if (!r)
		return 0;
	left = count_groups(r->left);
	right = count_groups(r->right);
	return MAX(r->kind == REGEX_GROUP ? r->group : 0, MAX(left, right));
}

static void write_plan(struct emitter *e, unsigned id, struct regex *r, GPtrArray *pool)
{
	struct plan p = { e, pool, id, 0, g_string_new(NULL) };
	int root;

	write_dfa(e, id, "start", dfa_new(regex_node(pool, REGEX_CAT, r, regex_anything(pool)), 1));
	write_dfa(e, id, "whole", dfa_new(r, 0));
	root = write_part(&p, r);
	if (root >= 0)
		g_string_append_printf(
			e->out, "static const struct rt_regex_part regex%u_parts[] = {\n%s};\n", id,
			p.rows->str);
	g_string_append_printf(
		e->out,
		"static const struct rt_regex regex%u = {\n\t.start = &regex%u_start, .whole = &regex%u_whole, "
		".groups = %u, .root = %d",
		id, id, id, count_groups(r), root);
	if (root >= 0)
		g_string_append_printf(e->out, ", .parts = regex%u_parts", id);
	g_string_append(e->out, ",\n};\n");
	g_string_free(p.rows, TRUE);
}

static void write_regex(struct emitter *e, const char *pattern, unsigned id)
{
	char *plain = escape_resolve(pattern), *comment = g_strdup(pattern);
	GPtrArray *pool = regex_pool_new();
	const char *error;
	unsigned at;
	struct regex *r = regex_parse(plain, pool, &error, &at);

	g_assert(r);		/* pass check has parsed it */
	for (char *end = comment; (end = strstr(end, "*/")); )
		end[1] = ' ';
	g_string_append_printf(e->out, "\n/* =~ \"%s\" */\n", comment);
	if (e->keeps_matches)
		write_plan(e, id, r, pool);
	else
		write_dfa(e, id, "find",
			  dfa_new(regex_node(pool, REGEX_CAT, regex_anything(pool), r), 0));
	regex_pool_free(pool);
	g_free(comment);
	g_free(plain);
}

static int visit(struct ast_node **slot, void *data)
{
	struct emitter *e = data;
	struct ast_node *n = *slot;

	if (n->kind == AST_CALL && n->u.call.builtin && n->u.call.builtin->kind == KIND_MATCH)
		e->keeps_matches = 1;
	if (n->kind == AST_REGEX && !g_hash_table_contains(e->regexes, n->u.regex.pattern))
		g_hash_table_insert(e->regexes, (char *)n->u.regex.pattern,
				    GUINT_TO_POINTER(g_hash_table_size(e->regexes) + 1));
	return 1;
}

void emit_regexes(struct emitter *e)
{
	const char **patterns;
	GHashTableIter iter;
	gpointer pattern, id;

	for (unsigned i = 0; i < e->prog->functions->len; i++)
		ast_walk(&((struct function *)e->prog->functions->pdata[i])->node->u.function.body,
			 visit, e);
	for (unsigned i = 0; i < e->prog->probes->len; i++)
		ast_walk(&((struct probe *)e->prog->probes->pdata[i])->body, visit, e);
	patterns = g_new0(const char *, g_hash_table_size(e->regexes) + 1);
	g_hash_table_iter_init(&iter, e->regexes);
	while (g_hash_table_iter_next(&iter, &pattern, &id))
		patterns[GPOINTER_TO_UINT(id) - 1] = pattern;
	for (unsigned i = 0; patterns[i]; i++)
		write_regex(e, patterns[i], i + 1);
	g_free(patterns);
}

const char *emit_regex(struct emitter *e, struct ast_node *node)
{
	unsigned id = GPOINTER_TO_UINT(g_hash_table_lookup(e->regexes, node->u.regex.pattern));
	const char *text = emit_expr(e, node->u.regex.left), *found;
	int negated = *node->u.regex.op == '!';

	if (!e->keeps_matches)
		return emit_text(e, "%srt_match(&regex%u_find, %s)", negated ? "!" : "", id, text);
	found = emit_temp(e, "s64 ", "found");
	emit_line(e, "%s = %srt_match_keep(c, &regex%u, %s);", found, negated ? "!" : "", id, text);
	emit_check(e, node);
	return found;
}
