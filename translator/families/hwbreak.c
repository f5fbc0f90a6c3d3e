/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *   kernel.data("variable").write .rw .length(N).write .length(N).rw
 *   kernel.data(ADDRESS).write  .rw		.length(N).write  .length(N).rw
 *   process.data(ADDRESS) and process(PID).data(ADDRESS), with the same ends
 *
 * Each write to, or access of, 1, 2, 4 or 8 bytes of memory, by the CPU's debug registers: four at
 * a time on x86-64. Without .length it is 4 bytes, or fewer if the address is not a multiple of 4.
 * kernel.data: the kernel's memory, in the kernel runtime on x86-64 only; needs the symbol table
 * only. process.data: memory of the process of -c or -x, or of PID, not of those that it starts;
 * needs nothing. Context: registers after the accessing instruction (on arm64 before it).
 */
#include "translator/families/family.h"
#include "translator/families/shared.h"
#include "translator/program/program.h"

#include <string.h>

#define FORMS(prefix) \
	{ prefix ".write", 0, 0 }, { prefix ".rw", 1, 0 }, { prefix ".length(n).write", 0, 0 }, \
	{ \
		prefix ".length(n).rw", 1, 0 \
	}

static const struct family_pattern patterns[] = {
	FORMS("kernel.data(s)"),     FORMS("kernel.data(n)"), FORMS("process.data(n)"),
	FORMS("process(n).data(n)"), { 0 },
};

static int is_process(const struct probe_point *point)
{
	return !strcmp(point->comps[0].name, "process");
}

static void bad(struct family_call *call, const struct point_comp *comp, const char *text)
{
	diag(call->diag, &comp->arg_loc, D_POINT_VALUE, text);
}

/*
 * Reports what cannot be a place in a process: its addresses are below 2^56 on x86-64, below 2^52
 * on arm64. -1: it did.
 */
static int check_place(struct family_call *call, const struct point_comp *data, u32 length)
{
	u64 address = (u64)data->number, end = 1ULL << (!strcmp(call->arch, "arm64") ? 52 : 56);

	if (!address || address >= end)
		bad(call, data, address >> 63 ? "an address of the kernel: use kernel.data"
					      : "no process has memory at this address");
	else if (length && address % length)
		bad(call, data, "the address is not a multiple of the length");
	else
		return 0;
	return -1;
}

/* Whose memory. -1: reported. */
static int fill_process(struct family_call *call, const struct point_comp *process,
			struct rt_hwbreak *row)
{
	if (process->arg == POINT_NONE) {
		row->target = 1;
		if (call->command || call->pid || !call->runs)
			return 0;
		diag(call->diag, &process->loc, D_POINT_VALUE,
		     "without a number 'process' is the one of -c or -x: give one of them, or process(PID)");
		return -1;
	}
	row->pid = (s32)process->number;
	if (process->number > 0 && row->pid == process->number)
		return 0;
	bad(call, process, "expected the id of a process");
	return -1;
}

/* What the target's kernel cannot do. NULL: nothing. */
static const char *refuse_arch(const struct family_call *call)
{
	if (strcmp(call->arch, "arm64") || call->user)
		return NULL;
	return is_process(call->point)
		       ? "process.data cannot be probed on arm64 in the kernel runtime: the kernel takes the same hit "
			 "again and again, and the machine hangs; use --runtime=user"
		       : "kernel.data cannot be probed on arm64: its kernel takes the same hit "
			 "again and again, and the machine hangs; probe the functions that change the variable";
}

static void resolve(struct family_call *call)
{
	const struct point_comp *data = family_comp(call->point, "data"), *length = &data[1];
	struct rt_hwbreak *row = call->alloc(call, sizeof(*row));
	const char *refused = refuse_arch(call);

	if (refused) {
		diag(call->diag, &call->point->loc, D_POINT_VALUE, refused);
		return;
	}
	if (!strcmp(length->name, "length")) {
		if (length->number < 1 || length->number > 8 ||
		    length->number & (length->number - 1)) {
			bad(call, length, "the length is 1, 2, 4 or 8 bytes");
			return;
		}
		row->length = (u32)length->number;
	}
	if (is_process(call->point) && (fill_process(call, call->point->comps, row) ||
					check_place(call, data, row->length)))
		return;
	if (data->arg == POINT_STRING)
		row->symbol = family_save(call, data->string);
	row->address = data->arg == POINT_NUMBER ? (u64)data->number : 0;
	row->reads = (u8)call->pattern->tag;
	row->optional = call->point->optional || call->point->sufficient;
	family_add(call, row);
}

static void emit_row(GString *out, const struct probe *probe)
{
	const struct rt_hwbreak *row = probe->row;

	g_string_append_printf(out, "{ &probes[%u]", probe->index);
	if (row->symbol)
		g_string_append_printf(out, ", .symbol = \"%s\"", row->symbol);
	else
		g_string_append_printf(out, ", .address = 0x%llx", row->address);
	if (row->target)
		g_string_append(out, ", .target = 1");
	if (row->pid)
		g_string_append_printf(out, ", .pid = %d", row->pid);
	if (row->length)
		g_string_append_printf(out, ", .length = %u", row->length);
	if (row->reads)
		g_string_append(out, ", .reads = 1");
	if (row->optional)
		g_string_append(out, ", .optional = 1");
	g_string_append(out, " }");
}

const struct family family_hwbreak = {
	.name = "hwbreak",
	.patterns = patterns,
	.resolve = resolve,
	.row_type = "struct rt_hwbreak",
	.emit_row = emit_row,
	.runtime = "hwbreak",
	.no_user = "it needs a kernel module; add --target=vm to run it in a throw-away guest, "
		   "or --runtime=kernel on a machine that loads modules",
	.user_has = is_process,
};
