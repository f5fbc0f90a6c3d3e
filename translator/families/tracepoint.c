/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *   kernel.trace("name")  kernel.trace("system:name")  kernel.tracepoint("name")  module("m").tracepoint("name")	wildcards in both parts
 *
 * Needs the kernel's list of tracepoints; a module's are resolved when the module is loaded, even
 * later during the run. Context: the task that hit it. In the user runtime they are tracefs'
 * events, including those of system calls ("syscalls:sys_enter_read").
 */
#include "translator/debuginfo/debuginfo.h"
#include "translator/families/family.h"
#include "translator/families/shared.h"
#include "translator/program/program.h"

#include <fnmatch.h>
#include <string.h>

enum tag { TYPED = 1, MODULE = 2 };

static const struct family_pattern patterns[] = {
	{ "kernel.trace(s)", 0, 0 },
	{ "kernel.tracepoint(s)", TYPED, 0 },
	{ "module(s).tracepoint(s)", TYPED | MODULE, 0 },
	{ 0 },
};

static void add(struct family_call *call, const char *system, const struct debuginfo_tracepoint *t,
		int optional)
{
	struct rt_tracepoint *row = call->alloc(call, sizeof(*row));
	struct family_probe probe = {
		.function = t->name, .phase = RT_RUNNING, .optional = optional, .row = row
	};
	char *point;

	if (call->pattern->tag & MODULE)
		point = g_strdup_printf("module(\"%s\").tracepoint(\"%s\")", t->module, t->name);
	else
		point = g_strdup_printf("kernel.%s(\"%s%s%s\")",
					call->pattern->tag & TYPED ? "tracepoint" : "trace",
					system ? system : "", system ? ":" : "", t->name);
	probe.point = point;
	row->name = family_keep(call, t->name);
	row->system = family_keep(call, system);
	row->module = family_keep(call, t->module);
	row->optional = optional || call->point->optional || call->point->sufficient;
	call->add(call, &probe);
	g_free(point);
}

/* A hint at a tracepoint with the same name in another system or module, or NULL. */
static char *elsewhere(struct family_call *call, const char *name, const GArray *exists)
{
	const struct debuginfo_tracepoint *first =
		exists->len ? &g_array_index(exists, struct debuginfo_tracepoint, 0) : NULL;
	GArray *others = debuginfo_tracepoints(call->info, name, NULL);
	char *hint = NULL;

	if (first && first->system)
		hint = g_strdup_printf(" there; it is '%s:%s'", first->system, first->name);
	else if (call->pattern->tag & MODULE && others->len)
		hint = g_strdup_printf(
			" in that module; it is one of '%s'",
			g_array_index(others, struct debuginfo_tracepoint, 0).module
				? g_array_index(others, struct debuginfo_tracepoint, 0).module
				: "kernel");
	g_array_unref(others);
	return hint;
}

/* exists: tracepoints with that name in other systems than the requested one. */
static void no_match(struct family_call *call, const char *name, const GArray *exists)
{
	GPtrArray *names;
	char *similar, *hint, *other;
	GArray *all;

	if (call->point->optional || call->point->sufficient)		/* it is discarded */
		return;
	names = g_ptr_array_new();
	all = debuginfo_tracepoints(call->info, "*", NULL);
	for (unsigned i = 0; i < all->len; i++)
		g_ptr_array_add(names,
				(void *)g_array_index(all, struct debuginfo_tracepoint, i).name);
	similar = diag_similar(name, names, 3);
	other = elsewhere(call, name, exists);
	hint = other ? other : similar ? g_strdup_printf(" (similar: %s)", similar) : g_strdup("");
	diag(call->diag, &call->point->comps[call->point->ncomps - 1].arg_loc, D_POINT_TRACE, name,
	     hint);
	diag_suggest(call->diag, name, other ? NULL : similar);
	g_free(hint);
	g_free(similar);
	g_ptr_array_free(names, TRUE);
	g_array_unref(all);
}

/*
 * A pattern is returned as it is, otherwise the module's name; its tracepoints are then known,
 * loaded or not. NULL: no such module.
 */
static const char *find_module(struct family_call *call, const struct point_comp *comp)
{
	const char *name = strpbrk(comp->string, "*?[")
				   ? comp->string
				   : debuginfo_module(call->info, comp->string);

	if (!name)
		diag(call->diag, &comp->arg_loc, D_POINT_MODULE, comp->string);
	return name;
}

/*
 * Number of tracefs' events that match; also 0 if tracefs cannot be read: the kernel's list of
 * tracepoints then has all but those of system calls.
 */
static unsigned resolve_events(struct family_call *call, const char *system, const char *name,
			       int wild)
{
	GArray *found = debuginfo_events(call->info, system ? system : "*", name);
	unsigned n = found ? found->len : 0;

	for (unsigned i = 0; i < n; i++) {
		const struct debuginfo_tracepoint *e =
			&g_array_index(found, struct debuginfo_tracepoint, i);

		add(call, e->system, e, wild);
	}
	if (found)
		g_array_unref(found);
	return n;
}

static void resolve(struct family_call *call)
{
	const struct point_comp *comps = call->point->comps;
	const char *text = comps[call->point->ncomps - 1].string, *colon = strchr(text, ':'),
		   *name = colon ? colon + 1 : text;
	const char *module = call->pattern->tag & MODULE ? find_module(call, &comps[0]) : NULL,
		   *problem = NULL;
	int wild = strpbrk(text, "*?[") != NULL;
	unsigned added = 0;
	GArray *found;
	char *system;

	if (call->pattern->tag & MODULE && !module)
		return;
	system = colon ? g_strndup(text, colon - text) : NULL;
	if (call->user)
		added = resolve_events(call, system, name, wild);
	found = added ? NULL : debuginfo_tracepoints(call->info, name, module);
	for (unsigned i = 0; found && i < found->len; i++) {
		const struct debuginfo_tracepoint *t =
			&g_array_index(found, struct debuginfo_tracepoint, i);

		if (system && t->system && fnmatch(system, t->system, 0))
			continue;
		/*
		 * The system as written: the program must not depend on what this machine knows
		 * about systems.
		 */
		add(call, system && !strpbrk(system, "*?[") ? system : NULL, t, wild);
		added++;
	}
	if (!added && call->user)
		problem = debuginfo_events_problem(call->info);
	if (problem)
		diag(call->diag, &call->point->loc, D_POINT_TRACEFS, problem);
	else if (!added)
		no_match(call, name, found);
	if (found)
		g_array_unref(found);
	g_free(system);
}

static void emit_row(GString *out, const struct probe *probe)
{
	const struct rt_tracepoint *row = probe->row;

	g_string_append_printf(out, "{ &probes[%u], ", probe->index);
	g_string_append_printf(out, row->system ? "\"%s\", \"%s\", %u" : "%s, \"%s\", %u",
			       row->system ? row->system : "0", row->name, row->optional);
	if (row->module)
		g_string_append_printf(out, ", .module = \"%s\"", row->module);
	if (row->layout)
		g_string_append_printf(out, ", .layout = 0x%llx", row->layout);
	g_string_append(out, " }");
}

const struct family family_tracepoint = {
	.name		= "tracepoint",
	.row		= ROW_TRACEPOINT,
	.patterns	= patterns,
	.resolve	= resolve,
	.row_type	= "struct rt_tracepoint",
	.emit_row	= emit_row,
	.runtime	= "tracepoint",
	.with_stack	= RT_CAP_STUB,
};
