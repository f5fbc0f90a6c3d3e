/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user_target.c - the files that process("PATH"), process(PID), process and .library("LIB") refer
 * to (user_site.h).
 *
 * Without path or number it is the program of -c or -x.
 */
#include "translator/families/user_target.h"

#include "translator/debuginfo/files.h"
#include "translator/debuginfo/userfile.h"
#include "translator/debuginfo/userpath.h"
#include "translator/families/shared.h"
#include "translator/program/program.h"

#include <string.h>

static void target_free(void *data)
{
	struct user_target *t = data;

	g_ptr_array_unref(t->files);
	g_free(t->program);
	g_free(t->text);
	g_free(t);
}

static GPtrArray *list_of(struct userpath *p)
{
	GPtrArray *list = g_ptr_array_new_with_free_func((GDestroyNotify)userpath_free);

	if (p)
		g_ptr_array_add(list, p);
	return list;
}

/*
 * Filters the matches of a pattern: 32-bit programs cannot be probed; they are skipped with a
 * warning.
 */
static GPtrArray *pass_over(struct family_call *call, const struct point_comp *comp,
			    GPtrArray *programs)
{
	GPtrArray *kept = list_of(NULL);

	for (guint i = 0; i < programs->len; i++) {
		struct userpath *p = programs->pdata[i];
		const char *why;
		struct userfile *file = debuginfo_userfile(call->info, p->host, &why);

		if (file && !strcmp(userfile_arch(file), "32 bits")) {
			diag(call->diag, &comp->arg_loc, D_PROGRAM_SKIPPED, p->target);
			continue;
		}
		g_ptr_array_add(kept, p);
		programs->pdata[i] = NULL;
	}
	g_ptr_array_unref(programs);
	return kept;
}

/*
 * "/usr/lib/x86_64-linux-gnu/libc.so.6" for "/usr/lib*" and "/lib64/libc.so.6": the path on
 * distributions with one directory per architecture. NULL: the pattern names no such directory.
 * Caller frees.
 */
static char *multiarch(const struct family_call *call, const char *pattern)
{
	const char *usr = g_str_has_prefix(pattern, "/usr/") ? pattern + strlen("/usr") : pattern;
	const char *name = g_str_has_prefix(usr, "/lib") ? strchr(usr + 1, '/') : NULL;
	const char *folder = name ? usr + strlen("/lib") : "";
	size_t len = name ? (size_t)(name - folder) : 0;

	if (!(len == 1 && *folder == '*') && !(len == 2 && !strncmp(folder, "64", 2)))
		return NULL;
	return g_strdup_printf("/usr/lib/%s-linux-gnu%s",
			       strcmp(call->arch, "arm64") ? call->arch : "aarch64", name);
}

static GPtrArray *programs_named(struct family_call *call, const struct point_comp *comp, int code)
{
	GPtrArray *programs = userpath_programs(comp->string, call->sysroot);
	char *other;

	if (code && strpbrk(comp->string, "*?[{"))
		programs = pass_over(call, comp, programs);
	other = programs->len ? NULL : multiarch(call, comp->string);
	if (other) {
		g_ptr_array_unref(programs);
		programs = userpath_programs(other, call->sysroot);
	}
	g_free(other);
	return programs;
}

static GPtrArray *find_programs(struct family_call *call, const struct point_comp *comp, int code,
				int *pid)
{
	*pid = 0;
	if (comp->arg == POINT_NUMBER) {
		*pid = (int)comp->number;
		return list_of(userpath_process(*pid));
	}
	if (comp->arg == POINT_STRING && *comp->string)
		return programs_named(call, comp, code);
	return call->command ? userpath_command(call->command, call->sysroot) :
	       list_of(call->pid ? userpath_process(call->pid) : NULL);
}

static void report_program(struct family_call *call, const struct point_comp *comp)
{
	char *number = NULL;

	if (comp->arg == POINT_NONE || (comp->arg == POINT_STRING && !*comp->string)) {
		diag(call->diag, &comp->loc, D_POINT_VALUE,
		     call->command || call->pid
			     ? "the program of -c or -x is not found"
			     : "without a path 'process' is the program of -c or -x: give one of them, or process(\"PATH\")");
	} else if (comp->arg == POINT_NUMBER) {
		number = g_strdup_printf("%lld", (long long)comp->number);
		diag(call->diag, &comp->arg_loc, D_POINT_PROGRAM, number,
		     ": there is no such process, or its program is hidden from you");
	} else {
		diag(call->diag, &comp->arg_loc, D_POINT_PROGRAM, comp->string,
		     strchr(comp->string, '/') ? ""
		     : call->sysroot           ? " in $PATH"
					       : " in $PATH or in the current folder");
	}
	g_free(number);
}

/* One program, or its libraries. NULL: it has none such. */
static struct user_target *make_target(struct family_call *call, struct userpath *program, int pid,
				       const struct point_comp *library)
{
	const struct point_comp *absolute = pid && family_comp(call->point, "absolute")
						    ? family_comp(call->point, "statement")
						    : NULL;
	struct user_target *t = g_new0(struct user_target, 1);
	GString *text = g_string_new(NULL);

	t->pid = pid;
	if (pid)
		g_string_printf(text, "process(%d)", pid);
	else
		g_string_printf(text, "process(\"%s\")", program->target);
	if (library) {
		t->files = pid ? userpath_mapped(pid, library->string)
			       : userpath_libraries(program, library->string, call->sysroot);
		t->program = pid ? NULL : g_strdup(program->target);
	} else if (absolute) {
		t->files = list_of(userpath_at(pid, (guint64)absolute->number, &t->offset));
	} else {
		struct userpath *copy = g_new0(struct userpath, 1);

		copy->host = g_strdup(program->host);
		copy->target = g_strdup(program->target);
		t->files = list_of(copy);
	}
	t->text = g_string_free(text, FALSE);
	return t;
}

GPtrArray *user_targets(struct family_call *call, int code)
{
	const struct point_comp *comps = call->point->comps,
				*library = call->point->ncomps > 1 ? &comps[1] : NULL;
	GPtrArray *targets = g_ptr_array_new_with_free_func(target_free), *programs;
	int pid, found = 0;

	if (library && strcmp(library->name, "library"))
		library = NULL;
	programs = find_programs(call, comps, code, &pid);
	for (guint i = 0; i < programs->len; i++) {
		struct user_target *t = make_target(call, programs->pdata[i], pid, library);

		found += t->files->len;
		g_ptr_array_add(targets, t);
	}
	if (!programs->len)
		report_program(call, comps);
	else if (!found && !library)
		diag(call->diag, &family_comp(call->point, "statement")->arg_loc, D_POINT_VALUE,
		     "the process has no file's code at this address");
	else if (!found)
		diag(call->diag, &library->arg_loc, D_POINT_LIBRARY, library->string,
		     ((struct userpath *)programs->pdata[0])->target);
	g_ptr_array_unref(programs);
	return targets;
}
