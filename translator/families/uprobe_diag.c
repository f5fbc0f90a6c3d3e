/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uprobe_diag.c - see uprobe_diag.h. Messages name what exists instead; no probes are found here.
 */
#include "translator/families/uprobe_diag.h"

#include "translator/debuginfo/dwarf.h"
#include "translator/debuginfo/dwarf_function.h"
#include "translator/debuginfo/stapsdt.h"
#include "translator/debuginfo/stapsdt_note.h"
#include "translator/debuginfo/userfile.h"
#include "translator/debuginfo/userplt.h"
#include "translator/families/place.h"
#include "translator/families/shared.h"

#include <string.h>

static void report_mark(struct family_call *call, struct userfile *file, const char *path,
			const struct point_comp *comp)
{
	GArray *marks = stapsdt_marks(file, NULL, "*");
	GPtrArray *names = g_ptr_array_new();
	char *similar, *hint;

	for (guint i = 0; i < marks->len; i++)
		g_ptr_array_add(names, (void *)g_array_index(marks, struct stapsdt_mark, i).name);
	similar = diag_similar(comp->string, names, 3);
	hint = similar ? g_strdup_printf(" (similar: %s)", similar)
		       : g_strdup(marks->len ? "" : ", nor any other");
	diag(call->diag, &comp->arg_loc, D_POINT_MARK, path, comp->string, hint);
	diag_suggest(call->diag, comp->string, similar);
	g_free(hint);
	g_free(similar);
	g_ptr_array_unref(names);
	g_array_unref(marks);
}

/*
 * Names of functions, or of the functions that PLT stubs call. The caller frees the array only and
 * *stubs, which owns the stubs' names (NULL: none).
 */
static GPtrArray *names_like(struct userfile *file, const struct point_comp *comp, GArray **stubs)
{
	GPtrArray *names;

	*stubs = NULL;
	if (strcmp(comp->name, "plt"))
		return userfile_names(file);
	names = g_ptr_array_new();
	*stubs = userfile_stubs(file, "*");
	for (guint i = 0; i < (*stubs)->len; i++)
		g_ptr_array_add(names,
				(void *)g_array_index(*stubs, struct userfile_function, i).name);
	return names;
}

static int has_function(struct userfile *file, const char *name)
{
	GArray *found = userfile_functions(file, name);
	int has = found->len != 0;

	g_array_unref(found);
	return has;
}

static int is_inlined(struct userfile *file, const char *name)
{
	const char *why;
	struct dwarf *d = userfile_dwarf(file, &why);

	return d && dwarf_inlines(d, name);
}

static void report_similar(struct family_call *call, struct userfile *file, const char *path,
			   const struct point_comp *comp, const char *name)
{
	GArray *stubs;
	GPtrArray *names = names_like(file, comp, &stubs);
	char *similar = diag_similar(name, names, 3);
	char *hint = similar ? g_strdup_printf(" in %s (similar: %s)", path, similar)
			     : g_strdup_printf(" in %s", path);

	diag(call->diag, &comp->arg_loc, D_POINT_FUNCTION, name, hint);
	diag_suggest(call->diag, name, similar);
	g_free(hint);
	g_free(similar);
	g_ptr_array_free(names, TRUE);
	if (stubs)
		g_array_unref(stubs);
}

static void report_function(struct family_call *call, struct userfile *file, const char *path,
			    const struct point_comp *comp, const char *name)
{
	const char *rest = NULL;
	char *hint;

	if (strcmp(comp->name, "plt") && has_function(file, name))
		rest = family_comp(call->point, "exported") ? "that is not static to its file"
		       : !strpbrk(name, "*?[") ? NULL
		       : family_comp(call->point, "return")
			       ? "whose return can be probed: asked for by its whole name it says why"
			       : "that is called: what is jumped to is probed by its whole name";
	else if (is_inlined(file, name))
		rest = "that is not inlined: .inline probes the copies";
	if (!rest) {
		report_similar(call, file, path, comp, name);
		return;
	}
	hint = g_strdup_printf(" in %s %s", path, rest);
	diag(call->diag, &comp->arg_loc, D_POINT_FUNCTION, name, hint);
	g_free(hint);
}

/* The kind of place in the point; 0: it only names a function. */
static enum place_kind kind_of(const struct probe_point *point, const struct point_comp *comp)
{
	if (family_comp(point, "callee") || family_comp(point, "callees"))
		return PLACE_CALLEE;
	if (family_comp(point, "label"))
		return PLACE_LABEL;
	if (family_comp(point, "inline"))
		return PLACE_INLINE;
	if (!strcmp(comp->name, "statement"))
		return PLACE_STATEMENT;
	return strchr(comp->string, '@') ? PLACE_FUNCTION : 0;
}

static void report_place(struct family_call *call, struct userfile *file, const char *path,
			 const struct point_comp *comp, enum place_kind kind)
{
	const char *why;
	struct dwarf *d = userfile_dwarf(file, &why);
	char *text = g_strdup(comp->string);
	struct dwarf_query q = { .kind = (enum dwarf_kind)place_asks(kind) };

	place_cut(text, &q);
	if (!d)
		diag(call->diag, &comp->arg_loc, D_POINT_DWARF, comp->string, why);
	else if (strpbrk(q.function, "*?[{") || has_function(file, q.function) ||
		 is_inlined(file, q.function))
		place_report_nothing(call, d, &q, kind);
	else
		report_function(call, file, path, comp, q.function);
	g_free(text);
}

void uprobe_diag_report(struct family_call *call, struct userfile *file, const char *path,
			const struct point_comp *comp)
{
	enum place_kind kind;

	if (call->point->optional || call->point->sufficient)
		return;
	if (comp->arg != POINT_STRING) {
		diag(call->diag, &comp->arg_loc, D_POINT_VALUE,
		     "no code of that file is at this address");
		return;
	}
	if (!strcmp(comp->name, "mark")) {
		report_mark(call, file, path, comp);
		return;
	}
	kind = strcmp(comp->name, "plt") ? kind_of(call->point, comp) : 0;
	if (kind)
		report_place(call, file, path, comp, kind);
	else
		report_function(call, file, path, comp, comp->string);
}

int user_begins_instruction(const struct family_call *call, struct userfile *file, guint64 address,
			    const char **why)
{
	struct userfile_function f = { .name = NULL };
	const char *none;
	struct dwarf *d;

	*why = "no instruction begins at this address";
	if (!strcmp(userfile_arch(file), "arm64"))
		return !(address & 3);
	if (call->guru || (userfile_function_at(file, address, &f) && f.address == address))
		return 1;
	d = userfile_dwarf(file, &none);
	*why = d ? "no statement begins at this address, and a probe inside an instruction breaks the program: with -g it is put there "
		   "all the same"
		 : "without debuginfo nobody knows whether an instruction begins at this address, and a probe inside one breaks the program: "
		   "with -g it is put there all the same";
	return d && dwarf_begins_statement(d, address);
}
