/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits.c - see limits.h.
 */
#include "lib/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first line, in memory that the next call overwrites; NULL: unreadable. */
static const char *first_line(const char *path)
{
	static char line[4096];
	FILE *f = fopen(path, "re");
	const char *got = f ? fgets(line, sizeof(line), f) : NULL;

	if (f)
		fclose(f);
	line[strcspn(line, "\n")] = 0;
	return got;
}

const char *limits_lockdown(void)
{
	static const char *const modes[] = { "integrity", "confidentiality" };
	const char *line = first_line("/sys/kernel/security/lockdown");
	char mark[32];

	for (unsigned i = 0; i < 2; i++) {
		snprintf(mark, sizeof(mark), "[%s]", modes[i]);
		if (line && strstr(line, mark))
			return modes[i];
	}
	line = line ? NULL : first_line("/proc/cmdline");	/* incomplete: Secure Boot may
								 * also enable lockdown */
	for (unsigned i = 0; line && i < 2; i++) {
		snprintf(mark, sizeof(mark), "lockdown=%s", modes[i]);
		if (strstr(line, mark))
			return modes[i];
	}
	return NULL;
}

/* Debian's kernels have levels above 2, where users have no perf events. */
const char *limits_perf(const char *instead)
{
	static char text[320];
	const char *line = first_line("/proc/sys/kernel/perf_event_paranoid");
	int level = line ? atoi(line) : 0;

	if (!geteuid())
		snprintf(text, sizeof(text), "perf_event_open fails even for root: a container's "
			 "root "
			 "needs CAP_PERFMON and a seccomp filter that allows it");
	else
		snprintf(
			text, sizeof(text),
			"perf_event_open is refused (kernel.perf_event_paranoid is %s): run as root or with CAP_PERFMON, or %s%s",
			line ? line : "unknown", level > 2 ? "set it to 2 and " : "", instead);
	return text;
}

const char *limits_symbols(void)
{
	const char *line = first_line("/proc/sys/kernel/kptr_restrict");
	int level = line ? atoi(line) : 0;

	if (level >= 2)
		return "kernel.kptr_restrict is 2: sysctl kernel.kptr_restrict=1";
	if (level == 1)
		return "kernel.kptr_restrict is 1: run as root or with CAP_SYSLOG";
	return "run as root or with CAP_SYSLOG, or set kernel.perf_event_paranoid to 1";
}
