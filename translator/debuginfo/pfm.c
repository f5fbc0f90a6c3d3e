/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pfm.c - see pfm.h.
 */
#include "translator/debuginfo/pfm.h"

#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>
#include <string.h>

/* 0, or libpfm4's error. Events of another machine's PMU (LIBPFM_FORCE_PMU) are encoded too. */
static int start(void)
{
	static int started = 1;

	if (started > 0) {
		g_setenv("LIBPFM_ENCODE_INACTIVE", "1", FALSE);
		started = pfm_initialize();
	}
	return started;
}

/* PMUs of this machine. Other kinds (perf's own events, tracepoints) are handled elsewhere. */
static int is_core(const pfm_pmu_info_t *p)
{
	return p->is_present && (p->type == PFM_PMU_TYPE_CORE || p->type == PFM_PMU_TYPE_UNCORE);
}

static int next_pmu(int at, pfm_pmu_info_t *p)
{
	for (at++; at < PFM_PMU_MAX; at++) {
		memset(p, 0, sizeof(*p));
		p->size = sizeof(*p);
		if (pfm_get_pmu_info((pfm_pmu_t)at, p) == PFM_SUCCESS && is_core(p))
			return at;
	}
	return -1;
}

/* The message for a name that is in none of this machine's tables. */
static char *say_unknown(const char *name)
{
	char *pmus = pfm_describe(), *text;

	text = *pmus ? g_strdup_printf(
			       "no event '%s' here: lapwing events lists those that this machine has",
			       name)
		     : g_strdup_printf(
			       "no event '%s' here: this machine has no PMU whose events libpfm4 knows, as most virtual machines; lapwing events "
			       "lists what it counts",
			       name);
	g_free(pmus);
	return text;
}

int pfm_encode(const char *name, struct event *e, char **why)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg), .cpu = -1 };
	int rc = start();

	if (!rc)
		rc = pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT,
					       &arg);
	if (rc) {
		*why = rc == PFM_ERR_NOTFOUND ? say_unknown(name) :
		       g_strdup_printf("event '%s': libpfm4 says: %s", name, pfm_strerror(rc));
		return -1;
	}
	e->type = attr.type;
	e->config[0] = attr.config;
	e->config[1] = attr.config1;
	e->config[2] = attr.config2;
	e->precise = attr.precise_ip;
	g_strlcpy(e->from, "libpfm4", sizeof(e->from));
	return 0;
}

static void list_masks(const pfm_event_info_t *event, const char *base, const char *pmu,
		       void (*each)(const char *name, const char *note, const char *pmu,
				    void *data),
		       void *data)
{
	for (int i = 0; i < event->nattrs; i++) {
		pfm_event_attr_info_t a = { .size = sizeof(a) };
		char *name;

		if (pfm_get_event_attr_info(event->idx, i, PFM_OS_NONE, &a) != PFM_SUCCESS ||
		    a.type != PFM_ATTR_UMASK)
			continue;
		name = g_strconcat(base, ":", a.name, NULL);
		each(name, a.desc, pmu, data);
		g_free(name);
	}
}

void pfm_list(void (*each)(const char *name, const char *note, const char *pmu, void *data),
	      void *data)
{
	pfm_pmu_info_t p;

	if (start())
		return;
	for (int at = next_pmu(-1, &p); at >= 0; at = next_pmu(at, &p))
		for (int i = p.first_event; i != -1; i = pfm_get_event_next(i)) {
			pfm_event_info_t event = { .size = sizeof(event) };
			char *name;

			if (pfm_get_event_info(i, PFM_OS_NONE, &event) != PFM_SUCCESS)
				continue;
			name = g_strconcat(p.name, "::", event.name, NULL);
			each(name, event.desc, p.desc, data);
			list_masks(&event, name, p.desc, each, data);
			g_free(name);
		}
}

char *pfm_describe(void)
{
	GString *out = g_string_new(NULL);
	pfm_pmu_info_t p;

	for (int at = start() ? -1 : next_pmu(-1, &p); at >= 0; at = next_pmu(at, &p))
		if (p.type == PFM_PMU_TYPE_CORE)
			g_string_append_printf(out, "%s%s (%s, %d counters)", out->len ? ", " : "",
					       p.name, p.desc, p.num_cntrs + p.num_fixed_cntrs);
	return g_string_free(out, FALSE);
}
