/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict.c - the conclusions: which runtimes and targets work, and the best command to type.
 */
#include "cmd/doctor/verdict.h"

#include "cmd/doctor/doctor.h"
#include "cmd/doctor/guests.h"
#include "lib/paths.h"

#include <stdlib.h>
#include <string.h>

static const char *const series[] = { "6.1", "6.12" };

/* True if one of the releases is of that series. */
static int has_series(const GPtrArray *releases, const char *name)
{
	char *prefix = g_strconcat(name, ".", NULL);
	int has = 0;

	for (unsigned i = 0; i < releases->len; i++)
		has |= g_str_has_prefix(releases->pdata[i], prefix);
	g_free(prefix);
	return has;
}

/* "6.1 (here), 6.12 (fetched at first use)" for one architecture. */
static char *guests_of(const struct machine *m, const char *arch, const char *suffix)
{
	GPtrArray *here = guests_here(m, arch);
	GString *out = g_string_new(NULL);

	for (unsigned i = 0; i < G_N_ELEMENTS(series); i++)
		g_string_append_printf(out, "%s%s%s (%s)", i ? ", " : "", series[i], suffix,
				       has_series(here, series[i]) ? "here"
								   : "fetched at first use");
	g_ptr_array_free(here, TRUE);
	return g_string_free(out, FALSE);
}

/* A KVER of lapwing-vm that is here. */
static char *guest_here(const struct machine *m, const char *arch, const char *suffix)
{
	GPtrArray *here = guests_here(m, arch);
	char *kver = NULL;

	for (unsigned i = 0; i < G_N_ELEMENTS(series) && !kver; i++)
		if (has_series(here, series[i]))
			kver = g_strconcat(series[i], suffix, NULL);
	if (!kver)
		kver = g_strdup(here->pdata[0]);
	g_ptr_array_free(here, TRUE);
	return kver;
}

static const char *no_kernel(const struct machine *m)
{
	const char *why = host_no_modules(&m->host);

	if (!why && !(m->symbols && strstr(m->symbols, " register_kprobe\n")))
		why = "modules load, but this kernel has no kprobes: timers and tracepoints only";
	return why;
}

static const char *no_user(const struct machine *m)
{
	char *gcc = host_program(&m->host, "gcc");
	const char *why = NULL;

	if (!gcc)
		why = "gcc is not installed";
	else if (!m->works[TRIAL_SCRIPT])
		why = "no script can be built and run (see compiler)";
	else if (!m->works[TRIAL_CLOCK])
		why = "perf events are refused (kernel.perf_event_paranoid, or a container)";
	g_free(gcc);
	return why;
}

/* How the user types `lapwing`: its path, unless a shell finds it. */
static char *typed(const struct machine *m)
{
	char *ours = *m->host.root ? NULL : paths_program("lapwing"),
	     *found = ours ? g_find_program_in_path("lapwing") : NULL,
	     *real = ours ? realpath(ours, NULL) : NULL,
	     *other = found ? realpath(found, NULL) : NULL;
	char *name = g_strdup(real && g_strcmp0(real, other) ? real : "lapwing");

	free(other);
	free(real);
	g_free(found);
	g_free(ours);
	return name;
}

/* The best command that works; NULL: none does. */
static char *best_command(const struct machine *m, const struct doctor_verdict *v)
{
	char *lapwing = typed(m), *kver = NULL, *command = NULL;

	if (!v->no_kernel)
		command = g_strconcat(
			lapwing,
			" -T 5 -e 'global t, took probe kernel.function(\"vfs_read\") { t[tid()] = gettimeofday_ns() } "
			"probe kernel.function(\"vfs_read\").return { if (tid() in t) took[execname()] <<< gettimeofday_ns() - t[tid()] } "
			"probe end { foreach (name in took- limit 10) { println(name); print(@hist_log(took[name])) } }'",
			NULL);
	else if (!v->no_user && !v->user_limits)
		command = g_strconcat(lapwing, " profile --runtime=user -a -T 3", NULL);
	else if (!v->no_user)
		command = g_strconcat(
			lapwing,
			" profile --runtime=user -- sh -c 'seq 100000 | sort -R | md5sum'", NULL);
	else if (!v->no_vm_x86)
		kver = guest_here(m, "x86_64", "");
	else if (!v->no_vm_arm64)
		kver = guest_here(m, "arm64", "-arm64");
	if (kver)
		command = g_strdup_printf("%s --target=vm:%s -c 'find /' -e 'global n "
					  "probe kernel.function(\"vfs_*\") { n[ppfunc()]++ }'",
					  lapwing, kver);
	g_free(kver);
	g_free(lapwing);
	return command;
}

/* What works, in words; NULL: nothing does. */
static char *words_of(const struct doctor_verdict *v)
{
	const char *parts[5];
	char *user = v->user_limits ? g_strdup_printf("the user runtime (%s)", v->user_limits)
				    : g_strdup("the user runtime"),
	     *text;
	unsigned n = 0;

	if (!v->no_kernel)
		parts[n++] = "the kernel runtime";
	if (!v->no_user)
		parts[n++] = user;
	if (!v->no_vm_x86)
		parts[n++] = "x86_64 guests";
	if (!v->no_vm_arm64)
		parts[n++] = "arm64 guests";
	parts[n] = NULL;
	text = n ? g_strjoinv(", ", (char **)parts) : NULL;
	g_free(user);
	return text;
}

void verdict_make(const struct machine *m, struct doctor_verdict *v)
{
	v->no_kernel = no_kernel(m);
	v->no_user = no_user(m);
	if (!v->no_user && !m->works[TRIAL_ALL_CPUS])
		v->user_limits = "your own programs only";
	v->no_vm_x86 = guests_problem(m, "x86_64");
	v->no_vm_arm64 = guests_problem(m, "arm64");
	v->guests_x86 = guests_of(m, "x86_64", "");
	v->guests_arm64 = guests_of(m, "arm64", "-arm64");
	v->command = best_command(m, v);
	v->works = words_of(v);
	v->next = v->no_user && strstr(v->no_user, "gcc") ? "begin with apt-get install gcc make"
		  : host_is_root(&m->host)		  ? "mend what is missing above"
							  : "try it as root";
}

void verdict_clear(struct doctor_verdict *v)
{
	g_free(v->no_vm_x86);
	g_free(v->no_vm_arm64);
	g_free(v->guests_x86);
	g_free(v->guests_arm64);
	g_free(v->works);
	g_free(v->command);
}
