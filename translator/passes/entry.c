/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * entry.c - @entry(e) in a .return probe that is no function's: a probe at the entry stores the
 * value, by thread.
 *
 *	probe P.return { ... @entry(e) ... }
 *
 * becomes, for each different e, with unique names,
 *
 *	global saved%
 *	probe P { saved[tid()] = e }
 *	probe P.return { if (!([tid()] in saved)) next  value = saved[tid()] ... value ... }
 *
 * so the handler does not run for a call that began before the probes, as that of a function's
 * return. P.return is process.syscall.return, or a tracepoint with a partner: sys_exit_read and
 * sys_enter_read (of which the aliases of system calls are made in the user runtime), or
 * softirq_exit and softirq_entry. The latter kind may be nested, and idle tasks share an id: values
 * are stored by depth, and by CPU.
 *
 * Every @entry of a function probe is kept: the runtime stores values. Outside .return probes
 * @entry is also kept, for pass context to report.
 */
#include "translator/passes/entry.h"

#include "parser/ast_print.h"
#include "parser/ast_walk.h"
#include "parser/parse.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/passes/pass.h"
#include "translator/program/options.h"

#include <string.h>

/* N: the number of the expression. The parts of this text are added to the file. */
static const char call_pattern[] =
	"probe begin { __saved_N[tid()] = 0 }\n"
	"probe begin {\n"
	"	if (!([tid()] in __saved_N)) next\n"
	"	__value_N = __saved_N[tid()]\n"
	"	delete __saved_N[tid()]\n"
	"}\n"
	"probe begin { __value_N }\n"
	"global __saved_N%\n";

#define TASK "(tid() ? tid() : -1 - cpu())"	/* of the nested ones */

static const char nested_pattern[] =
	"probe begin { __saved_N[" TASK ", ++__depth_N[" TASK "]] = 0 }\n"
	"probe begin {\n"
	"	__level_N = __depth_N[" TASK "]\n"
	"	if (!([" TASK ", __level_N] in __saved_N)) next\n"
	"	__value_N = __saved_N[" TASK ", __level_N]\n"
	"	delete __saved_N[" TASK ", __level_N]\n"
	"	if (--__depth_N[" TASK "] < 1) delete __depth_N[" TASK "]\n"
	"}\n"
	"probe begin { __value_N }\n"
	"global __saved_N%, __depth_N%\n";

enum { KEEP, FETCH, VALUE, GLOBALS };	/* its declarations, in order */

struct rewrite {
	struct program	*prog;
	struct ast_node	*file, *probe;
	const char	*pattern;
	GPtrArray	*texts;		/* of the expressions in this probe */
	GPtrArray	*templates;	/* the AST_FILE made for each */
};

/*
 * For functions, of the kernel and of programs, the runtimes store values themselves
 * (entry_value.h).
 */
static int is_saved_by_runtime(const struct probe_point *point)
{
	static const char *const first[] = { "kernel", "module", "kprobe" };

	for (unsigned i = 0; i < G_N_ELEMENTS(first); i++)
		if (!strcmp(point->comps[0].name, first[i]))
			return 1;
	return !strcmp(point->comps[0].name, "process") &&
	       strcmp(point->comps[point->ncomps > 2 ? point->ncomps - 2 : 0].name, "syscall");
}

static int exists(struct program *prog, const char *event)
{
	g_autoptr(GArray) found = prog->info ? debuginfo_tracepoints(prog->info, event, NULL) : NULL;

	return found && found->len;
}

/* "exit" as a whole word of an event's name, the last one; NULL: none. */
static const char *find_exit(const char *event)
{
	const char *found = NULL, *p = event;

	for (; (p = strstr(p, "exit")); p++)
		if ((p == event || strchr("_:", p[-1])) && (!p[4] || p[4] == '_'))
			found = p;
	return found;
}

/* The event at the beginning of what ends with an event, as written; NULL: none. */
static const char *partner(struct program *prog, const char *event)
{
	const char *colon = strchr(event, ':'), *name = colon ? colon + 1 : event,
		   *exit = find_exit(name);
	int syscall = g_str_has_prefix(name, "sys_exit");

	if (!syscall && strpbrk(event, "*?["))	/* each has its own partner, and depth */
		return NULL;
	for (int i = 0; exit && i < 2; i++) {
		const char *other = ast_printf(prog->ast, "%.*s%s%s", (int)(exit - event), event,
					       i ? "entry" : "enter", exit + strlen("exit"));

		if (syscall || exists(prog, other + (name - event)))
			return other;
	}
	return NULL;
}

static const struct point_comp *tracepoint_of(const struct probe_point *point)
{
	const struct point_comp *last = &point->comps[point->ncomps - 1];

	return last->arg == POINT_STRING &&
			       (!strcmp(last->name, "trace") || !strcmp(last->name, "tracepoint"))
		       ? last
		       : NULL;
}

/* Number of the point's components before .return[.maxactive(N)]; 0: it has none. */
static unsigned before_return(const struct probe_point *point)
{
	unsigned last = point->ncomps - 1;

	if (last && !strcmp(point->comps[last].name, "maxactive"))
		last--;
	return strcmp(point->comps[last].name, "return") ? 0 : last;
}

/* The pattern for a probe all of whose points are ends; NULL: they are not. */
static const char *pattern_for(struct program *prog, const struct ast_node *probe)
{
	const char *pattern = call_pattern;

	for (unsigned i = 0; i < probe->u.probe.npoints; i++) {
		const struct probe_point *point = &probe->u.probe.points[i];
		const struct point_comp *event = tracepoint_of(point);

		if (event ? !partner(prog, event->string)
			  : is_saved_by_runtime(point) || !before_return(point))
			return NULL;
		if (event && !strstr(event->string, "sys_exit")) {
			if (point->condition)		/* would lose count of the depth */
				return NULL;
			pattern = nested_pattern;
		}
	}
	return pattern;
}

static struct ast_node *template_new(struct program *prog, const char *pattern)
{
	static const struct parse_env env = { .is_tapset = 1 };
	char *number = g_strdup_printf("%u", ++prog->entries),
	     **parts = g_strsplit(pattern, "N", -1);
	g_autofree char *text = g_strjoinv(number, parts);
	struct ast_node *file =
		ast_parse(prog->ast, source_new("<@entry>", text, strlen(text)), &env);

	/* its parts go elsewhere */
	g_ptr_array_remove_index(prog->ast->files, prog->ast->files->len - 1);
	g_free(number);
	g_strfreev(parts);
	return file;
}

static struct ast_node *first_statement(struct ast_node *probe)
{
	return probe->u.probe.body->u.list.at[0]->u.expr.expr;
}

/* kernel.trace("sys_exit") to kernel.trace("sys_enter"). */
static void set_partner(struct program *prog, struct probe_point *point)
{
	struct point_comp *comps = ast_alloc(prog->ast, point->ncomps * sizeof(*comps));

	memcpy(comps, point->comps, point->ncomps * sizeof(*comps));
	comps[point->ncomps - 1].string = partner(prog, comps[point->ncomps - 1].string);
	point->comps = comps;
}

/* The points of the return probe without .return, or their partners. */
static void set_points(struct program *prog, struct ast_node *keep, const struct ast_node *probe)
{
	struct ast *ast = prog->ast;
	unsigned n = probe->u.probe.npoints;
	struct probe_point *points = ast_alloc(ast, n * sizeof(*points));

	memcpy(points, probe->u.probe.points, n * sizeof(*points));
	for (unsigned i = 0; i < n; i++) {
		if (tracepoint_of(&points[i]))
			set_partner(prog, &points[i]);
		else
			points[i].ncomps = before_return(&points[i]);
		points[i].condition = NULL;
	}
	keep->u.probe.points = points;
	keep->u.probe.npoints = n;
	keep->u.probe.turn = probe->u.probe.turn;
	keep->u.probe.keeps = 1;
	keep->loc = probe->loc;
	keep->mark = probe->mark;
}

/* The replacement of one expression; made on first use. */
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
	g_ptr_array_add(r->templates, template_new(r->prog, r->pattern));
	made = &((struct ast_node *)g_ptr_array_index(r->templates, r->templates->len - 1))->u.list;
	first_statement(made->at[KEEP])->u.binary.right = ast_copy(ast, expression);
	set_points(r->prog, made->at[KEEP], r->probe);
	for (unsigned i = GLOBALS; i < made->n; i++) {
		made->at[i]->u.global.hidden = 1;
		ast_append(ast, &r->file->u.list, made->at[i]);
	}
	ast_append(ast, &r->file->u.list, made->at[KEEP]);
	return g_ptr_array_index(r->templates, r->templates->len - 1);
}

static int visit(struct ast_node **slot, void *data)
{
	struct rewrite *r = data;
	const struct ast_node *n = *slot, *arg = n->kind == AST_ATOP && n->u.atop.args.n == 1
							 ? n->u.atop.args.at[0]
							 : NULL;
	struct ast_node *value;

	if (!arg || strcmp(n->u.atop.op, "@entry"))
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

		if (r.probe->kind != AST_PROBE)
			continue;
		r.pattern = pattern_for(prog, r.probe);
		if (!r.pattern)
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
