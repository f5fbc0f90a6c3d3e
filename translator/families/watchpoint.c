/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *   process("PATH") | process(PID) | process | process("")	and one of
 *	.data("variable").write  .rw	.length(N).write  .length(N).rw
 *	.data(ADDRESS).write  .rw	.length(N).write  .length(N).rw
 *
 * Each write to, or access of, 1, 2, 4 or 8 bytes of a program's memory, with the processor's debug
 * registers: at most four at once in a thread, x86-64 only. Without .length 4 bytes, fewer if the
 * address is not a multiple of 4. A variable's address is that of the program's symbol table; the
 * runtime adds where the program is loaded. Without path or number: the processes in the tree of -c
 * or -x that run its program. Context: user mode's registers after the instruction that accessed
 * the memory, the kernel's if a system call did.
 */
#include "translator/debuginfo/userfile.h"
#include "translator/debuginfo/userpath.h"
#include "translator/families/family.h"
#include "translator/families/shared.h"
#include "translator/families/user_target.h"
#include "translator/program/program.h"

#include <string.h>

#define FORMS(prefix) \
	{ prefix ".write", 0, 0 }, { prefix ".rw", 1, 0 }, { prefix ".length(n).write", 0, 0 }, { prefix ".length(n).rw", 1, 0 }
#define PROGRAMS(process) FORMS(process ".data(s)"), FORMS(process ".data(n)")

static const struct family_pattern patterns[] = {
	PROGRAMS("process(s)"), PROGRAMS("process(n)"), PROGRAMS("process"), { 0 },
};

#define ADDRESS_LIMIT	(G_GUINT64_CONSTANT(1) << 56)	/* of user space, with five-level tables */

/* Sets row->length. 0: reported. */
static int set_length(struct family_call *call, struct rt_watchpoint *row)
{
	const struct point_comp *data = &call->point->comps[1],
				*length = family_comp(call->point, "length");

	if (length && (length->number < 1 || length->number > 8 ||
		       length->number & (length->number - 1))) {
		diag(call->diag, &length->arg_loc, D_POINT_VALUE,
		     "the length is 1, 2, 4 or 8 bytes");
		return 0;
	}
	row->length = length ? (u32)length->number : 4;
	while (!length && row->address % row->length)
		row->length /= 2;
	if (row->address % row->length) {
		diag(call->diag, &data->arg_loc, D_POINT_VALUE,
		     "the address is not a multiple of the length");
		return 0;
	}
	if (row->address < ADDRESS_LIMIT)
		return 1;
	diag(call->diag, &data->arg_loc, D_POINT_VALUE,
	     "the address is not one of a program: kernel.data is for the kernel's");
	return 0;
}

/* The address of the variable as linked, and the program's entry. 0: reported. */
static int find_variable(struct family_call *call, const char *host, const char *target,
			 struct rt_watchpoint *row)
{
	const struct point_comp *data = &call->point->comps[1];
	const char *why;
	struct userfile *file = user_target_file(call, host, &why);
	guint64 address;
	unsigned found = file ? userfile_variable(file, data->string, &address) : 0;
	char *text;

	if (!file) {
		text = g_strdup_printf(": %s", why);
		diag(call->diag, &call->point->comps[0].loc, D_POINT_PROGRAM, target, text);
	} else if (found > 1) {
		text = g_strdup_printf("%s has %u variables of that name: give the address of one",
				       target, found);
		diag(call->diag, &data->arg_loc, D_POINT_VALUE, text);
	} else if (!found) {
		text = g_strdup_printf("the symbol table of %s has no variable of that name, or it is "
				       "thread-local", target);
		diag(call->diag, &data->arg_loc, D_POINT_VALUE, text);
	} else {
		row->address = address;
		row->entry = userfile_entry(file);
		return 1;
	}
	g_free(text);
	return 0;
}

static void add(struct family_call *call, const struct user_target *t, struct rt_watchpoint *row)
{
	const struct point_comp *data = &call->point->comps[1];
	struct family_probe probe = { .phase = RT_RUNNING, .row = row };
	GString *point = g_string_new(t->text);

	if (data->arg == POINT_STRING)
		g_string_append_printf(point, ".data(\"%s\")", data->string);
	else
		g_string_append_printf(point, ".data(0x%llx)", row->address);
	if (family_comp(call->point, "length"))
		g_string_append_printf(point, ".length(%u)", row->length);
	g_string_append(point, row->reads ? ".rw" : ".write");
	probe.point = point->str;
	call->add(call, &probe);
	g_string_free(point, TRUE);
}

static void resolve_target(struct family_call *call, const struct user_target *t)
{
	const struct point_comp *process = &call->point->comps[0], *data = &call->point->comps[1];
	const struct userpath *path = t->files->pdata[0];
	struct rt_watchpoint *row = call->alloc(call, sizeof(*row));

	row->pid = t->pid;
	row->target = process->arg == POINT_NONE ||
		      (process->arg == POINT_STRING && !*process->string);
	row->reads = (u8)call->pattern->tag;
	row->optional = call->point->optional || call->point->sufficient;
	/* a number may be of any program that the process runs */
	if (!t->pid || data->arg == POINT_STRING)
		row->path = family_keep(call, path->target);
	if (data->arg == POINT_NUMBER)
		row->address = (u64)data->number;
	else if (!find_variable(call, path->host, path->target, row))
		return;
	if (set_length(call, row))
		add(call, t, row);
}

static void resolve(struct family_call *call)
{
	GPtrArray *targets;

	if (!strcmp(call->arch, "arm64")) {
		diag(call->diag, &call->point->loc, D_POINT_VALUE,
		     "process.data cannot be probed on arm64: its kernel takes the same hit "
		     "again and again; probe the functions that change the variable");
		return;
	}
	targets = user_targets(call);
	for (guint i = 0; i < targets->len; i++)
		resolve_target(call, targets->pdata[i]);
	g_ptr_array_unref(targets);
}

static void emit_row(GString *out, const struct probe *probe)
{
	const struct rt_watchpoint *row = probe->row;
	char *path = row->path ? g_strescape(row->path, NULL) : NULL;

	g_string_append_printf(out, "{ &probes[%u]", probe->index);
	if (path)
		g_string_append_printf(out, ", .path = \"%s\"", path);
	if (row->pid)
		g_string_append_printf(out, ", .pid = %d", row->pid);
	if (row->target)
		g_string_append(out, ", .target = 1");
	g_string_append_printf(out, ", .address = 0x%llx", row->address);
	if (row->entry)
		g_string_append_printf(out, ", .entry = 0x%llx", row->entry);
	g_string_append_printf(out, ", .length = %u", row->length);
	if (row->reads)
		g_string_append(out, ", .reads = 1");
	if (row->optional)
		g_string_append(out, ", .optional = 1");
	g_string_append(out, " }");
	g_free(path);
}

const struct family family_watchpoint = {
	.name		= "watchpoint",
	.patterns	= patterns,
	.resolve	= resolve,
	.row_type	= "struct rt_watchpoint",
	.emit_row	= emit_row,
	.runtime	= "watchpoint",
	.no_user	= "its memory is watched by a kernel module; add --target=vm to run it in a "
			  "throw-away guest, or --runtime=kernel on a machine that loads modules",
};
