/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - lapwing-doctor: what works on this machine, what does not, and what would mend it.
 *
 *	lapwing doctor [--json] [--root=DIR] [PROGRAM]
 *
 * Exit status: 0 a runtime or a guest works, 1 nothing does, 2 wrong call. It changes nothing.
 */
#include "cmd/doctor/doctor.h"
#include "cmd/doctor/report.h"
#include "cmd/doctor/verdict.h"

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
}

static int examine(const struct machine *m, int json)
{
	struct finding findings[G_N_ELEMENTS(rows)];
	struct doctor_verdict v = { 0 };
	int works;

	memset(findings, 0, sizeof(findings));
	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		findings[i].name = rows[i].name;
		rows[i].find(m, &findings[i]);
	}
	verdict_make(m, &v);
	works = v.command != NULL;
	(json ? report_json : report_text)(m, findings, G_N_ELEMENTS(rows), &v);
	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_free(findings[i].evidence);
		g_free(findings[i].fix);
	}
	verdict_clear(&v);
	return works ? 0 : 1;
}

int main(int argc, char **argv)
{
	gboolean json = FALSE;
	char *root = NULL;
	const GOptionEntry options[] = {
		{ "json", 0, 0, G_OPTION_ARG_NONE, &json, "print JSON", NULL },
		{ "root", 0, 0, G_OPTION_ARG_FILENAME, &root,
		  "examine the machine whose files are in DIR", "DIR" },
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};
	GOptionContext *context = g_option_context_new(
		"[PROGRAM] - what works on this machine, and what would mend the rest");
	struct machine m = { 0 };
	GError *error = NULL;
	int status;

	g_set_prgname("lapwing doctor");	/* as --help has it */
	g_option_context_add_main_entries(context, options, NULL);
	if (!g_option_context_parse(context, &argc, &argv, &error) || argc > 2) {
		fprintf(stderr, "lapwing-doctor: %s\n",
			error ? error->message : "one PROGRAM at most");
		g_clear_error(&error);
		g_option_context_free(context);
		return 2;
	}
	g_option_context_free(context);
	describe_machine(&m, root, argc > 1 ? argv[1] : NULL);
	status = examine(&m, json);
	g_free(m.release);
	g_free(m.arch);
	g_free(m.cache);
	g_free(root);
	return status;
}
