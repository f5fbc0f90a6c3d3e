/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict.c - the conclusions: which runtimes and targets work, and the best command to type.
 */
#include "cmd/doctor/verdict.h"

#include "cmd/doctor/doctor.h"
#include "cmd/doctor/perf.h"

#include <string.h>

/* "6.1 (here), 6.12 (fetched at first use)" for one architecture. */
static char *guests_of(const struct machine *m, const char *suffix)
{
	static const char *const series[] = { "6.1", "6.12" };
	char *folder = g_strconcat(m->host.root, m->cache, "/vm/kernels", NULL);
	GString *out = g_string_new(NULL);

	for (unsigned i = 0; i < G_N_ELEMENTS(series); i++) {
		GDir *dir = g_dir_open(folder, 0, NULL);
		const char *name;
		int here = 0;

		while (dir && (name = g_dir_read_name(dir)))
			here |= g_str_has_prefix(name, series[i]) &&
				name[strlen(series[i])] == '.' &&
				g_str_has_suffix(name, "arm64") == !!*suffix;
		g_string_append_printf(out, "%s%s%s (%s)", i ? ", " : "", series[i], suffix,
				       here ? "here" : "fetched at first use");
		if (dir)
			g_dir_close(dir);
	}
	g_free(folder);
	return g_string_free(out, FALSE);
}

static const char *no_user(const struct machine *m)
{
	char *gcc = host_program(&m->host, "gcc");
	const char *why = NULL;

	if (!gcc)
		why = "gcc is not installed";
	else if (!perf_opens(m, "cpu-clock"))
		why = "perf events are refused (kernel.perf_event_paranoid, or a container)";
	g_free(gcc);
	return why;
}

static const char *no_guest(const struct machine *m, const char *qemu, const char *arch)
{
	char *program = host_program(&m->host, qemu), *gcc = host_program(&m->host, "gcc"),
	     *make = host_program(&m->host, "make");
	char *cross = host_program(&m->host, "aarch64-linux-gnu-gcc");
	const char *why = NULL;

	if (!program)
		why = "its QEMU is not installed";
	else if (!gcc || !make)
		why = "gcc and make are not installed";
	else if (strcmp(arch, m->arch) && !strcmp(arch, "arm64") && !cross)
		why = "its cross compiler is not installed";
	g_free(cross);
	g_free(make);
	g_free(gcc);
	g_free(program);
	return why;
}

void verdict_make(const struct machine *m, struct doctor_verdict *v)
{
	v->no_kernel = host_no_modules(&m->host);
	if (!v->no_kernel && !host_says(&m->host, "/proc/kallsyms", " register_kprobe\n"))
		v->no_kernel =
			"modules load, but this kernel has no kprobes: timers and tracepoints only";
	v->no_user = no_user(m);
	v->no_vm_x86 = no_guest(m, "qemu-system-x86_64", "x86_64");
	v->no_vm_arm64 = no_guest(m, "qemu-system-aarch64", "arm64");
	v->guests_x86 = guests_of(m, "");
	v->guests_arm64 = guests_of(m, "-arm64");
	if (!v->no_kernel)
		v->command =
			"lapwing -T 10 -e 'global t, took probe kernel.function(\"vfs_read\") { t[tid()] = gettimeofday_ns() } "
			"probe kernel.function(\"vfs_read\").return { if (tid() in t) took[execname()] <<< gettimeofday_ns() - t[tid()] } "
			"probe end { foreach (name in took- limit 10) { println(name); print(@hist_log(took[name])) } }'";
	else if (!v->no_user)
		v->command =
			"lapwing --runtime=user -T 10 -e 'global pcs probe timer.profile { pcs[usymname(uaddr())]++ } "
			"probe end { foreach (name in pcs- limit 20) printf(\"%8d %s\\n\", pcs[name], name) }'";
	else if (!v->no_vm_x86 || !v->no_vm_arm64)
		v->command =
			v->no_vm_x86
				? "lapwing --target=vm:6.1-arm64 -c 'find /' -e 'global n probe kernel.function(\"vfs_*\") { n[ppfunc()]++ }'"
				: "lapwing --target=vm -c 'find /' -e 'global n probe kernel.function(\"vfs_*\") { n[ppfunc()]++ }'";
}

void verdict_clear(struct doctor_verdict *v)
{
	g_free(v->guests_x86);
	g_free(v->guests_arm64);
}
