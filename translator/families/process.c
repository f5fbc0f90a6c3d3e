/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *   process("PATH") | process(PID) | process | process("")	.begin  .end  .thread.begin  .thread.end  .syscall  .syscall.return
 *
 * Start and exit of processes and threads, and their system calls. Without path or number: of all
 * processes, or of those in the tree of -c or -x. Needs no debuginfo. begin is also hit for
 * processes that exist when the run starts. A PATH that does not exist is of no process. Context:
 * the process or thread itself.
 */
#include "translator/debuginfo/userpath.h"
#include "translator/families/family_variable.h"
#include "translator/families/shared.h"
#include "translator/families/user_site.h"
#include "translator/families/user_target.h"
#include "translator/program/program.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#define EVENTS(process) \
	{ process ".begin", RT_PROCESS_BEGIN, 0 }, { process ".end", RT_PROCESS_END, 0 }, \
	{ process ".thread.begin", RT_THREAD_BEGIN, 0 }, { process ".thread.end", RT_THREAD_END, 0 }, \
	{ process ".syscall", RT_PROCESS_SYSCALL, 0 }, { process ".syscall.return", RT_PROCESS_SYSCALL_RETURN, 0 }

static const struct family_pattern patterns[] = {
	EVENTS("process(s)"), EVENTS("process(n)"), EVENTS("process"), { 0 },
};

static void add(struct family_call *call, const char *path, int pid)
{
	struct rt_process *row = call->alloc(call, sizeof(*row));
	GString *point = g_string_new("process");
	struct family_probe probe = { .phase = RT_RUNNING, .row = row };

	row->event = (u8)call->pattern->tag;
	row->path = pid < 0 ? NULL : family_keep(call, path);
	row->pid = pid;
	row->target = !path && !pid;
	if (path)
		g_string_append_printf(point, "(\"%s\")", path);
	else if (pid)
		g_string_append_printf(point, "(%d)", pid);
	for (unsigned i = 1; i < call->point->ncomps; i++)
		g_string_append_printf(point, ".%s", call->point->comps[i].name);
	probe.point = point->str;
	call->add(call, &probe);
	g_string_free(point, TRUE);
}

static int is_process(gint64 pid)
{
	return pid > 0 && pid <= G_MAXINT && (!kill((pid_t)pid, 0) || errno != ESRCH);
}

/*
 * A program that is not there: as in SystemTap the probe is accepted, and no process hits it. 0: it
 * is there.
 */
static int add_absent(struct family_call *call, const struct point_comp *comp)
{
	GPtrArray *programs = userpath_programs(comp->string, call->sysroot);
	int absent = !programs->len;

	g_ptr_array_unref(programs);
	if (!absent)
		return 0;
	if (!call->point->optional)
		diag(call->diag, &comp->arg_loc, D_POINT_FILE, comp->string, "there is no such program");
	add(call, comp->string, -1);
	return 1;
}

static void resolve(struct family_call *call)
{
	const struct point_comp *comp = &call->point->comps[0];
	GPtrArray *targets;

	if (comp->arg == POINT_NONE || (comp->arg == POINT_STRING && !*comp->string)) {
		add(call, NULL, 0);
		return;
	}
	if (comp->arg == POINT_NUMBER) {
		if (is_process(comp->number))
			add(call, NULL, (int)comp->number);
		else
			user_target_missing(call, comp);
		return;
	}
	if (add_absent(call, comp))
		return;
	targets = user_targets(call);
	for (guint i = 0; i < targets->len; i++) {
		const struct user_target *t = targets->pdata[i];

		add(call, ((struct userpath *)t->files->pdata[0])->target, 0);
	}
	g_ptr_array_unref(targets);
}

static void emit_row(GString *out, const struct probe *probe)
{
	static const char *const events[] = {
		[RT_PROCESS_BEGIN] = "RT_PROCESS_BEGIN",
		[RT_PROCESS_END] = "RT_PROCESS_END",
		[RT_THREAD_BEGIN] = "RT_THREAD_BEGIN",
		[RT_THREAD_END] = "RT_THREAD_END",
		[RT_PROCESS_SYSCALL] = "RT_PROCESS_SYSCALL",
		[RT_PROCESS_SYSCALL_RETURN] = "RT_PROCESS_SYSCALL_RETURN",
	};
	const struct rt_process *row = probe->row;
	char *path = row->path ? g_strescape(row->path, NULL) : NULL;

	g_string_append_printf(out, "{ &probes[%u], %s", probe->index, events[row->event]);
	if (row->target)
		g_string_append(out, ", .target = 1");
	if (path)
		g_string_append_printf(out, ", .path = \"%s\"", path);
	if (row->pid)
		g_string_append_printf(out, ", .pid = %d", row->pid);
	g_string_append(out, " }");
	g_free(path);
}

/* ---- $variables -----------------------------------------------------------------------*/

static const struct builtin number = { "$syscall",  TYPE_LONG,	    "", "rt_syscall_number",
				       CTX | FAILS, RT_CAP_SYSCALL, "" };
static const struct builtin argument = { "$arg",      TYPE_LONG,      "l", "rt_syscall_arg",
					 CTX | FAILS, RT_CAP_SYSCALL, "" };
static const struct builtin returned = { "$return",   TYPE_LONG,      "", "rt_returnval",
					 CTX | FAILS, RT_CAP_SYSCALL, "", KIND_RETURNVAL };

#define ONLY_READ "of a process's system calls the number, arguments and result can be read"
#define ARGUMENT(n) { "$arg" #n, "long", &argument, NULL, NULL, ONLY_READ, n }

static const struct family_variable of_call[] = {
	{ "$syscall", "long", &number, NULL, NULL, ONLY_READ, 0 },
	ARGUMENT(1),
	ARGUMENT(2),
	ARGUMENT(3),
	ARGUMENT(4),
	ARGUMENT(5),
	ARGUMENT(6),
	{ 0 },
};
static const struct family_variable of_return[] = {
	{ "$syscall", "long", &number, NULL, NULL, ONLY_READ, 0 },
	{ "$return", "long", &returned, NULL, NULL, ONLY_READ, 0 },
	{ 0 },
};
static const struct family_variable none[] = { { 0 } };

static const struct family_variable *variables(const struct probe *probe)
{
	switch (((const struct rt_process *)probe->row)->event) {
	case RT_PROCESS_SYSCALL:
		return of_call;
	case RT_PROCESS_SYSCALL_RETURN:
		return of_return;
	default:
		return none;
	}
}

const struct family family_process = {
	.name		= "process",
	.patterns	= patterns,
	.resolve	= resolve,
	.row_type	= "struct rt_process",
	.emit_row	= emit_row,
	.variables	= variables,
	.runtime	= "process",
};
