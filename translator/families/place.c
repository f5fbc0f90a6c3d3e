/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *   kernel.function("pat@file") .function("pat@file:line") .function("pat").inline
 *   .function("pat").label("pat")
 *   kernel.statement("pat@file:lines")  ("pat@file+offset")  .nearest		lines: 12  12-15  3,7-9  *
 *   kernel.function("pat").callee("pat")  .callees  .callees(DEPTH)		its callees, when called from there
 *   module("m")....								the same
 *   kernel.statement(ADDRESS).absolute  kprobe.statement(ADDRESS).absolute	an instruction, with -g
 *   kernel.function(ADDRESS)							the function that contains it
 *
 * The first lines need the kernel's or the module's DWARF, which also provides their variables.
 * Every place is a function's symbol and an offset, bound when the module is loaded, so that no
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

#define CALLEES_DEEPEST	16	/* compared frames of a stack; MAXBACKTRACE is 20 */

/* ---- addresses --------------------------------------------------------------------*/

static void resolve_address(struct family_call *call, enum place_kind kind)
{
	const struct point_comp *comp = &call->point->comps[1];
	struct rt_function *row = call->alloc(call, sizeof(*row));
	struct debuginfo_function f;
	g_autofree char *point = point_string(call->point);
	struct family_probe probe = { .point = point, .phase = RT_RUNNING, .row = row };

	if (kind == PLACE_ABSOLUTE && !call->guru) {
		diag(call->diag, &comp->arg_loc, D_POINT_VALUE,
		     "an absolute address may be inside an instruction: it needs -g");
	} else if (!debuginfo_function_at(call->info, (guint64)comp->number, &f)) {
		diag(call->diag, &comp->arg_loc, D_POINT_VALUE,
		     "no function of the kernel is at this address (see /proc/kallsyms)");
	} else {
		row->function = family_save(call, f.name);
		row->module = family_save(call, f.module);
		row->offset = kind == PLACE_ABSOLUTE ? (u32)((guint64)comp->number - f.address) : 0;
		row->optional = call->point->optional || call->point->sufficient;
		probe.function = row->function;
		call->add(call, &probe);
	}
}

/* ---- what DWARF knows ---------------------------------------------------------------*/

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

/* "12", "12-15", or "*". */
static int is_range(const char *text)
{
	char *end;
	gint64 low = g_ascii_strtoll(text, &end, 10), high = low;

	if (!strcmp(text, "*"))
		return 1;
	if (!g_ascii_isdigit(*text))
		return 0;
	if (*end == '-' && g_ascii_isdigit(end[1]))
		high = g_ascii_strtoll(end + 1, &end, 10);
	return !*end && low <= high && high <= G_MAXINT;
}

/* Why a point's text is malformed; NULL: it is not. */
static const char *malformed(const char *text)
{
	g_autofree char *copy = g_strdup(text);
	struct dwarf_query q = { .kind = DWARF_ENTRY };
	g_auto(GStrv) ranges = NULL;

	place_cut(copy, &q);
	if (!*q.function)
		return "a function, or *, is expected before '@'";
	if (q.file && !*q.file)
		return "a source file is expected after '@': function@file.c";
	if (!q.lines)
		return NULL;
	if (*q.lines == '+')
		return g_ascii_isdigit(q.lines[1]) && is_range(q.lines + 1) && !strchr(q.lines, '-')
			       ? NULL
			       : "a number of lines from the function's first is expected after '+': "
				 "function@file.c+3";
	ranges = g_strsplit(q.lines, ",", -1);
	for (char **r = ranges; *r; r++)
		if (!is_range(*r))
			break;
		else if (!r[1])
			return NULL;
	return "lines are expected after ':': 12, 12-15, 3,7-9 or *";
}

int place_is_formed(struct family_call *call, const struct point_comp *comp)
{
	g_auto(GStrv) names = family_alternatives(comp->string);
	const char *why = NULL;

	for (char **name = names; *name && !why; name++)
		why = malformed(*name);
	if (why)
		diag(call->diag, &comp->arg_loc, D_POINT_VALUE, why);
	return !why;
}

static int point_is_return(const struct probe_point *point)
{
	return family_comp(point, "return") != NULL;
}

/* True if a point is about a function's own code only: .call, .return, .exported. */
static int point_is_own(const struct probe_point *point)
{
	return point_is_return(point) || family_comp(point, "call") ||
	       family_comp(point, "exported");
}

/* The text of the point by which a place was found. */
static char *point_of(struct family_call *call, const struct dwarf_place *place, const char *module,
		      enum place_kind kind, int is_return)
{
	char *of = module ? g_strdup_printf("module(\"%s\")", module) : g_strdup("kernel");
	char *what = g_strdup_printf("\"%s@%s:%d\"", place->function, place->file, place->line),
	     *point;
	int statement = kind == PLACE_STATEMENT || kind == PLACE_NEAREST;
	const char *tail = is_return                                              ? ".return"
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

	return debuginfo_count_named(a->info, name, a->module) == 1;
}

/* True if other files may call the symbol. */
static int is_global(struct family_call *call, const struct dwarf_place *place, const char *module)
{
	g_autoptr(GArray) found = debuginfo_functions(call->info, place->symbol, module);

	for (guint i = 0; i < found->len; i++)
		if (g_array_index(found, struct debuginfo_function, i).global)
			return 1;
	return 0;
}

/*
 * Symbol and offset of a place. If several static functions share its symbol's name, uses a unique
 * symbol before it.
 */
static void set_symbol(struct family_call *call, struct rt_function *row, struct dwarf *d,
		       const struct dwarf_place *place, const char *module)
{
	struct among among = { call->info, module };
	const char *symbol = place->symbol;
	gint64 away = 0;

	if (debuginfo_count_named(call->info, symbol, module) > 1)
		dwarf_anchor(d, dwarf_linked(d, place), is_alone, &among, &symbol, &away);
	row->function = family_save(call, symbol);
	row->module = family_save(call, module);
	row->offset = (u32)(place->offset + (guint64)away);
}

/* 0: the place is not what the point is about. */
static unsigned add_place(struct family_call *call, struct dwarf *d,
			  const struct dwarf_place *place, const char *module,
			  enum place_kind kind, int optional)
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

	if ((place->inlined && kind != PLACE_CALLEE && point_is_own(call->point)) ||
	    (family_comp(call->point, "exported") && !is_global(call, place, module)))
		return 0;
	if (point_is_return(call->point)) {
		if (place->inlined)
			return 0;
		row->is_return = 1;
		row->maxactive = !strcmp(last->name, "maxactive") ? (u32)last->number : 0;
		if (!place->frame)
			probe.place = NULL;			/* BTF suffices for an entry or a
								 * return */
	}
	*kept = *place;
	set_symbol(call, row, d, place, module);
	row->optional = optional || call->point->optional || call->point->sufficient;
	probe.point = point = point_of(call, place, module, kind, row->is_return);
	call->add(call, &probe);
	g_free(point);
	return 1;
}

/* The callees that call->point is about: their pattern and depth. */
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
	unsigned n = found->len, added = 0;

	for (unsigned i = 0; i < n; i++)
		added += add_place(call, d, &g_array_index(found, struct dwarf_place, i), module,
				   kind, optional || n > 1);
	g_array_unref(found);
	return added;
}

unsigned place_add_inlined(struct family_call *call, const char *name, const char *module,
			   int optional, const char **why)
{
	const struct dwarf_query q = { .kind = DWARF_INLINE, .function = name };
	g_autoptr(GPtrArray) modules = debuginfo_modules(call->info, module);
	unsigned added = 0;

	for (unsigned i = 0; i < modules->len; i++) {
		struct dwarf *d = debuginfo_dwarf(call->info, modules->pdata[i], why);

		if (d)
			*why = NULL;
		if (d && dwarf_inlines(d, name))
			added += add_places(call, d, &q, modules->pdata[i], PLACE_INLINE, optional);
	}
	return added;
}

/* The component of the point that a query of that kind belongs to. */
static const struct point_comp *requested(const struct probe_point *point, enum place_kind kind)
{
	static const char *const names[] = { "callee", "callees", "label", "statement",
					     "function" };

	for (unsigned i = kind == PLACE_CALLEE  ? 0
			  : kind == PLACE_LABEL ? 2
						: 3;
	     i < G_N_ELEMENTS(names); i++)
		if (family_comp(point, names[i]))
			return family_comp(point, names[i]);
	return &point->comps[0];
}

/* Which part of name@file:lines is not there: ": no source file matches ...". */
static char *what_is_missing(struct dwarf *d, const struct dwarf_query *q)
{
	const struct dwarf_query entries = { DWARF_ENTRY, q->function, q->file, NULL, NULL },
				 copies = { DWARF_INLINE, q->function, q->file, NULL, NULL };
	g_autoptr(GArray) own = dwarf_places(d, &entries), inlined = dwarf_places(d, &copies);
	g_autofree char *near = NULL;

	if (q->file && !dwarf_has_file(d, q->file)) {
		g_autoptr(GPtrArray) files = dwarf_file_names(d);
		const char *base = strrchr(q->file, '/');
		g_autofree char *similar = diag_similar(base ? base + 1 : q->file, files, 3);

		return g_strdup_printf(": no source file matches '%s'%s%s%s", q->file,
				       similar ? " (similar: " : "", similar ? similar : "",
				       similar ? ")" : "");
	}
	if (q->file && !own->len && !inlined->len)
		return g_strdup_printf(": no function '%s' has code from that file", q->function);
	near = q->lines && *q->lines != '+' ? dwarf_lines_near(d, q) : NULL;
	if (near)
		return g_strdup_printf(": no code; lines with code: %s", near);
	return g_strdup(own->len || !inlined->len
				? ""
				: ": it is inlined wherever it is called: .inline probes the copies");
}

void place_report_nothing(struct family_call *call, struct dwarf *d, const struct dwarf_query *q,
			  enum place_kind kind)
{
	const struct point_comp *comp = requested(call->point, kind);
	g_autofree char *hint = NULL;

	if (kind == PLACE_CALLEE)
		hint = g_strdup_printf(" that '%s' calls: calls through pointers and calls in "
				       "unoptimized code are not known", q->function);
	else if (kind == PLACE_LABEL)
		hint = g_strdup_printf(" in '%s' that is a label with code", q->function);
	else if (kind == PLACE_INLINE)
		hint = g_strdup(" that is inlined anywhere");
	else
		hint = what_is_missing(d, q);
	if (!*hint && family_comp(call->point, "exported")) {
		g_free(hint);
		hint = g_strdup(" that is not static to its file");
	}
	diag(call->diag, comp->arg == POINT_NONE ? &comp->loc : &comp->arg_loc, D_POINT_PLACE,
	     comp->arg == POINT_STRING ? comp->string : comp->name, hint);
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
		     "perf's stacks on arm64 "
		     "leave out the caller; add "
		     "--target=vm to run it in a throw-away guest, or --runtime=kernel on a machine that loads modules");
		return 0;
	}
	return 1;
}

int place_dwarf_kind(enum place_kind kind)
{
	static const enum dwarf_kind asks[] = {
		[PLACE_FUNCTION] = DWARF_ENTRY,      [PLACE_INLINE] = DWARF_INLINE,
		[PLACE_STATEMENT] = DWARF_STATEMENT, [PLACE_NEAREST] = DWARF_NEAREST,
		[PLACE_LABEL] = DWARF_LABEL,         [PLACE_CALLEE] = DWARF_ENTRY,
	};

	return asks[kind];
}

/* One alternative of the point's text, in one file; returns the number of probes. */
static unsigned resolve_pattern(struct family_call *call, struct dwarf *d, struct dwarf_query *q,
				const char *module, enum place_kind kind, int optional)
{
	const struct point_comp *label = family_comp(call->point, "label");
	unsigned added;

	q->kind = (enum dwarf_kind)place_dwarf_kind(kind);
	q->label = label ? label->string : NULL;
	if ((kind == PLACE_STATEMENT || kind == PLACE_NEAREST) && !q->lines)
		q->kind = DWARF_ENTRY;
	added = add_places(call, d, q, module, kind, optional);
	if (kind == PLACE_FUNCTION) {			/* including its inlined copies */
		q->kind = DWARF_INLINE;
		added += add_places(call, d, q, module, kind, optional);
	}
	return added;
}

/* Searches the kernel, a module, or those of the modules that have debuginfo. */
static void resolve_modules(struct family_call *call, const GPtrArray *modules,
			    const struct point_comp *comp, enum place_kind kind)
{
	g_auto(GStrv) names = family_alternatives(comp->string);
	const char *why;

	for (char **name = names; *name; name++) {
		struct dwarf *last = NULL;
		struct dwarf_query q = { .kind = DWARF_ENTRY };
		unsigned added = 0;

		place_cut(*name, &q);
		for (guint i = 0; i < modules->len; i++) {
			struct dwarf *d = debuginfo_dwarf(call->info, modules->pdata[i], &why);

			if (d)
				added += resolve_pattern(call, d, &q, modules->pdata[i], kind,
							 modules->len > 1);
			last = d ? d : last;
		}
		if (!last) {
			diag(call->diag, &comp->arg_loc, D_POINT_DWARF, comp->string, why);
			return;
		}
		if (!added)
			place_report_nothing(call, last, &q, kind);
	}
}

static void resolve_dwarf(struct family_call *call, enum place_kind kind)
{
	const struct point_comp *module = family_comp(call->point, "module"),
				*function = family_comp(call->point, "function"),
				*comp = function ? function : family_comp(call->point, "statement");
	g_autoptr(GPtrArray) modules = NULL;
	const char *name = NULL;

	if ((kind == PLACE_CALLEE && !callees_known(call)) || !place_is_formed(call, comp))
		return;
	if (module)
		name = strpbrk(module->string, "*?[") ? module->string
						      : debuginfo_module(call->info, module->string);
	modules = debuginfo_modules(call->info, name);
	if (module && (!name || !modules->len))
		family_no_module(call, module);
	else
		resolve_modules(call, modules, comp, kind);
}

void place_resolve(struct family_call *call, enum place_kind kind)
{
	if (kind == PLACE_ABSOLUTE || kind == PLACE_CONTAINING)
		resolve_address(call, kind);
	else
		resolve_dwarf(call, kind);
}
