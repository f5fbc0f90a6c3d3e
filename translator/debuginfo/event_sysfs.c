/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_sysfs.c - events as the kernel's PMUs describe them in /sys/bus/event_source/devices.
 *
 *	PMU/event=0x3c,umask=1,inv/	PMU/format gives each term's bits; a term without value is 1
 *	PMU/NAME/			PMU/events/NAME holds the terms
 */
#include "translator/debuginfo/event_sysfs.h"

#include "translator/debuginfo/event.h"

#include <stdlib.h>
#include <string.h>

#define DEVICES "/sys/bus/event_source/devices"

static char *read_file(const struct host *host, const char *pmu, const char *folder,
		       const char *name)
{
	char *path = g_strdup_printf(DEVICES "/%s/%s%s", pmu, folder, name),
	     *text = host_read(host, path);

	g_free(path);
	return text;
}

guint32 event_pmu_type(const struct host *host, const char *pmu)
{
	char *text = read_file(host, pmu, "", "type");
	guint32 type = text ? (guint32)strtoul(text, NULL, 10) : 0;

	g_free(text);
	return type;
}

static gint by_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

GPtrArray *event_core_pmus(const struct host *host)
{
	GPtrArray *found = g_ptr_array_new_with_free_func(g_free);
	char *path = g_strconcat(host->root, DEVICES, NULL);
	GDir *dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		char *cpus = read_file(host, name, "", "cpus");

		if (cpus && strcmp(name, "cpu") &&
		    (g_str_has_prefix(name, "cpu") || g_str_has_prefix(name, "armv")))
			g_ptr_array_add(found, g_strdup_printf("%s %s", name, cpus));
		g_free(cpus);
	}
	if (dir)
		g_dir_close(dir);
	g_free(path);
	if (found->len < 2)
		g_ptr_array_set_size(found, 0);
	g_ptr_array_sort(found, by_text);
	return found;
}

/* A number in a PMU's folder caps; 0: it has none. */
static unsigned capability(const struct host *host, const char *pmu, const char *name)
{
	char *text = read_file(host, pmu, "caps/", name);
	unsigned n = text ? (unsigned)strtoul(text, NULL, 10) : 0;

	g_free(text);
	return n;
}

static void add_precise(const struct host *host, const char *pmu, GPtrArray *to)
{
	unsigned most = capability(host, pmu, "max_precise"), branches = capability(host, pmu, "branches");
	char *loads = read_file(host, pmu, "events/", "mem-loads");

	if (most && most <= 3)
		g_ptr_array_add(to, g_strdup_printf("%s: precise to :%.*s", pmu, (int)most, "ppp"));
	if (branches)
		g_ptr_array_add(to, g_strdup_printf("%s: the last %u branches", pmu, branches));
	if (loads)
		g_ptr_array_add(to, g_strdup_printf("%s: mem-loads with address, latency and source", pmu));
	if (g_str_has_prefix(pmu, "ibs_op"))
		g_ptr_array_add(to, g_strdup_printf("%s: IBS with address, latency and source", pmu));
	if (g_str_has_prefix(pmu, "arm_spe"))
		g_ptr_array_add(to, g_strdup_printf("%s: SPE with address, latency and source, in the user runtime", pmu));
	g_free(loads);
}

GPtrArray *event_precise(const struct host *host)
{
	GPtrArray *found = g_ptr_array_new_with_free_func(g_free);
	char *path = g_strconcat(host->root, DEVICES, NULL);
	GDir *dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		add_precise(host, name, found);
	if (dir)
		g_dir_close(dir);
	g_free(path);
	g_ptr_array_sort(found, by_text);
	return found;
}

/* perf's generic events have no PMU number: the kernel counts them on all types of CPU. */
void event_find_cores(const struct host *host, struct event *e)
{
	GPtrArray *pmus = event_core_pmus(host);

	for (unsigned i = 0; i < pmus->len; i++) {
		char **words = g_strsplit(pmus->pdata[i], " ", 2);

		if (event_pmu_type(host, words[0]) == e->type) {
			g_strlcpy(e->pmu, words[0], sizeof(e->pmu));
			g_strlcpy(e->cpus, words[1], sizeof(e->cpus));
		}
		g_strfreev(words);
	}
	g_ptr_array_unref(pmus);
}

/* Scatters the value's bits: "config1:0-7,16-23". */
static int place(const char *format, guint64 value, struct event *e)
{
	const char *colon = strchr(format, ':');
	unsigned which = g_str_has_prefix(format, "config1") ? 1
			 : g_str_has_prefix(format, "config2") ? 2
			 : 0;
	char **ranges;

	if (!colon || !g_str_has_prefix(format, "config"))
		return -1;
	ranges = g_strsplit(colon + 1, ",", -1);
	for (char **r = ranges; *r; r++) {
		char *end;
		guint64 low = strtoul(*r, &end, 10),
			high = *end == '-' ? strtoul(end + 1, NULL, 10) : low,
			bits = high - low + 1;

		if (low > high || high > 63)
			break;
		e->config[which] |= (bits < 64 ? value & ((1ULL << bits) - 1) : value) << low;
		value = bits < 64 ? value >> bits : 0;
	}
	g_strfreev(ranges);
	return value ? -1 : 0;
}

static int take_term(const struct event_machine *m, const char *pmu, const char *term,
		     struct event *e, char **why)
{
	const char *equal = strchr(term, '=');
	char *name = equal ? g_strndup(term, equal - term) : g_strdup(term),
	     *format = read_file(&m->host, pmu, "format/", name);
	guint64 value = equal ? g_ascii_strtoull(equal + 1, NULL, 0) : 1;
	int rc = 0;

	if (!format)
		*why = g_strdup_printf("PMU '%s' has neither an event nor a term '%s'", pmu, name);
	else if (place(format, value, e))
		*why = g_strdup_printf("the value of '%s' is larger than its field, %s", term, format);
	if (*why)
		rc = -1;
	g_free(format);
	g_free(name);
	return rc;
}

int event_from_sysfs(const struct event_machine *m, const char *text, struct event *e, char **why)
{
	char **parts = g_strsplit(text, "/", 3), *alias, **terms;
	int rc = 0;

	*why = NULL;
	if (!m->is_here || g_strv_length(parts) != 3 || *parts[2]) {
		*why = g_strdup_printf(m->is_here ? "'%s': expected PMU/EVENT/ or PMU/TERM=VALUE,.../" :
				       "'%s': sysfs of another machine cannot be asked", text);
		g_strfreev(parts);
		return -1;
	}
	e->type = event_pmu_type(&m->host, parts[0]);
	if (!e->type)
		*why = g_strdup_printf("this machine has no PMU '%s': " DEVICES " holds those that it has", parts[0]);
	alias = read_file(&m->host, parts[0], "events/", parts[1]);
	terms = g_strsplit(alias ? alias : parts[1], ",", -1);
	rc = *why ? -1 : 0;
	for (char **t = terms; *t && !rc; t++)
		rc = take_term(m, parts[0], *t, e, why);
	g_strlcpy(e->from, "sysfs", sizeof(e->from));
	g_strfreev(terms);
	g_free(alias);
	g_strfreev(parts);
	return rc;
}
