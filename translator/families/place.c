/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *   kernel.function("pat@file")  .function("pat@file:line")  .function("pat").inline  .function("pat").label("pat")
 *   kernel.statement("pat@file:lines")  ("pat@file+offset")  .nearest		lines: 12  12-15  3,7-9  *
 *   kernel.function("pat").callee("pat")  .callees  .callees(DEPTH)	its callees, called from it
 *   module("m")....							the same
 *   kernel.statement(ADDRESS).absolute  kprobe.statement(ADDRESS).absolute	an instruction, with -g
 *   kernel.function(ADDRESS)						the function around it
 *
 * The first lines need the DWARF of the kernel or module, and have the variables in scope there.
 * Every place is a function's symbol and an offset, resolved when the module is loaded, so that no
 * address of this boot is compiled in.
 */
#include "translator/families/place.h"

#include "translator/debuginfo/debuginfo.h"
#include "translator/debuginfo/dwarf.h"
#include "translator/debuginfo/dwarf_call.h"
#include "translator/debuginfo/dwarf_function.h"
#include "translator/debuginfo/dwarf_symbol.h"
#include "translator/debuginfo/files.h"
#include "translator/families/shared.h"
#include "translator/program/program.h"

#include <string.h>

#define CALLEES_DEEPEST	16	/* stack frames to compare; MAXBACKTRACE is 20 */

/* ---- addresses --------------------------------------------------------------------*/

static void resolve_address(struct family_call *call, enum place_kind kind)
{
	const struct point_comp *comp = &call->point->comps[1];
	struct rt_function *row = call->alloc(call, sizeof(*row));
	struct debuginfo_function f;
	char *point = point_string(call->point);
	struct family_probe probe = { .point = point, .phase = RT_RUNNING, .row = row };

	if (kind == PLACE_ABSOLUTE && !call->guru) {
		diag(call->diag, &comp->arg_loc, D_POINT_VALUE,
		     "an absolute address may be inside an instruction: it needs -g");
	} else if (!debuginfo_function_at(call->info, (guint64)comp->number, &f)) {
		diag(call->diag, &comp->arg_loc, D_POINT_VALUE,
		     "no function of the kernel is at this address (see /proc/kallsyms)");
	} else {
		row->function = family_keep(call, f.name);
		row->module = family_keep(call, f.module);
		row->offset = kind == PLACE_ABSOLUTE ? (u32)((guint64)comp->number - f.address) : 0;
		row->optional = call->point->optional || call->point->sufficient;
		probe.function = row->function;
		call->add(call, &probe);
	}
	g_free(point);
}

/* ---- places by DWARF ----------------------------------------------------------------*/

void place_cut(char *text, struct dwarf_query *q)
{
	char *file = strchr(text, '@'), *lines = file ? strpbrk(file, ":+") : NULL;

	q->function = text;
	if (lines) {
		q->lines = *lines == '+' ? g_intern_string(lines) : lines + 1;
		*lines = 0;
	}
	if (file) {
		*file = 0;
		q->file = file + 1;
	}
}

static int point_is_return(const struct probe_point *point)
{
	for (unsigned i = 0; i < point->ncomps; i++)
		if (!strcmp(point->comps[i].name, "return"))
			return 1;
	return 0;
}

/* The text of the probe point for a place. */
static char *point_of(struct family_call *call, const struct dwarf_place *place, const char *module,
		      enum place_kind kind, int is_return)
{
	char *of = module ? g_strdup_printf("module(\"%s\")", module) : g_strdup("kernel");
	char *what = g_strdup_printf("\"%s@%s:%d\"", place->function, place->file, place->line),
	     *point;
	int statement = kind == PLACE_STATEMENT || kind == PLACE_NEAREST;
	const char *tail = is_return ? ".return"
			   : place->inlined && !statement && kind != PLACE_CALLEE ? ".inline"
			   : "";

	if (kind == PLACE_CALLEE)
		point = g_strdup_printf("%s.function(\"%s\").callee(%s)%s", of,
					call->point->comps[1].string, what, tail);
	else if (place->label)
		point = g_strdup_printf("%s.function(%s).label(\"%s\")", of, what, place->label);
	else
		point = g_strdup_printf("%s.%s(%s)%s", of, statement ? "statement" : "function",
					what, tail);
	g_free(what);
	g_free(of);
	return point;
}

struct among {
	struct debuginfo *info;
	const char *module;
};

static int is_alone(void *data, const char *name)
{
	const struct among *a = data;

	return debuginfo_alike(a->info, name, a->module) == 1;
}

/*
 * Sets the symbol and offset of a place. If several static functions have its symbol's name, the
 * place is expressed relative to a symbol with a unique name.
 */
static void set_symbol(struct family_call *call, struct rt_function *row, struct dwarf *d,
		       const struct dwarf_place *place, const char *module)
{
	struct among among = { call->info, module };
	const char *symbol = place->symbol;
	gint64 away = 0;

	if (debuginfo_alike(call->info, symbol, module) > 1)
		dwarf_anchor(d, dwarf_linked(d, place), is_alone, &among, &symbol, &away);
	row->function = family_keep(call, symbol);
	row->module = family_keep(call, module);
	row->offset = (u32)(place->offset + (guint64)away);
}

static void add_place(struct family_call *call, struct dwarf *d, const struct dwarf_place *place,
		      const char *module, enum place_kind kind, int optional)
{
	struct rt_function *row = call->alloc(call, sizeof(*row));
	struct dwarf_place *kept = call->alloc(call, sizeof(*kept));
	struct family_probe probe = { .function = place->function,
				      .phase = RT_RUNNING,
				      .row = row,
				      .place = kept,
				      .optional = optional };
	const struct point_comp *last = &call->point->comps[call->point->ncomps - 1];
	char *point;

	if (point_is_return(call->point)) {
		if (place->inlined)
			return;
		row->is_return = 1;
		row->maxactive = !strcmp(last->name, "maxactive") ? (u32)last->number : 0;
		if (!place->frame)
			probe.place = NULL; /* BTF describes entry and return */
	}
	*kept = *place;
	set_symbol(call, row, d, place, module);
	row->optional = optional || call->point->optional || call->point->sufficient;
	probe.point = point = point_of(call, place, module, kind, row->is_return);
	call->add(call, &probe);
	g_free(point);
}

/* The callees that call->point selects by pattern and depth. */
static GArray *find_callees(struct family_call *call, struct dwarf *d, const struct dwarf_query *q)
{
	const struct point_comp *comp = &call->point->comps[2];

	return dwarf_callees(d, q, comp->arg == POINT_STRING ? comp->string : "*",
			     comp->arg == POINT_NUMBER ? (unsigned)comp->number : 1);
}

static unsigned add_places(struct family_call *call, struct dwarf *d, const struct dwarf_query *q,
			   const char *module, enum place_kind kind, int optional)
{
	GArray *found = kind == PLACE_CALLEE ? find_callees(call, d, q) : dwarf_places(d, q);
	unsigned n = found->len;

	for (unsigned i = 0; i < n; i++)
		add_place(call, d, &g_array_index(found, struct dwarf_place, i), module, kind,
			  optional || n > 1);
	g_array_unref(found);
	return n;
}

unsigned place_add_inlined(struct family_call *call, const char *name, const char *module,
			   int optional, const char **why)
{
	const struct dwarf_query q = { .kind = DWARF_INLINE, .function = name };
	GPtrArray *modules = debuginfo_modules(call->info, module);
	unsigned added = 0;

	for (unsigned i = 0; i < modules->len; i++) {
		struct dwarf *d = debuginfo_dwarf(call->info, modules->pdata[i], why);

		if (d)
			*why = NULL;
		if (d && dwarf_inlines(d, name))
			added += add_places(call, d, &q, modules->pdata[i], PLACE_INLINE, optional);
	}
	g_ptr_array_unref(modules);
	return added;
}

/* The component of the point that a query of that kind searches for. */
static const struct point_comp *asked_for(const struct probe_point *point, enum place_kind kind)
{
	static const char *const names[] = { "callee", "callees", "label", "statement",
					     "function" };

	for (unsigned i = kind == PLACE_CALLEE ? 0
			  : kind == PLACE_LABEL ? 2
			  : 3;
	     i < G_N_ELEMENTS(names); i++)
		if (family_comp(point, names[i]))
			return family_comp(point, names[i]);
	return &point->comps[0];
}

void place_report_nothing(struct family_call *call, struct dwarf *d, const struct dwarf_query *q,
			  enum place_kind kind)
{
	const struct point_comp *comp = asked_for(call->point, kind);
	char *near = kind == PLACE_STATEMENT && q->lines ? dwarf_lines_near(d, q) : NULL, *hint;

	if (kind == PLACE_CALLEE)
		hint = g_strdup_printf(
			" that '%s' calls: a call through a pointer is not known, nor any of code that is not optimized",
			q->function);
	else if (kind == PLACE_LABEL)
		hint = g_strdup_printf(" in '%s' that is a label with code", q->function);
	else if (kind == PLACE_INLINE)
		hint = g_strdup(" that is inlined anywhere");
	else
		hint = near ? g_strdup_printf(": no code; lines with code: %s", near)
			    : g_strdup("");
	diag(call->diag, comp->arg == POINT_NONE ? &comp->loc : &comp->arg_loc, D_POINT_PLACE,
	     comp->arg == POINT_STRING ? comp->string : comp->name, hint);
	g_free(hint);
	g_free(near);
}

static int callees_known(struct family_call *call)
{
	const struct point_comp *comp = &call->point->comps[2];

	if (comp->arg == POINT_NUMBER && (comp->number < 1 || comp->number > CALLEES_DEEPEST)) {
		diag(call->diag, &comp->arg_loc, D_POINT_VALUE, "depth out of range (1, 16)");
		return 0;
	}
	if (call->user && !strcmp(call->arch, "arm64")) {
		diag(call->diag, &comp->loc, D_POINT_RUNTIME, comp->name,
		     "the stacks that perf takes on arm64 leave out who called; add "
		     "--target=vm to run it in a throw-away guest, or --runtime=kernel on a machine that loads modules");
		return 0;
	}
	return 1;
}

int place_asks(enum place_kind kind)
{
	static const enum dwarf_kind asks[] = {
		[PLACE_FUNCTION] = DWARF_ENTRY,	     [PLACE_INLINE] = DWARF_INLINE,
		[PLACE_STATEMENT] = DWARF_STATEMENT, [PLACE_NEAREST] = DWARF_NEAREST,
		[PLACE_LABEL] = DWARF_LABEL,	     [PLACE_CALLEE] = DWARF_ENTRY,
	};

	return asks[kind];
}

/* Resolves one alternative of the point's text. */
static void resolve_pattern(struct family_call *call, struct dwarf *d, char *text,
			    const char *module, enum place_kind kind)
{
	struct dwarf_query q = { .kind = place_asks(kind) };
	unsigned added;

	place_cut(text, &q);
	if (kind == PLACE_LABEL)
		q.label = call->point->comps[2].string;
	if ((kind == PLACE_STATEMENT || kind == PLACE_NEAREST) && !q.lines)
		q.kind = DWARF_ENTRY;
	added = add_places(call, d, &q, module, kind, 0);
	if (kind == PLACE_FUNCTION) {			/* with its inlined copies */
		q.kind = DWARF_INLINE;
		added += add_places(call, d, &q, module, kind, 0);
	}
	if (!added)
		place_report_nothing(call, d, &q, kind);
}

static void resolve_dwarf(struct family_call *call, enum place_kind kind)
{
	const struct point_comp *comps = call->point->comps, *comp = &comps[1];
	const char *module = !strcmp(comps->name, "module")
				     ? debuginfo_module(call->info, comps->string)
				     : NULL,
		   *why;
	struct dwarf *d;
	char **names;

	if (kind == PLACE_CALLEE && !callees_known(call))
		return;
	if (!strcmp(comps->name, "module") && !module) {
		diag(call->diag, &comps->arg_loc, D_POINT_MODULE, comps->string);
		return;
	}
	d = debuginfo_dwarf(call->info, module, &why);
	if (!d) {
		diag(call->diag, &comp->arg_loc, D_POINT_DWARF, comp->string, why);
		return;
	}
	names = family_alternatives(comp->string);
	for (char **name = names; *name; name++)
		resolve_pattern(call, d, *name, module, kind);
	g_strfreev(names);
}

void place_resolve(struct family_call *call, enum place_kind kind)
{
	if (kind == PLACE_ABSOLUTE || kind == PLACE_CONTAINING)
		resolve_address(call, kind);
	else
		resolve_dwarf(call, kind);
}
