/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *   kernel.function("pat@file")  .function("pat@file:line")  .function("pat").inline  .function("pat").label("pat")
 *   kernel.statement("pat@file:lines")  ("pat@file+offset")  .nearest		lines: 12  12-15  3,7-9  *
 *   module("m")....								the same
 *   kernel.statement(ADDRESS).absolute  kprobe.statement(ADDRESS).absolute	an instruction, with -g
 *   kernel.function(ADDRESS)							the function it lies in
 *
 * The first lines need the kernel's or the module's DWARF, and have the variables that it sees there.
 * Every place is a function's symbol and an offset, bound when the module is loaded, so that no address of this boot is built in.
 */
#include "translator/families/place.h"

#include "translator/debuginfo/debuginfo.h"
#include "translator/debuginfo/dwarf.h"
#include "translator/program.h"

#include <string.h>

static const char *keep(struct family_call *call, const char *text)
{
	return text ? strcpy(call->alloc(call, strlen(text) + 1), text) : NULL;
}

/* ---- addresses --------------------------------------------------------------------*/

static void resolve_address(struct family_call *call, enum place_kind kind)
{
	const struct point_comp *comp = &call->point->comps[1];
	struct rt_function *row = call->alloc(call, sizeof(*row));
	struct debuginfo_function f;
	char *point = point_string(call->point);
	struct family_probe probe = { .point = point, .phase = RT_RUNNING, .row = row };

	if (kind == PLACE_ABSOLUTE && !call->guru) {
		diag(call->diag, &comp->arg_loc, D_POINT_VALUE, "an absolute address may be inside an instruction: it needs -g");
	} else if (!debuginfo_function_at(call->info, (guint64)comp->number, &f)) {
		diag(call->diag, &comp->arg_loc, D_POINT_VALUE, "no function of the kernel is at this address (see /proc/kallsyms)");
	} else {
		row->function = keep(call, f.name);
		row->module = keep(call, f.module);
		row->offset = kind == PLACE_ABSOLUTE ? (u32)((guint64)comp->number - f.address) : 0;
		row->optional = call->point->optional || call->point->sufficient;
		probe.function = row->function;
		call->add(call, &probe);
	}
	g_free(point);
}

/* ---- what DWARF knows ---------------------------------------------------------------*/

/* "name@file:lines", "name@file+offset": cut in place. */
static void cut_pattern(char *text, struct dwarf_query *q)
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

static void add_place(struct family_call *call, const struct dwarf_place *place, const char *module, enum place_kind kind, int optional)
{
	struct rt_function *row = call->alloc(call, sizeof(*row));
	struct dwarf_place *kept = call->alloc(call, sizeof(*kept));
	struct family_probe probe = { .function = place->function, .phase = RT_RUNNING, .row = row, .place = kept, .optional = optional };
	GString *point = g_string_new(NULL);

	const struct point_comp *last = &call->point->comps[call->point->ncomps - 1];

	if (point_is_return(call->point)) {
		if (place->inlined)
			return;
		row->is_return = 1;
		row->maxactive = !strcmp(last->name, "maxactive") ? (u32)last->number : 0;
		probe.place = NULL;			/* BTF knows what an entry and a return have */
	}
	*kept = *place;
	row->function = keep(call, place->symbol);
	row->module = keep(call, module);
	row->offset = (u32)place->offset;
	row->optional = optional || call->point->optional || call->point->sufficient;
	if (module)
		g_string_append_printf(point, "module(\"%s\")", module);
	else
		g_string_append(point, "kernel");
	g_string_append_printf(point, ".%s(\"%s@%s:%d\")", kind == PLACE_STATEMENT || kind == PLACE_NEAREST ? "statement" : "function",
			       place->function, place->file, place->line);
	if (row->is_return)
		g_string_append(point, ".return");
	else if (place->label)
		g_string_append_printf(point, ".label(\"%s\")", place->label);
	else if (place->inlined && kind != PLACE_STATEMENT && kind != PLACE_NEAREST)
		g_string_append(point, ".inline");
	probe.point = point->str;
	call->add(call, &probe);
	g_string_free(point, TRUE);
}

static unsigned add_places(struct family_call *call, struct dwarf *d, const struct dwarf_query *q, const char *module, enum place_kind kind)
{
	GArray *found = dwarf_places(d, q);
	unsigned n = found->len;

	for (unsigned i = 0; i < n; i++)
		add_place(call, &g_array_index(found, struct dwarf_place, i), module, kind, n > 1);
	g_array_unref(found);
	return n;
}

static void report_nothing(struct family_call *call, struct dwarf *d, const struct dwarf_query *q, const struct point_comp *comp)
{
	char *near = q->kind == DWARF_STATEMENT && q->lines ? dwarf_lines_near(d, q) : NULL;
	char *hint = near ? g_strdup_printf(": no code; lines with code: %s", near) : g_strdup("");

	diag(call->diag, &comp->arg_loc, D_POINT_PLACE, comp->string, hint);
	g_free(hint);
	g_free(near);
}

static void resolve_dwarf(struct family_call *call, enum place_kind kind)
{
	static const enum dwarf_kind asks[] = {
		[PLACE_FUNCTION] = DWARF_ENTRY, [PLACE_INLINE] = DWARF_INLINE, [PLACE_STATEMENT] = DWARF_STATEMENT,
		[PLACE_NEAREST] = DWARF_NEAREST, [PLACE_LABEL] = DWARF_LABEL,
	};
	const struct point_comp *comps = call->point->comps, *comp = &comps[1];
	const char *module = !strcmp(comps->name, "module") ? debuginfo_module(call->info, comps->string) : NULL, *why;
	struct dwarf_query q = { .kind = asks[kind] };
	struct dwarf *d;
	char *text;
	unsigned added;

	if (!strcmp(comps->name, "module") && !module) {
		diag(call->diag, &comps->arg_loc, D_POINT_MODULE, comps->string);
		return;
	}
	d = debuginfo_dwarf(call->info, module, &why);
	if (!d) {
		diag(call->diag, &comp->arg_loc, D_POINT_DWARF, comp->string, why);
		return;
	}
	text = g_strdup(comp->string);
	cut_pattern(text, &q);
	if (kind == PLACE_LABEL)
		q.label = comps[2].string;
	if ((kind == PLACE_STATEMENT || kind == PLACE_NEAREST) && !q.lines)
		q.kind = DWARF_ENTRY;
	added = add_places(call, d, &q, module, kind);
	if (kind == PLACE_FUNCTION) {			/* with its inlined copies */
		q.kind = DWARF_INLINE;
		added += add_places(call, d, &q, module, kind);
	}
	if (!added)
		report_nothing(call, d, &q, comp);
	g_free(text);
}

void place_resolve(struct family_call *call, enum place_kind kind)
{
	if (kind == PLACE_ABSOLUTE || kind == PLACE_CONTAINING)
		resolve_address(call, kind);
	else
		resolve_dwarf(call, kind);
}
