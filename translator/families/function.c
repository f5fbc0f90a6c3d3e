/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *   kernel.function("pat")  module("m").function("pat")	.call  .return  .return.maxactive(N)
 *   	.exported  .callee("pat")  .callees  .callees(N): the functions it calls
 *   kprobe.function("pat")  kprobe.module("m").function("pat")	.call  .return  .return.maxactive(N)
 *
 * Entry and return of kernel functions, by name; wildcards * ? [] match the kernel's own list, with
 * one probe per function, and {a,b} are alternatives. Needs the symbol table only; with debuginfo,
 * inlined copies of the functions that .function("pat") matches are probed too. If several
 * functions have the same name, all are probed. Functions that a wildcard matches but that cannot
 * be probed are skipped and counted. Context: registers at the entry or return.
 */
#include "translator/debuginfo/btf.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/debuginfo/files.h"
#include "translator/families/place.h"
#include "translator/families/shared.h"
#include "translator/families/user_runtime.h"
#include "translator/program/program.h"

#include <stdio.h>
#include <string.h>

enum tag {
	ENTRY = 1, RETURN = 2, DWARFLESS = 4, MAXACTIVE = 8,
	EXPORTED = 16, PLACE = 32, CALL = 64, CALIBRATION = 128,
};

#define FORMS(prefix, tag) \
	{ prefix, ENTRY | (tag), 0 }, \
	{ prefix ".call", ENTRY | CALL | (tag), 0 }, \
	{ prefix ".exported", ENTRY | EXPORTED | (tag), 0 }, \
	{ prefix ".inline", PLACE, PLACE_INLINE }, \
	{ prefix ".label(s)", PLACE, PLACE_LABEL }, \
	{ prefix ".return", RETURN | (tag), 0 }, \
	{ prefix ".return.maxactive(n)", RETURN | MAXACTIVE | (tag), 0 }

#define CALLEES(prefix) \
	{ prefix ".callee(s)", PLACE, PLACE_CALLEE }, \
	{ prefix ".callee(s).call", PLACE, PLACE_CALLEE }, \
	{ prefix ".callee(s).return", PLACE, PLACE_CALLEE }, \
	{ prefix ".callee(s).return.maxactive(n)", PLACE | MAXACTIVE, PLACE_CALLEE }, \
	{ prefix ".callees", PLACE, PLACE_CALLEE }, \
	{ prefix ".callees(n)", PLACE, PLACE_CALLEE }

static const struct family_pattern patterns[] = {
	FORMS("kernel.function(s)", 0),
	CALLEES("kernel.function(s)"),
	FORMS("module(s).function(s)", 0),
	CALLEES("module(s).function(s)"),
	FORMS("kprobe.function(s)", DWARFLESS),
	FORMS("kprobe.module(s).function(s)", DWARFLESS),
	{ "kernel.statement(s)", PLACE, PLACE_STATEMENT },
	{ "kernel.statement(s).nearest", PLACE, PLACE_NEAREST },
	{ "module(s).statement(s)", PLACE, PLACE_STATEMENT },
	{ "module(s).statement(s).nearest", PLACE, PLACE_NEAREST },
	{ "kernel.function(n)", PLACE, PLACE_CONTAINING },
	{ "kernel.calibration", CALIBRATION, 0 },
	{ "kernel.calibration.return", CALIBRATION | RETURN, 0 },
	{ "kernel.statement(n).absolute", PLACE, PLACE_ABSOLUTE },
	{ "kprobe.statement(n).absolute", PLACE, PLACE_ABSOLUTE },
	{ 0 },
};

/* The suffix that selects hits of the function, as written. */
static const char *tail(const struct family_call *call)
{
	return call->pattern->tag & RETURN ? ".return"
	       : call->pattern->tag & EXPORTED ? ".exported"
	       : call->pattern->tag & CALL ? ".call"
	       : "";
}

static void add(struct family_call *call, const char *name, const char *module, int optional)
{
	struct rt_function *row = call->alloc(call, sizeof(*row));
	const char *prefix = call->pattern->tag & DWARFLESS ? "kprobe." : module ? "" : "kernel.";
	GString *point = g_string_new(prefix);
	struct family_probe probe = { .function = name,
				      .phase = RT_RUNNING,
				      .optional = optional,
				      .way = module ? RT_WAY_SLOW : 0,
				      .row = row };

	row->function = family_keep(call, name);
	row->module = family_keep(call, module);
	row->is_return = !!(call->pattern->tag & RETURN);
	row->optional = optional || call->point->optional || call->point->sufficient;
	if (call->pattern->tag & MAXACTIVE)
		row->maxactive = call->point->comps[call->point->ncomps - 1].number;
	if (module)
		g_string_append_printf(point, "module(\"%s\").", module);
	g_string_append_printf(point, "function(\"%s\")%s", name, tail(call));
	if (row->maxactive)
		g_string_append_printf(point, ".maxactive(%u)", row->maxactive);
	probe.point = point->str;
	call->add(call, &probe);
	g_string_free(point, TRUE);
}

/* no_debuginfo: why inlined copies cannot be found, or NULL. */
static void no_match(struct family_call *call, const struct point_comp *comp, const char *name,
		     unsigned untraceable, const char *no_debuginfo)
{
	char *similar, *hint;

	/* the message is discarded, and searching the kernel's list takes long */
	if (call->point->optional || call->point->sufficient)
		return;
	similar = diag_similar(name, debuginfo_function_names(call->info), 3);
	if (untraceable)
		hint = g_strdup_printf(": %u match, none of them can be traced", untraceable);
	else if (call->pattern->tag & EXPORTED)
		hint = g_strdup(" that is not static to its file");
	else
		hint = similar ? g_strdup_printf(" (similar: %s)", similar) : g_strdup("");
	diag(call->diag, &comp->arg_loc, D_POINT_FUNCTION, name, hint);
	diag_suggest(call->diag, name,
		     untraceable || call->pattern->tag & EXPORTED ? NULL : similar);
	if (no_debuginfo)
		diag_hint(
			call->diag,
			"a function that is inlined wherever it is called is known to debuginfo only: %s",
			no_debuginfo);
	g_free(hint);
	g_free(similar);
}

static int check(struct family_call *call)
{
	const struct point_comp *last = &call->point->comps[call->point->ncomps - 1];

	if (call->pattern->tag & MAXACTIVE && (last->number < 1 || last->number > 32767)) {
		diag(call->diag, &last->arg_loc, D_POINT_VALUE,
		     "maxactive out of range (1, 32767)");
		return -1;
	}
	return 0;
}

/*
 * In the user runtime, the kernel replaces return addresses, so the symbol must be a function that
 * is called: ftrace traces only such functions, and BTF has no type for assembler code. The kernel
 * runtime asks the kernel.
 */
static int may_return(const struct family_call *call, const struct debuginfo_function *f)
{
	const struct btf *btf;
	const char *why;

	if (!call->user || !(call->pattern->tag & RETURN) || f->traceable > 0)
		return 1;
	btf = debuginfo_btf(call->info, f->module, &why);
	return btf ? btf_find(btf, f->name, BTF_FUNC) != 0 : f->traceable < 0;
}

/* A warning, if calls may begin behind the function's entry, and debuginfo does not say where. */
static void report_split(const struct family_call *call, const struct point_comp *comp,
			 const char *name, const char *module)
{
	const char *rest = debuginfo_rest(call->info, name, module);

	if (!rest)
		return;
	diag(call->diag, &comp->arg_loc, D_POINT_SPLIT, name, rest);
	diag_hint(call->diag, "probe function(\"%s\") to see those: calls that enter '%s' come there, too, unless they return before that",
		  rest, name);
}

/*
 * Resolves one name or pattern. Returns the number of probes; adds the number of skipped functions
 * to *untraceable.
 */
static unsigned resolve_name(struct family_call *call, const char *name, const char *module,
			     unsigned *untraceable)
{
	int wild = strpbrk(name, "*?[") != NULL;
	GArray *found = debuginfo_functions(call->info, name, module);
	const char *last = NULL;
	unsigned added = 0;

	for (unsigned i = 0; i < found->len; i++) {
		const struct debuginfo_function *f =
			&g_array_index(found, struct debuginfo_function, i);

		if (call->pattern->tag & EXPORTED && !f->global)
			continue;
		if (wild && !f->traceable) {
			++*untraceable;
			continue;
		}
		if (!wild && last && !strcmp(f->name, last))
			continue;			/* one row for all functions of that name */
		if (!may_return(call, f)) {
			if (wild)
				++*untraceable;
			else
				diag(call->diag, &family_comp(call->point, "function")->arg_loc,
				     D_POINT_RETURN, f->name,
				     "neither ftrace nor BTF has it as a function that is called");
			added += !wild;
			continue;
		}
		add(call, f->name, f->module,
		    wild || (found->len > 1 && debuginfo_is_copy(f->name)));
		family_report_copy(call, name, f->name);
		last = f->name;
		added++;
	}
	g_array_unref(found);
	return added;
}

/*
 * "sys_read", as in scripts for older kernels: since 4.17 the function has an architecture-specific
 * name.
 */
static unsigned resolve_syscall(struct family_call *call, const char *name, const char *module,
				unsigned *untraceable)
{
	char *now =
		g_strdup_printf("__%s_%s", !strcmp(call->arch, "arm64") ? "arm64" : "x64", name);
	unsigned added =
		g_str_has_prefix(name, "sys_") ? resolve_name(call, now, module, untraceable) : 0;

	g_free(now);
	return added;
}

static void resolve_names(struct family_call *call, const struct point_comp *comp,
			  const char *module)
{
	unsigned added = 0, untraceable = 0;
	char **names = family_alternatives(comp->string);

	for (char **name = names; *name; name++) {
		const char *no_debuginfo = NULL;
		unsigned more = 1;

		if (call->pattern->tag & RETURN && debuginfo_is_part(*name)) {
			diag(call->diag, &comp->arg_loc, D_POINT_RETURN, *name,
			     "it is a part of a function, and may be jumped to");
			added++;
			continue;
		}
		/* the name cannot be checked here: loading the module will */
		if (debuginfo_problem(call->info))
			add(call, *name, module, 0);
		else
			more = resolve_name(call, *name, module, &untraceable);
		if (!more && !untraceable)
			more = resolve_syscall(call, *name, module, &untraceable);
		if (!(call->pattern->tag & (RETURN | CALL | EXPORTED | DWARFLESS)))
			more += place_add_inlined(call, *name, module, more > 0, &no_debuginfo);
		if (more && (no_debuginfo || call->pattern->tag & RETURN))
			report_split(call, comp, *name, module);
		if (!more && !untraceable)
			no_match(call, comp, *name, 0, no_debuginfo);
		added += more;
	}
	if (!added && untraceable)
		no_match(call, comp, comp->string, untraceable, NULL);
	else if (untraceable)
		diag(call->diag, &comp->arg_loc, D_POINT_SKIPPED, untraceable, comp->string);
	g_strfreev(names);
}

/*
 * A pattern is returned as it is, otherwise the name of the module, which may be given as its file.
 * NULL: no such module.
 */
static const char *find_module(struct family_call *call, const struct point_comp *module)
{
	const char *name = strpbrk(module->string, "*?[")
				   ? module->string
				   : debuginfo_module(call->info, module->string);
	GArray *any = name ? debuginfo_functions(call->info, "*", name) : NULL;
	int found = debuginfo_problem(call->info) || (any && any->len);

	if (!found)
		diag(call->diag, &module->arg_loc, D_POINT_MODULE, module->string);
	if (any)
		g_array_unref(any);
	return found ? name ? name : module->string : NULL;
}

/* A system call has events, too. */
static void refuse_module(struct family_call *call)
{
	static const char needs[] = "it needs a kernel module; add --target=vm to run it in a "
				    "throw-away guest, or --runtime=kernel on a machine that loads modules";
	const struct point_comp *comp = family_comp(call->point, "function");
	const char *name = comp ? comp->string : "", *at = strstr(name, "sys_");
	char *text;

	/* sys_read, __x64_sys_read, __se_sys_read; ksys_read is another function */
	if (!at || (at > name && (strncmp(name, "__", 2) || at[-1] != '_')) || strpbrk(name, "*?[{@")) {
		user_runtime_refuse(call->diag, call->point, needs);
		return;
	}
	text = g_strdup_printf("syscall.%s can; %s", at + strlen("sys_"), needs);
	user_runtime_refuse(call->diag, call->point, text);
	g_free(text);
}

/* True, after a message, if the user runtime cannot probe functions: it needs kprobe events. */
static int refused(struct family_call *call)
{
	const char *problem = call->user ? debuginfo_events_problem(call->info) : NULL;

	if (!call->user || debuginfo_has_kprobe_events(call->info))
		return 0;
	if (problem)
		diag(call->diag, &call->point->loc, D_POINT_TRACEFS, problem);
	else
		refuse_module(call);
	return 1;
}

/*
 * Adds probes on two calibration functions of the kernel runtime: returns of one are hooked, the
 * other has a kretprobe. The user runtime has none.
 */
static void add_calibrations(struct family_call *call)
{
	int is_return = !!(call->pattern->tag & RETURN);

	for (int slow = 0; slow < 2 && !call->user; slow++) {
		struct rt_function *row = call->alloc(call, sizeof(*row));
		const struct family_probe probe = { .point = is_return ? "kernel.calibration.return"
								       : "kernel.calibration",
						    .function = "calibration",
						    .phase = RT_RUNNING,
						    .optional = 1,
						    .calibrates = RT_EMPTY_KERNEL,
						    .way = slow ? RT_WAY_SLOW : 0,
						    .row = row };

		row->is_return = is_return;
		row->optional = 1;
		call->add(call, &probe);
	}
}

static void resolve(struct family_call *call)
{
	const struct point_comp *comp = family_comp(call->point, "function"),
				*module = family_comp(call->point, "module");
	const char *of = NULL;

	if (call->pattern->tag & CALIBRATION) {
		add_calibrations(call);
		return;
	}
	if (refused(call))
		return;
	if (check(call))
		return;
	if (call->pattern->tag & PLACE || (comp && strchr(comp->string, '@'))) {
		place_resolve(call, call->pattern->tag & PLACE
					    ? (enum place_kind)call->pattern->scale
					    : PLACE_FUNCTION);
		return;
	}
	if (module && !(of = find_module(call, module)))
		return;
	if (debuginfo_problem(call->info) && strpbrk(comp->string, "*?["))
		diag(call->diag, &comp->arg_loc, D_POINT_VALUE, debuginfo_problem(call->info));
	else
		resolve_names(call, comp, of);
}

static void emit_row(GString *out, const struct probe *probe)
{
	const struct rt_function *row = probe->row;

	g_string_append_printf(out, "{ &probes[%u]", probe->index);
	if (row->function)
		g_string_append_printf(out, ", \"%s\"", row->function);
	if (row->module)
		g_string_append_printf(out, ", .module = \"%s\"", row->module);
	if (row->is_return)
		g_string_append(out, ", .is_return = 1");
	if (row->optional)
		g_string_append(out, ", .optional = 1");
	if (row->maxactive)
		g_string_append_printf(out, ", .maxactive = %u", row->maxactive);
	if (row->offset)
		g_string_append_printf(out, ", .offset = %u", row->offset);
	if (row->fetch)
		g_string_append_printf(out, ", .fetch = \"%s\"", row->fetch);
	family_emit_keeper(out, probe);
	if (probe->keeper && ((const struct rt_function *)probe->keeper->row)->fetch)
		g_string_append_printf(out, ", .keeper_fetch = \"%s\"",
				       ((const struct rt_function *)probe->keeper->row)->fetch);
	g_string_append(out, " }");
}

static int returns(const void *row)
{
	return ((const struct rt_function *)row)->is_return;
}

static void enter_row(void *data)
{
	struct rt_function *row = data;

	row->is_return = 0;
	row->fetch = NULL;
	row->fetch_bytes = 0;
}

static const char *note(const struct probe *probe)
{
	return returns(probe->row) ? "returns" : NULL;
}

const struct family family_function = {
	.name		= "function",
	.row		= ROW_FUNCTION,
	.patterns	= patterns,
	.resolve	= resolve,
	.row_type	= "struct rt_function",
	.emit_row	= emit_row,
	.returns	= returns,
	.enter_row	= enter_row,
	.row_bytes	= sizeof(struct rt_function),
	.note		= note,
	.runtime	= "function",
};
