/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alias.c - replaces probe aliases by the points they stand for.
 *
 *	probe a = kernel.function("x") { P }, { E }	a's prologue and epilogue
 *	probe a += begin { E }				epilogue only
 *	probe a.return { U }	->	probe kernel.function("x").return { P U E }
 *
 * In: PROBE and ALIAS nodes of all files.  Out: the files' PROBE nodes hold
 * plain points; one PROBE may have become several, in order, because each
 * alias brings its own body.  The parts share one handler, so locals and next
 * work across them.  A point that no family has is looked up in the library, whose
 * files are loaded as they are needed.  A name that is not an alias is kept.
 */
#include "translator/passes/alias.h"

#include "translator/families/family.h"
#include "translator/families/wild.h"
#include "translator/passes/pass.h"
#include "translator/program/options.h"
#include "translator/program/program.h"
#include "translator/tapset/tapset.h"
#include "translator/target_var/perf_counter.h"

#include <limits.h>
#include <string.h>

#define DEEPEST 30	/* aliases of aliases; more is a loop */
/* alias expansions of one probe; aliases of the same name double with each level of a loop */
#define MOST 20000

struct aliases {
	struct program *prog;
	GPtrArray *known;	/* struct ast_node of kind ALIAS */
	unsigned files;		/* number of files whose aliases are in known */
	struct ast_list *out;	/* declarations of the current file */
	unsigned depth;
	unsigned made;		/* expansions of the current probe; MOST: stopped */
};

/* ---- matching -------------------------------------------------------------*/

/* Number of the point's components that the alias's name matches; 0: no match. */
static unsigned match_name(const struct probe_point *point, const struct probe_point *name,
			   int whole)
{
	if (whole)
		return point_comps_match(point->comps, point->ncomps, name->comps, name->ncomps)
			       ? point->ncomps
			       : 0;
	if (name->ncomps >= point->ncomps)
		return 0;
	return point_comps_match(point->comps, name->ncomps, name->comps, name->ncomps)
		       ? name->ncomps
		       : 0;
}

static void take_watches(struct aliases *a, struct probe_point *points, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		perf_counter_take(a->prog, &points[i]);
}

static void refuse_parameters(struct aliases *a, const struct ast_node *alias)
{
	for (unsigned i = 0; i < alias->u.alias.nnames; i++)
		for (unsigned k = 0; k < alias->u.alias.names[i].ncomps; k++) {
			const struct point_comp *comp = &alias->u.alias.names[i].comps[k];

			if (comp->arg != POINT_NONE)
				diag(a->prog->ast->diag, &comp->loc, D_ALIAS_PARAMETER, comp->name);
		}
}

/* Adds the aliases of newly loaded files. */
static void learn_aliases(struct aliases *a)
{
	const GPtrArray *files = a->prog->ast->files;

	for (; a->files < files->len; a->files++) {
		const struct ast_node *file = files->pdata[a->files];

		for (unsigned k = 0; k < file->u.list.n; k++)
			if (file->u.list.at[k]->kind == AST_ALIAS) {
				refuse_parameters(a, file->u.list.at[k]);
				take_watches(a, file->u.list.at[k]->u.alias.points,
					     file->u.list.at[k]->u.alias.npoints);
				g_ptr_array_add(a->known, file->u.list.at[k]);
			}
	}
}

struct match {
	struct ast_node *alias;
	const struct probe_point *name;
	unsigned taken;
};

/*
 * By the first of the alias's names that matches most of the point: a wildcard that matches several
 * of them means one probe.
 */
static struct match match_alias(const struct probe_point *point, struct ast_node *alias, int whole)
{
	struct match best = { alias, NULL, 0 };

	for (unsigned i = 0; i < alias->u.alias.nnames; i++) {
		struct match m = { alias, &alias->u.alias.names[i], 0 };

		m.taken = match_name(point, m.name, whole);
		if (m.taken > best.taken)
			best = m;
	}
	return best;
}

/* Aliases whose name matches the whole point, else the longest prefix; the rest are suffixes. */
static GArray *find_aliases(struct aliases *a, const struct probe_point *point)
{
	GArray *found = g_array_new(FALSE, FALSE, sizeof(struct match));

	for (int whole = 1; whole >= 0 && !found->len; whole--)
		for (unsigned i = 0; i < a->known->len; i++) {
			struct match m = match_alias(point, a->known->pdata[i], whole);
			unsigned most = found->len ? g_array_index(found, struct match, 0).taken : 0;

			if (m.taken > most)
				g_array_set_size(found, 0);
			if (m.taken && m.taken >= most)
				g_array_append_val(found, m);
		}
	return found;
}

/* ---- building --------------------------------------------------------------*/

static struct ast_node *and_conditions(struct ast *ast, struct ast_node *a, struct ast_node *b)
{
	struct ast_node *n;

	if (!a || !b)
		return a ? ast_copy(ast, a) : b ? ast_copy(ast, b) : NULL;
	n = ast_node_new(ast, AST_BINARY, b->loc);
	n->mark = b->mark;
	n->u.binary.op = g_intern_string("&&");
	n->u.binary.left = ast_copy(ast, a);
	n->u.binary.right = ast_copy(ast, b);
	return n;
}

/*
 * The point as a script would write it: the alias's own name, even if a wildcard matched it, and
 * the suffixes.
 */
static const char *written(struct ast *ast, const struct probe_point *name,
			   const struct probe_point *user, unsigned taken)
{
	char *text = point_string(name), *all;

	for (; taken < user->ncomps; taken++) {
		struct probe_point suffix = { .comps = &user->comps[taken], .ncomps = 1 };
		char *more = point_string(&suffix);

		all = g_strconcat(text, ".", more, NULL);
		g_free(text);
		g_free(more);
		text = all;
	}
	all = ast_strdup(ast, text);
	g_free(text);
	return all;
}

/* A point that an alias stands for, with the suffixes and ?, ! of the point that uses the alias. */
static struct probe_point underlying(struct aliases *a, const struct probe_point *under,
				     const struct probe_point *user, const struct match *m, const struct expansion *via)
{
	struct ast *ast = a->prog->ast;
	struct probe_point p = *under;
	unsigned extra = user->ncomps - m->taken;

	p.ncomps = under->ncomps + extra;
	p.comps = ast_alloc(ast, p.ncomps * sizeof(*p.comps));
	memcpy(p.comps, under->comps, under->ncomps * sizeof(*p.comps));
	for (unsigned i = 0; i < under->ncomps; i++) {
		ast_expand_loc(ast, &p.comps[i].loc, via);
		ast_expand_loc(ast, &p.comps[i].arg_loc, via);
	}
	memcpy(p.comps + under->ncomps, user->comps + m->taken, extra * sizeof(*p.comps));
	p.part = !p.optional && !p.sufficient && (user->part || !user->written);
	p.optional |= user->optional || user->sufficient;
	p.condition = and_conditions(ast, user->condition, under->condition);
	p.named = user->named;
	p.loc = user->loc;
	perf_counter_join(a->prog, &p, user);
	p.written = user->written ? user->written : written(ast, m->name, user, m->taken);
	return p;
}

/* Locals belong to the whole handler, so the parts need no braces of their own. */
static void append_copy(struct ast *ast, struct ast_node *block, const struct ast_node *body,
			const struct expansion *via)
{
	struct ast_node *copy;

	if (!body)
		return;
	copy = ast_copy(ast, body);
	if (via)
		ast_mark_expanded(ast, copy, via);
	for (unsigned i = 0; i < copy->u.list.n; i++)
		ast_append(ast, &block->u.list, copy->u.list.at[i]);
}

static struct ast_node *join_bodies(struct ast *ast, const struct ast_node *alias,
				    const struct ast_node *user, const struct expansion *via)
{
	struct ast_node *block = ast_node_new(ast, AST_BLOCK, user->loc);

	block->mark = user->mark;
	if (!alias->u.alias.epilogue)
		append_copy(ast, block, alias->u.alias.body, via);
	append_copy(ast, block, user, NULL);
	append_copy(ast, block,
		    alias->u.alias.epilogue ? alias->u.alias.body : alias->u.alias.epilogue_body,
		    via);
	return block;
}

static struct ast_node *new_probe(struct ast *ast, const struct ast_node *like,
				  struct ast_node *body, unsigned npoints)
{
	struct ast_node *probe = ast_node_new(ast, AST_PROBE, like->loc);

	probe->mark = like->mark;
	probe->u.probe.points = ast_alloc(ast, npoints * sizeof(struct probe_point));
	probe->u.probe.body = body;
	return probe;
}

static void expand_probe(struct aliases *a, struct ast_node *probe);

static void expand_match(struct aliases *a, struct ast_node *probe, const struct probe_point *point,
			 const struct match *m, struct probe_turn *turn)
{
	struct ast *ast = a->prog->ast;
	struct ast_node *alias = m->alias, *now;
	struct expansion *via = ast_alloc(ast, sizeof(*via));

	via->what = "alias";
	via->at = loc_join(point->comps[0].loc, point->comps[m->taken - 1].loc);
	now = new_probe(ast, probe, join_bodies(ast, alias, probe->u.probe.body, via),
			alias->u.alias.npoints);
	for (unsigned i = 0; i < alias->u.alias.npoints; i++)
		now->u.probe.points[now->u.probe.npoints++] =
			underlying(a, &alias->u.alias.points[i], point, m, via);
	now->u.probe.turn = turn;
	a->depth++;
	a->made++;
	expand_probe(a, now);
	a->depth--;
}

/* Adjacent plain points stay in one node, so that '!' among them keeps its meaning. */
static void flush_plain(struct aliases *a, struct ast_node **plain)
{
	if (*plain)
		ast_append(a->prog->ast, a->out, *plain);
	*plain = NULL;
}

/* A family's own point, without wildcards: no library lookup. */
static int is_plain(const struct probe_point *point)
{
	const struct family *family;
	unsigned matched;

	return !point_has_wildcard(point) && family_match(point, &family, &matched);
}

/* The script's aliases, else the library's; a wildcard stands for both. */
static GArray *look_up(struct aliases *a, const struct probe_point *point)
{
	GArray *found = find_aliases(a, point);

	if ((!found->len || point_has_wildcard(point)) && !is_plain(point) &&
	    library_aliases(a->prog, point)) {
		g_array_unref(found);
		learn_aliases(a);
		found = find_aliases(a, point);
	}
	return found;
}

/* NULL: no '!' in the list, all points are used. */
static struct probe_list *list_new(struct ast *ast, const struct ast_node *probe)
{
	struct probe_list *list = NULL;

	for (unsigned i = 0; i < probe->u.probe.npoints && !list; i++)
		if (probe->u.probe.points[i].sufficient)
			list = ast_alloc(ast, sizeof(*list));
	if (list)
		list->end = UINT_MAX;
	return list;
}

static struct probe_turn *turn_new(struct ast *ast, const struct ast_node *probe,
				   struct probe_list *list, unsigned place, int alias)
{
	struct probe_turn *turn;

	if (!list)
		return probe->u.probe.turn;
	turn = ast_alloc(ast, sizeof(*turn));
	turn->list = list;
	turn->place = place;
	turn->sufficient = alias && probe->u.probe.points[place].sufficient;
	turn->outer = probe->u.probe.turn;
	return turn;
}

/* Marks the outermost point only: the probes of nested aliases count for it. */
static void name(struct ast *ast, struct probe_point *point)
{
	if (point->named)
		return;
	point->named = ast_alloc(ast, sizeof(*point->named));
	point->named->optional = point->optional || point->sufficient;
}

static void expand_probe(struct aliases *a, struct ast_node *probe)
{
	struct ast *ast = a->prog->ast;
	struct probe_list *list = list_new(ast, probe);
	struct ast_node *plain = NULL;

	for (unsigned i = 0; i < probe->u.probe.npoints; i++) {
		struct probe_point *point = &probe->u.probe.points[i];
		GArray *found = look_up(a, point);

		if (found->len && (a->depth >= DEEPEST || a->made >= MOST)) {
			diag(a->prog->ast->diag, &point->loc, D_ALIAS_LOOP, point->written);
			a->made = MOST;
		} else if (found->len) {
			name(ast, point);
			flush_plain(a, &plain);
			/*
			 * Some of a wildcard's matches may be for another machine; a list names
			 * each of them, as a script that has no other would.
			 */
			point->optional |= found->len > 1 && point_has_wildcard(point) &&
					   !a->prog->opt->list_pattern;
			for (unsigned k = 0; k < found->len; k++)
				expand_match(a, probe, point,
					     &g_array_index(found, struct match, k),
					     turn_new(ast, probe, list, i, 1));
		}
		if (!found->len || family_wild(ast, point, NULL)) {
			if (!plain) {
				plain = new_probe(ast, probe, probe->u.probe.body,
						  probe->u.probe.npoints);
				plain->u.probe.turn = turn_new(ast, probe, list, i, 0);
			}
			plain->u.probe.points[plain->u.probe.npoints] = *point;
			plain->u.probe.points[plain->u.probe.npoints++].optional |= found->len != 0;
		}
		g_array_unref(found);
	}
	flush_plain(a, &plain);
}

static void expand_file(struct aliases *a, struct ast_node *file)
{
	struct ast_list before = file->u.list;

	file->u.list = (struct ast_list){ NULL };
	a->out = &file->u.list;
	for (unsigned i = 0; i < before.n; i++) {
		a->made = 0;
		if (before.at[i]->kind == AST_PROBE) {
			take_watches(a, before.at[i]->u.probe.points,
				     before.at[i]->u.probe.npoints);
			expand_probe(a, before.at[i]);
		} else {
			ast_append(a->prog->ast, a->out, before.at[i]);
		}
	}
}

void alias_file(struct program *prog, struct ast_node *file)
{
	struct aliases a = { .prog = prog, .known = g_ptr_array_new() };

	learn_aliases(&a);
	expand_file(&a, file);
	g_ptr_array_unref(a.known);
}

void pass_alias(struct program *prog)
{
	struct aliases a = { .prog = prog, .known = g_ptr_array_new() };

	learn_aliases(&a);
	for (unsigned i = 0; i < prog->ast->files->len; i++)	/* files are added during the
								 * loop */
		expand_file(&a, prog->ast->files->pdata[i]);
	g_ptr_array_unref(a.known);
}
