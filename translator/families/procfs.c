/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *   procfs("PATH").read	a process reads the file: it gets what the handler puts into $value
 *   procfs("PATH").write	a process writes to the file: $value is what it wrote
 *   procfs.read ...		the file is called "command"
 *   procfs("PATH").umask(U).read.maxsize(N)	permissions 0444 or 0222 without the bits of U,
 *						instead of 0400 and 0200; size limit of $value
 *						in bytes
 *
 * Needs no debug information. Context: the process that reads or writes. The file is in the
 * runtime's folder: /proc/systemtap/MODULE/, or for the user runtime a folder with named pipes.
 */
#include "translator/families/family.h"
#include "translator/families/family_variable.h"
#include "translator/families/shared.h"
#include "translator/program/program.h"

#include <string.h>

#define POINTS(root) \
	{ root ".read", 0, 0 }, { root ".read.maxsize(n)", 0, 0 }, { root ".write", 1, 0 }, { root ".write.maxsize(n)", 1, 0 }

static const struct family_pattern patterns[] = {
	POINTS("procfs"), POINTS("procfs(s)"), POINTS("procfs.umask(n)"), POINTS("procfs(s).umask(n)"), { 0 },
};

#define LARGEST (1 << 20)

static const struct builtin value = { "$value", TYPE_STRING, "", "rt_procfs_value", 0, 0, "" };
static const struct builtin set = { "$value", TYPE_UNKNOWN, "s", "rt_procfs_set", EFFECT, 0, "" };
static const struct builtin append = { "$value", TYPE_UNKNOWN, "s", "rt_procfs_append", EFFECT, 0,
				       "" };

static const struct family_variable of_read[] = {
	{ "$value", "string", NULL, &set, &append,
	  "$value of a read probe takes a text: = and .=" },
	{ 0 },
};
static const struct family_variable of_write[] = {
	{ "$value", "string", &value, NULL, NULL,
	  "$value of a write probe is what was written, and can only be read" },
	{ 0 },
};

static const struct family_variable *variables(const struct probe *probe)
{
	return ((const struct rt_procfs *)probe->row)->is_write ? of_write : of_read;
}

static int bad(struct family_call *call, const struct point_comp *comp, const char *text)
{
	diag(call->diag, &comp->arg_loc, D_POINT_VALUE, text);
	return -1;
}

/* The path must stay below the module's folder. */
static int check_path(struct family_call *call, const struct point_comp *comp)
{
	char **parts = g_strsplit(comp->string, "/", -1);
	const char *wrong = *comp->string ? NULL : "procfs path cannot be empty";

	for (unsigned i = 0; parts[i] && !wrong; i++)
		if (!*parts[i])
			wrong = i ? "procfs path cannot have an empty part"
				  : "procfs path cannot start with a '/'";
		else if (!strcmp(parts[i], ".") || !strcmp(parts[i], ".."))
			wrong = "procfs path cannot have '.' or '..' as a part";
	g_strfreev(parts);
	return wrong ? bad(call, comp, wrong) : 0;
}

static int fill(struct family_call *call, struct rt_procfs *row)
{
	const struct probe_point *point = call->point;

	row->is_write = call->pattern->tag;
	row->mode = row->is_write ? 0200 : 0400;
	row->path = "command";
	row->maxsize = row->is_write
			       ? 0
			       : (u32)CLAMP(call->define(call, "STP_PROCFS_BUFSIZE"), 0, LARGEST);
	if (point->comps[0].arg == POINT_STRING) {
		row->path = point->comps[0].string;
		if (check_path(call, &point->comps[0]))
			return -1;
	}
	for (unsigned i = 1; i < point->ncomps; i++) {
		const struct point_comp *comp = &point->comps[i];

		if (comp->arg == POINT_NUMBER && !strcmp(comp->name, "umask")) {
			if (comp->number < 0 || comp->number > 0777)
				return bad(call, comp, "procfs umask is 0 to 0777");
			row->mode = (row->is_write ? 0222 : 0444) & ~comp->number;
		} else if (comp->arg == POINT_NUMBER) {
			if (comp->number < 1 || comp->number > LARGEST)
				return bad(call, comp, "procfs maxsize is 1 to 1048576");
			row->maxsize = comp->number;
		}
	}
	return 0;
}

static void resolve(struct family_call *call)
{
	struct rt_procfs *row = call->alloc(call, sizeof(*row));

	if (!fill(call, row))
		family_add(call, row);
}

static void emit_row(GString *out, const struct probe *probe)
{
	const struct rt_procfs *row = probe->row;
	char *path = g_strescape(row->path, NULL);

	g_string_append_printf(out, "{ &probes[%u], \"%s\", %u, 0%o", probe->index, path,
			       row->is_write, row->mode);
	if (row->maxsize)
		g_string_append_printf(out, ", .maxsize = %u", row->maxsize);
	g_string_append(out, " }");
	g_free(path);
}

static char *conflict(const struct probe *a, const struct probe *b)
{
	const struct rt_procfs *one = a->row, *two = b->row;

	if (one->is_write != two->is_write || strcmp(one->path, two->path) ||
	    !strcmp(one->path, RT_STDIN))
		return NULL;
	return g_strdup_printf("only one %s procfs probe can exist for procfs path \"%s\"",
			       two->is_write ? "write" : "read", two->path);
}

const struct family family_procfs = {
	.name		= "procfs",
	.made_by_us	= 1,
	.patterns	= patterns,
	.resolve	= resolve,
	.row_type	= "struct rt_procfs",
	.emit_row	= emit_row,
	.conflict	= conflict,
	.variables	= variables,
	.runtime	= "procfs",
};
