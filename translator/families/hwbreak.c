/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *   kernel.data("variable").write  .rw	.length(N).write  .length(N).rw
 *   kernel.data(ADDRESS).write  .rw		.length(N).write  .length(N).rw
 *
 * Each write to, or access of, 1, 2, 4 or 8 bytes of kernel memory, with the processor's debug
 * registers: at most four at once, x86-64 only. Without .length 4 bytes, fewer if the address is
 * not a multiple of 4. Needs the symbol table only. Context: registers after the instruction that
 * accessed the memory.
 */
#include "translator/families/family.h"
#include "translator/families/shared.h"
#include "translator/program/program.h"

#include <string.h>

#define FORMS(prefix) \
	{ prefix ".write", 0, 0 }, { prefix ".rw", 1, 0 }, { prefix ".length(n).write", 0, 0 }, { prefix ".length(n).rw", 1, 0 }

static const struct family_pattern patterns[] = {
	FORMS("kernel.data(s)"), FORMS("kernel.data(n)"), { 0 },
};

static void resolve(struct family_call *call)
{
	const struct point_comp *data = &call->point->comps[1], *length = &call->point->comps[2];
	struct rt_hwbreak *row = call->alloc(call, sizeof(*row));

	if (!strcmp(call->arch, "arm64")) {
		diag(call->diag, &call->point->loc, D_POINT_VALUE,
		     "kernel.data cannot be probed on arm64: its kernel takes the same hit "
		     "again and again, and the machine hangs; probe the functions that change the variable");
	} else if (!strcmp(length->name, "length") && (length->number < 1 || length->number > 8 ||
						       length->number & (length->number - 1))) {
		diag(call->diag, &length->arg_loc, D_POINT_VALUE,
		     "the length is 1, 2, 4 or 8 bytes");
	} else {
		if (data->arg == POINT_STRING)
			row->symbol = family_keep(call, data->string);
		row->address = data->arg == POINT_NUMBER ? (u64)data->number : 0;
		row->length = !strcmp(length->name, "length") ? (u32)length->number : 0;
		row->reads = (u8)call->pattern->tag;
		row->optional = call->point->optional || call->point->sufficient;
		family_add(call, row);
	}
}

static void emit_row(GString *out, const struct probe *probe)
{
	const struct rt_hwbreak *row = probe->row;

	g_string_append_printf(out, "{ &probes[%u]", probe->index);
	if (row->symbol)
		g_string_append_printf(out, ", .symbol = \"%s\"", row->symbol);
	else
		g_string_append_printf(out, ", .address = 0x%llx", row->address);
	if (row->length)
		g_string_append_printf(out, ", .length = %u", row->length);
	if (row->reads)
		g_string_append(out, ", .reads = 1");
	if (row->optional)
		g_string_append(out, ", .optional = 1");
	g_string_append(out, " }");
}

const struct family family_hwbreak = {
	.name		= "hwbreak",
	.patterns	= patterns,
	.resolve	= resolve,
	.row_type	= "struct rt_hwbreak",
	.emit_row	= emit_row,
	.runtime	= "hwbreak",
	.no_user	= "it needs a kernel module; add --target=vm to run it in a throw-away guest, "
			  "or --runtime=kernel on a machine that loads modules",
};
