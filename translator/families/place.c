/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *   kernel.statement(ADDRESS).absolute  kprobe.statement(ADDRESS).absolute	an instruction, with -g
 *   kernel.function(ADDRESS)							the function it lies in
 *
 * Every place is a function's symbol and an offset, bound when the module is loaded, so that no address of this boot is built in.
 */
#include "translator/families/place.h"

#include "translator/debuginfo/debuginfo.h"
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

void place_resolve(struct family_call *call, enum place_kind kind)
{
	if (kind == PLACE_ABSOLUTE || kind == PLACE_CONTAINING)
		resolve_address(call, kind);
}
