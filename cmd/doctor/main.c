/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - lapwing-doctor: shows what works on this machine, what does not, and how to fix the
 * rest.
 *
 *	lapwing doctor [--json] [--root=DIR] [PROGRAM]
 *	lapwing doctor --kernels [--json]
 *
 * Exit status: 0 a runtime or a guest works, 1 nothing does, 2 wrong usage; of --kernels: 0
 * complete list, 1 only the cache, because the package archive cannot be reached. It changes
 * nothing, but --kernels reads the archive's lists into the cache.
 */

#include "cmd/doctor/doctor.h"
#include "cmd/doctor/kernels.h"
#include "cmd/doctor/report.h"
#include "cmd/doctor/verdict.h"
#include "lib/options.h"

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

void finding_set(struct finding *f, enum state state, char *evidence, const char *means, char *fix)
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
	m->cache = root              ? g_strdup("/var/cache/lapwing")
		   : cache && *cache ? g_strdup(cache)
				     : g_build_filename(g_get_user_cache_dir(), "lapwing", NULL);
}

static int examine(const struct machine *m, int json)
{
	struct finding findings[G_N_ELEMENTS(rows)];
	struct verdict v = { 0 };
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

static struct options {
	const char	*root;
	int		json, kernels;
} opt;

#define OPTIONS_IN struct options
static const struct option_row option_rows[] = {
#include "cmd/doctor/doctor.def"
OPTIONS_END
};

static const struct option_program program = {
	.name = "lapwing doctor", .rows = option_rows, .usage_status = 2,
	.usage = "Usage: lapwing doctor [OPTION]... [PROGRAM]\n"
		 "Shows what works on this machine and how to fix the rest.\n",
};

static int check(const struct option_words *words)
{
	if (words->count > 1)
		return options_fail("expected at most one PROGRAM");
	if (opt.kernels && (opt.root || words->count))
		return options_fail(
			"--kernels lists guests for this machine: it excludes --root and "
			"a PROGRAM");
	return 0;
}

int main(int argc, char **argv)
{
	struct machine m = { 0 };
	struct option_words words;
	int status;

	options_read_or_exit(&program, &opt, argc, argv, &words);
	if (check(&words))
		return 2;
	if (opt.kernels)
		return kernels_list(opt.json);
	describe_machine(&m, opt.root, words.word[0]);
	status = examine(&m, opt.json);
	g_free(m.release);
	g_free(m.arch);
	g_free(m.cache);
	return status;
}
