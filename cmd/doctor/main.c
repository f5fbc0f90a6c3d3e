/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - lapwing-doctor: what works on this machine, what does not, and what would fix it.
 *
 *	lapwing doctor [--json | --csv] [--root=DIR] [PROGRAM]
 *	lapwing doctor [--json | --csv] --kernels
 *
 * Exit status: 0 a runtime or a guest works, 1 nothing does, 2 wrong usage. It changes nothing.
 */
#include "cmd/doctor/doctor.h"
#include "cmd/doctor/kernels.h"
#include "cmd/doctor/report.h"
#include "cmd/doctor/trials.h"
#include "cmd/doctor/verdict.h"
#include "lib/exit_status.h"
#include "lib/option.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

static const struct {
	const char	*name;
	void		(*find)(const struct machine *m, struct finding *f);
} rows[] = {
#define FINDING(name) { #name, find_##name },
#include "cmd/doctor/findings.def"
#undef FINDING
};

void finding_set(struct finding *f, enum finding_state state, char *evidence, const char *means,
		 char *fix)
{
	f->state = state;
	f->evidence = evidence;
	f->means = means;
	f->fix = fix;
}

static const char *arch_name(const char *machine)
{
	return !strcmp(machine, "aarch64") ? "arm64" : machine;
}

static void describe_machine(struct machine *m, const char *root, const char *target)
{
	const char *cache = g_getenv("LAPWING_CACHE");
	struct utsname name;
	char *machine;

	uname(&name);
	m->host.root = root ? root : "";
	m->target = target;
	m->release = host_release(&m->host);
	machine = host_read(&m->host, "/proc/sys/kernel/arch");
	m->arch = g_strdup(arch_name(machine ? machine : name.machine));
	g_free(machine);
	m->cache = root ? g_strdup("/var/cache/lapwing")
		   : cache && *cache ? g_strdup(cache)
		   : g_build_filename(g_get_user_cache_dir(), "lapwing", NULL);
	m->symbols = host_read(&m->host, "/proc/kallsyms");
	trials_make(m);
}

static int examine(const struct machine *m, enum data_form form)
{
	struct finding findings[G_N_ELEMENTS(rows)];
	struct doctor_verdict v = { 0 };
	int status;

	memset(findings, 0, sizeof(findings));
	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		findings[i].name = rows[i].name;
		rows[i].find(m, &findings[i]);
	}
	verdict_make(m, &v);
	status = v.command ? 0 : EXIT_NOT_HERE;
	if (form && report_data(form, m, findings, G_N_ELEMENTS(rows), &v))
		status = 1;
	if (!form)
		report_text(m, findings, G_N_ELEMENTS(rows), &v);
	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_free(findings[i].evidence);
		g_free(findings[i].fix);
	}
	verdict_clear(&v);
	return status;
}

#define OPTION_INTO struct asked
static struct asked {
	const char	*root;
	int		kernels;
} asked;

static const struct option_row options[] = {
	TEXT(0, "root", "DIR", "examine the machine whose files are in DIR", root)
	FLAG(0, "kernels", "list the kernels that guests can have", kernels)
	{ .kind = OPTION_END },
};

int main(int argc, char **argv)
{
	static enum data_form form;
	static const struct option_table tables[] = { { options, &asked },
						      { data_options, &form },
						      { NULL, NULL } };
	static const struct option_program program = {
		.name = "lapwing doctor",
		.usage = "[options] [PROGRAM]",
		.what = "Says what works on this machine, and what would mend the rest.",
		.tables = tables,
		.anywhere = 1,
		.wrong = 2,
	};
	struct machine m = { 0 };
	int status, i = option_parse(&program, argc, argv, &status);

	if (i < 0)
		return status;
	if (argc > i + 1)
		return option_fail(FAILURE_ARGUMENTS, "one PROGRAM at most") ? 2 : 0;
	if (asked.kernels && (asked.root || i < argc)) {
		option_fail(FAILURE_ARGUMENTS, "--kernels takes no --root and no PROGRAM");
		return 2;
	}
	if (asked.kernels)
		return kernels_show(form);
	describe_machine(&m, asked.root, i < argc ? argv[i] : NULL);
	status = examine(&m, form);
	g_free(m.release);
	g_free(m.arch);
	g_free(m.cache);
	g_free(m.symbols);
	g_free(m.no_script);
	return status;
}
