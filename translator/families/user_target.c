/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user_target.c - which files process("PATH"), process(PID), process and .library("LIB") name
 * (user_site.h).
 *
 * Without path or number, the program is that of -c or -x.
 */
#include "translator/families/user_target.h"

#include "translator/debuginfo/files.h"
#include "translator/debuginfo/userfile.h"
#include "translator/debuginfo/userpath.h"
#include "translator/families/shared.h"
#include "translator/families/user_site.h"

#include <string.h>

static void target_free(void *data)
{
	struct user_target *t = data;

	g_ptr_array_unref(t->files);
	userpath_free(t->path);
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

static struct userpath *copy_of(const struct userpath *p)
{
	struct userpath *copy = g_new0(struct userpath, 1);

	copy->host = g_strdup(p->host);
	copy->target = g_strdup(p->target);
	return copy;
}

static GPtrArray *find_programs(struct family_call *call, const struct point_comp *comp, int *pid)
{
	*pid = 0;
	if (comp->arg == POINT_NUMBER) {
		*pid = (int)comp->number;
		return list_of(userpath_process(*pid));
	}
	if (comp->arg == POINT_STRING && *comp->string)
		return userpath_programs(comp->string, call->sysroot);
	return call->command ? userpath_command(call->command, call->sysroot) :
	       list_of(call->pid ? userpath_process(call->pid) : NULL);
}

void user_target_missing(struct family_call *call, const struct point_comp *comp)
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
		     strchr(comp->string, '/') ? "" : " in $PATH, nor in this folder");
	}
	g_free(number);
}

/* The target for one program or its libraries; files is empty if it uses no such library. */
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
		t->files = list_of(copy_of(program));
	}
	t->path = copy_of(program);
	t->text = g_string_free(text, FALSE);
	return t;
}

GPtrArray *user_targets(struct family_call *call)
{
	const struct point_comp *comps = call->point->comps,
				*library = call->point->ncomps > 1 ? &comps[1] : NULL;
	GPtrArray *targets = g_ptr_array_new_with_free_func(target_free), *programs;
	int pid, found = 0;

	if (library && strcmp(library->name, "library"))
		library = NULL;
	programs = find_programs(call, comps, &pid);
	for (guint i = 0; i < programs->len; i++) {
		struct user_target *t = make_target(call, programs->pdata[i], pid, library);

		found += t->files->len;
		g_ptr_array_add(targets, t);
	}
	if (!programs->len)
		user_target_missing(call, comps);
	else if (!found && !library)
		diag(call->diag, &family_comp(call->point, "statement")->arg_loc, D_POINT_VALUE,
		     "the process has no file's code at this address");
	else if (!found)
		diag(call->diag, &library->arg_loc, D_POINT_LIBRARY, library->string,
		     ((struct userpath *)programs->pdata[0])->target);
	g_ptr_array_unref(programs);
	return targets;
}

struct userfile *user_target_file(const struct family_call *call, const char *path,
				  const char **why)
{
	struct userfile *file = debuginfo_userfile(call->info, path, why);

	if (!file || !strcmp(userfile_arch(file), call->arch))
		return file;
	*why = strcmp(userfile_arch(file), "32 bits")
		       ? "it is for another machine"
		       : "it is a 32-bit program; those of 64 bits can be probed";
	return NULL;
}
