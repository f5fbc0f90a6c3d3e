/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * entry.c - @entry(e) at the return of a system call: a probe at its entry keeps the value, by
 * thread. A return whose entry was not seen is no hit: the call began before the run, or in the
 * thread that started this one.
 *
 *	probe S.return { ... @entry(e) ... }
 *
 * becomes, for each distinct e, with its own names,
 *
 *	global saved%
 *	probe S { saved[tid()] = e }
 *	probe S.return { if (!(tid() in saved)) next; value = saved[tid()] ... value ... }
 *
 * S is process.syscall, or the tracepoint "sys_enter" or "syscalls:sys_enter_NAME"; its return is
 * "sys_exit". A plain @entry($x) stays, because the runtime keeps arguments; so does every @entry of a probe on
 * a function. Outside of .return probes @entry stays too, for pass context to report.
 */
#include "translator/passes/entry.h"

#include "parser/ast_print.h"
#include "parser/ast_walk.h"
#include "parser/parse.h"
#include "translator/passes/pass.h"
#include "translator/program/options.h"
#include "translator/program/program.h"

#include <string.h>

/* N: the expression's number. The template's parts replace code of the file or are added to it. */
static const char pattern[] =
	"global __saved_N%\n"
	"probe begin { __saved_N[tid()] = 0 }\n"
	"probe begin {\n"
	"	if (!([tid()] in __saved_N)) next\n"
	"	__value_N = __saved_N[tid()]\n"
	"	delete __saved_N[tid()]\n"
	"}\n"
	"probe begin { __value_N }\n";

enum { SAVED, KEEP, FETCH, VALUE };	/* its declarations, in order */

struct rewrite {
	struct program	*prog;
	struct ast_node	*file, *probe;
	GPtrArray	*texts;		/* of the expressions met in this probe */
	GPtrArray	*templates;	/* the code made for each: AST_FILE */
};

/*
 * True for probes on functions, of the kernel or of programs: the runtimes keep their values
 * themselves (entry_value.h).
 */
static int is_kept_by_runtime(const struct probe_point *point)
{
	static const char *const first[] = { "kernel", "module", "kprobe" };

	for (unsigned i = 0; i < G_N_ELEMENTS(first); i++)
		if (!strcmp(point->comps[0].name, first[i]))
			return 1;
	return !strcmp(point->comps[0].name, "process") &&
	       strcmp(point->comps[point->ncomps > 2 ? point->ncomps - 2 : 0].name, "syscall");
}

/* "sys_exit" or "SYSTEM:sys_exit_NAME" of kernel.trace(); NULL: another point. */
static const char *exit_event(const struct probe_point *point)
{
	const char *name;

	if (point->ncomps != 2 || strcmp(point->comps[0].name, "kernel") ||
	    strcmp(point->comps[1].name, "trace") || point->comps[1].arg != POINT_STRING)
		return NULL;
	name = strchr(point->comps[1].string, ':');
	name = name ? name + 1 : point->comps[1].string;
	return g_str_has_prefix(name, "sys_exit") && (!name[8] || name[8] == '_') ? name : NULL;
}

static int is_return(const struct ast_node *probe)
{
	for (unsigned i = 0; i < probe->u.probe.npoints; i++) {
		const struct probe_point *point = &probe->u.probe.points[i];
		unsigned last = point->ncomps - 1;

		if (exit_event(point))
			continue;
		if (last && !strcmp(point->comps[last].name, "maxactive"))
			last--;
		if (strcmp(point->comps[last].name, "return") || is_kept_by_runtime(point))
			return 0;
	}
	return 1;
}

static struct ast_node *template_new(struct program *prog)
{
	static const struct parse_env env = { .is_tapset = 1 };
	char *number = g_strdup_printf("%u", ++prog->entries),
	     **parts = g_strsplit(pattern, "N", -1);
	char *text = g_strjoinv(number, parts);
	struct ast_node *file =
		ast_parse(prog->ast, source_new("<@entry>", text, strlen(text)), &env);

	/* its parts are moved to other files */
	g_ptr_array_remove_index(prog->ast->files, prog->ast->files->len - 1);
	g_free(text);
	g_free(number);
	g_strfreev(parts);
	return file;
}

static struct ast_node *first_statement(struct ast_node *probe)
{
	return probe->u.probe.body->u.list.at[0]->u.expr.expr;
}

static void set_enter(struct ast *ast, struct probe_point *point)
{
	struct point_comp *comps = ast_alloc(ast, point->ncomps * sizeof(*comps));
	const char *event = exit_event(point), *text = point->comps[1].string;

	memcpy(comps, point->comps, point->ncomps * sizeof(*comps));
	comps[1].string = ast_printf(ast, "%.*ssys_enter%s", (int)(event - text), text,
				     event + strlen("sys_exit"));
	point->comps = comps;
}

/* Sets the return probe's points: those of the entry. */
static void set_points(struct ast *ast, struct ast_node *keep, const struct ast_node *probe)
{
	unsigned n = probe->u.probe.npoints;
	struct probe_point *points = ast_alloc(ast, n * sizeof(*points));

	memcpy(points, probe->u.probe.points, n * sizeof(*points));
	for (unsigned i = 0; i < n; i++) {
		points[i].condition = NULL;
		if (exit_event(&points[i])) {
			set_enter(ast, &points[i]);
			continue;
		}
		while (strcmp(points[i].comps[points[i].ncomps - 1].name, "return"))
			points[i].ncomps--;
		points[i].ncomps--;
	}
	keep->u.probe.points = points;
	keep->u.probe.npoints = n;
	keep->u.probe.turn = probe->u.probe.turn;
	keep->loc = probe->loc;
	keep->mark = probe->mark;
}

/* The template for an expression; made at its first use. */
static struct ast_node *template_of(struct rewrite *r, const struct ast_node *expression)
{
	struct ast *ast = r->prog->ast;
	char *text = ast_print(expression);
	struct ast_list *made;
	guint known;

	if (g_ptr_array_find_with_equal_func(r->texts, text, g_str_equal, &known)) {
		g_free(text);
		return g_ptr_array_index(r->templates, known);
	}
	g_ptr_array_add(r->texts, text);
	g_ptr_array_add(r->templates, template_new(r->prog));
	made = &((struct ast_node *)g_ptr_array_index(r->templates, r->templates->len - 1))->u.list;
	made->at[SAVED]->u.global.hidden = 1;
	first_statement(made->at[KEEP])->u.binary.right = ast_copy(ast, expression);
	set_points(ast, made->at[KEEP], r->probe);
	for (unsigned i = SAVED; i <= KEEP; i++)
		ast_append(ast, &r->file->u.list, made->at[i]);
	return g_ptr_array_index(r->templates, r->templates->len - 1);
}

static int visit(struct ast_node **slot, void *data)
{
	struct rewrite *r = data;
	const struct ast_node *n = *slot, *arg = n->kind == AST_ATOP && n->u.atop.args.n == 1
							 ? n->u.atop.args.at[0]
							 : NULL;
	struct ast_node *value;

	if (!arg || strcmp(n->u.atop.op, "@entry") ||
	    (arg->kind == AST_TARGET && arg->u.target.form == TARGET_DOLLAR &&
	     !arg->u.target.nsuffixes))
		return 1;
	value = ast_copy(r->prog->ast, first_statement(template_of(r, arg)->u.list.at[VALUE]));
	value->loc = n->loc;
	value->mark = n->mark;
	*slot = value;
	return 0;
}

/* Puts the code that fetches the values in front of the body. */
static void add_prologue(struct rewrite *r)
{
	struct ast *ast = r->prog->ast;
	struct ast_node *body = ast_node_new(ast, AST_BLOCK, r->probe->u.probe.body->loc);

	for (unsigned i = 0; i < r->templates->len; i++) {
		const struct ast_node *fetch =
			((struct ast_node *)g_ptr_array_index(r->templates, i))->u.list.at[FETCH];

		for (unsigned k = 0; k < fetch->u.probe.body->u.list.n; k++)
			ast_append(ast, &body->u.list, fetch->u.probe.body->u.list.at[k]);
	}
	ast_append(ast, &body->u.list, r->probe->u.probe.body);
	r->probe->u.probe.body = body;
}

void entry_file(struct program *prog, struct ast_node *file)
{
	unsigned n = file->u.list.n;

	for (unsigned i = 0; i < n; i++) {
		struct rewrite r = { .prog = prog, .file = file, .probe = file->u.list.at[i] };

		if (r.probe->kind != AST_PROBE || !is_return(r.probe))
			continue;
		r.texts = g_ptr_array_new_with_free_func(g_free);
		r.templates = g_ptr_array_new();
		ast_walk(&r.probe->u.probe.body, visit, &r);
		if (r.templates->len)
			add_prologue(&r);
		g_ptr_array_unref(r.texts);
		g_ptr_array_unref(r.templates);
	}
}

void pass_entry(struct program *prog)
{
	for (unsigned i = 0; i < prog->ast->files->len; i++)
		entry_file(prog, prog->ast->files->pdata[i]);
}
