/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event.c - see event.h. Tables of names, and the modifiers after the name in an event's text;
 * PMUs' own events are looked up in event_sysfs.c and pfm.c.
 */
#include "translator/debuginfo/event.h"

#include "lib/diag.h"
#include "translator/debuginfo/event_sysfs.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CACHE_CONFIG(cache, op, result) \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##op << 8 | PERF_COUNT_HW_CACHE_RESULT_##result << 16)

const struct event_preset event_presets[] = {
#define PRESET(name, papi, note, generic, arm64, x86_64) { #name, papi, note, generic, arm64, x86_64 },
#define GENERIC(name, alias, type, config)
#define CACHE(name, cache)
#include "translator/debuginfo/event.def"
#undef PRESET
#undef GENERIC
#undef CACHE
	{ NULL }
};

const struct event_generic event_generics[] = {
#define PRESET(name, papi, note, generic, arm64, x86_64)
#define GENERIC(name, alias, type, config) { name, alias, type, config },
#define CACHE(name, cache) \
	{ name "-loads", NULL, PERF_TYPE_HW_CACHE, CACHE_CONFIG(cache, READ, ACCESS) }, \
	{ name "-load-misses", NULL, PERF_TYPE_HW_CACHE, CACHE_CONFIG(cache, READ, MISS) }, \
	{ name "-stores", NULL, PERF_TYPE_HW_CACHE, CACHE_CONFIG(cache, WRITE, ACCESS) }, \
	{ name "-store-misses", NULL, PERF_TYPE_HW_CACHE, CACHE_CONFIG(cache, WRITE, MISS) }, \
	{ name "-prefetches", NULL, PERF_TYPE_HW_CACHE, CACHE_CONFIG(cache, PREFETCH, ACCESS) }, \
	{ name "-prefetch-misses", NULL, PERF_TYPE_HW_CACHE, CACHE_CONFIG(cache, PREFETCH, MISS) },
#include "translator/debuginfo/event.def"
#undef PRESET
#undef GENERIC
#undef CACHE
	{ NULL }
};

static int fail(char **why, char *text)
{
	*why = text;
	return -1;
}

static int number(const char *text, guint64 *value)
{
	char *end;

	*value = g_ascii_strtoull(text, &end, 0);
	return end != text && !*end && *text != '-';
}

/* ---- names --------------------------------------------------------------------*/

/* "branch_misses" and "branch-misses" are the same name. */
static int same(const char *name, const char *text)
{
	for (; *name && *text; name++, text++)
		if (g_ascii_tolower(*name) != g_ascii_tolower(*text) &&
		    !(*name == '-' && *text == '_'))
			return 0;
	return !*name && !*text;
}

static int find_generic(const char *name, struct event *e)
{
	const struct event_generic *g = event_generics;

	while (g->name && !same(g->name, name) && !(g->alias && same(g->alias, name)))
		g++;
	if (!g->name)
		return 0;
	e->type = g->type;
	e->config[0] = g->config;
	g_strlcpy(e->from, g->type == PERF_TYPE_SOFTWARE ? "software" : "perf", sizeof(e->from));
	return 1;
}

const char *event_generic_name(guint32 type, guint64 config)
{
	const struct event_generic *g = event_generics;

	while (g->name && (g->type != type || g->config != config))
		g++;
	return g->name;
}

/* The message for a portable name that is not known for this PMU, or if there is no PMU. */
static char *say_uncounted(const struct event_machine *m, const struct event_preset *p)
{
	int lacks_pmu = m->is_here && !strcmp(m->arch, "x86_64") &&
			!event_pmu_type(&m->host, "cpu") && !event_pmu_type(&m->host, "cpu_core");

	return g_strdup_printf(
		lacks_pmu
			? "no event '%s' (%s) here: this machine has no PMU, as most virtual machines; lapwing events lists what "
			  "it counts"
			: "no event of this machine is known to count '%s' (%s)",
		p->name, p->note);
}

/* 1: found, 0: not a preset, -1 with *why: a preset that this PMU lacks. */
static int find_preset(const struct event_machine *m, const char *name, struct event *e, char **why)
{
	const struct event_preset *p = event_presets;
	int found = 0;

	while (p->name && !same(p->name, name) && g_ascii_strcasecmp(p->papi, name))
		p++;
	if (!p->name)
		return 0;
	if (p->generic) {
		found = find_generic(p->generic, e);
	} else if (!strcmp(m->arch, "arm64") && p->arm64 >= 0) {
		e->type = PERF_TYPE_RAW;
		e->config[0] = (guint64)p->arm64;
		found = 1;
	} else if (!strcmp(m->arch, "x86_64") && p->x86_64 && m->library && m->is_here) {
		char **names = g_strsplit(p->x86_64, "|", -1);

		for (char **n = names; *n && !found; n++) {
			g_clear_pointer(why, g_free);
			found = !m->library(*n, e, why);
		}
		g_strfreev(names);
		g_clear_pointer(why, g_free);
	}
	g_strlcpy(e->from, "preset", sizeof(e->from));
	return found ? 1 : fail(why, say_uncounted(m, p));
}

static int find_raw(const struct event_machine *m, const char *name, struct event *e, char **why)
{
	if (!m->guru)
		return fail(
			why,
			g_strdup(
				"raw codes go to the PMU's registers as they are: they need -g (of record and events: --guru)"));
	if (!number(name + 4, &e->config[0]))
		return fail(
			why,
			g_strdup_printf("'%s': expected raw:0x and the code in hexadecimal", name));
	e->type = PERF_TYPE_RAW;
	g_strlcpy(e->from, "raw", sizeof(e->from));
	return 0;
}

/* Appends "; did you mean 'instructions'?", where a portable name or one of perf is close. */
static void suggest(const char *name, char **why)
{
	GPtrArray *names = g_ptr_array_new();
	char *similar, *longer;

	for (const struct event_preset *p = event_presets; p->name; p++)
		g_ptr_array_add(names, (void *)p->name);
	for (const struct event_generic *g = event_generics; g->name; g++) {
		g_ptr_array_add(names, (void *)g->name);
		if (g->alias)
			g_ptr_array_add(names, (void *)g->alias);
	}
	similar = diag_similar(name, names, 1);
	if (diag_is_close(name, similar)) {
		longer = g_strdup_printf("%s; did you mean '%s'?", *why, similar);
		g_free(*why);
		*why = longer;
	}
	g_free(similar);
	g_ptr_array_unref(names);
}

/* Looks the name up in all sources, "PMU/event=0x3c/" included. 0, or -1 with *why. */
static int find_name(const struct event_machine *m, const char *name, struct event *e, char **why)
{
	int found, rc;

	if (g_str_has_prefix(name, "raw:"))
		return find_raw(m, name, e, why);
	if (strchr(name, '/'))
		return event_from_sysfs(m, name, e, why);
	found = find_preset(m, name, e, why);
	if (found || find_generic(name, e))
		return found < 0 ? -1 : 0;
	if (m->library && m->is_here)
		rc = m->library(name, e, why);
	else
		rc = fail(why,
			  g_strdup_printf(
				  "no event '%s': lapwing events lists the portable names; those of a PMU are known where it is",
				  name));
	if (rc)
		suggest(name, why);
	return rc;
}

/* ---- modifiers --------------------------------------------------------------------*/

static int take_letters(const char *text, struct event *e)
{
	for (const char *p = text; *p; p++)
		if (!strchr("ukhp", *p))
			return 0;
	for (const char *p = text; *p; p++) {
		e->only_user |= *p == 'u';
		e->only_kernel |= *p == 'k';
		e->only_hypervisor |= *p == 'h';
		e->precise += *p == 'p';
	}
	return *text != 0;
}

static int is_rate(const char *text)
{
	return g_str_has_prefix(text, "period=") || g_str_has_prefix(text, "freq=");
}

/* "u=1", "period=2000". */
static int take_setting(const char *text, struct event *e)
{
	const char *equal = strchr(text, '=');
	guint64 value = 0;

	if (!equal || !number(equal + 1, &value) || (is_rate(text) && !value))
		return 0;
	if (g_str_has_prefix(text, "u="))
		e->only_user = value != 0;
	else if (g_str_has_prefix(text, "k="))
		e->only_kernel = value != 0;
	else if (g_str_has_prefix(text, "h="))
		e->only_hypervisor = value != 0;
	else if (g_str_has_prefix(text, "period="))
		e->period = value;
	else if (g_str_has_prefix(text, "freq="))
		e->hertz = value;
	else if (g_str_has_prefix(text, "precise="))
		e->precise = (unsigned)value;
	else
		return 0;
	return 1;
}

static int take_modifier(const char *text, struct event *e)
{
	guint64 value;

	if (!number(text, &value))
		return take_letters(text, e) || take_setting(text, e);
	e->period = value;
	return value != 0;
}

/* Of a name that nobody knows: true if its last part was meant as a period. */
static int is_bad_period(const char *name)
{
	const char *part = strrchr(name, ':');

	return part && part[1] && !g_str_has_prefix(name, "raw:") && (strchr("0123456789+-.", part[1]) || is_rate(part + 1));
}

static void explain_period(const char *name, char **why)
{
	const char *part = strrchr(name, ':') + 1;

	g_free(*why);
	*why = g_strdup_printf("event '%s': '%s' is no period: expected a whole number above 0, as in '%.*s:1000000'",
			       name, part, (int)(part - 1 - name), name);
}

/* Strips modifiers from the right; the rest is the name. */
static void take_modifiers(char *name, struct event *e)
{
	char *colon;

	while ((colon = strrchr(name, ':')) && colon > name && colon[-1] != ':' &&
	       !(colon == name + 3 && !strncmp(name, "raw", 3))) {
		if (!take_modifier(colon + 1, e))
			return;
		*colon = 0;
	}
}

static int take_registers(const struct event_machine *m, char *text, struct event *e, char **why)
{
	static const char *const names[] = { "config", "config1", "config2" };
	char **parts = g_strsplit(text, ",", -1);
	int rc = 0;

	for (char **p = parts; *p && !rc; p++) {
		char *equal = strchr(*p, '=');
		unsigned i = 0;
		guint64 value;

		while (equal && i < 3 &&
		       strncmp(names[i], *p, MAX(strlen(names[i]), (size_t)(equal - *p))))
			i++;
		if (g_str_has_prefix(*p, "pmc["))
			rc = fail(why, g_strdup_printf("'%s': only Itanium's PMU had such registers; today an event is chosen by its "
						       "name (lapwing events), with config=, config1= or config2= and a number "
						       "behind it for what its name does not say", *p));
		else if (!equal || i == 3 || !number(equal + 1, &value))
			rc = fail(
				why,
				g_strdup_printf(
					"'%s': expected config=, config1= or config2= and a number",
					*p));
		else if (!m->guru)
			rc = fail(why,
				  g_strdup_printf(
					  "'%s' goes to the PMU's registers as it is: it needs -g",
					  *p));
		else
			e->config[i] = value;
	}
	g_strfreev(parts);
	return rc;
}

/* The start of ",config1=...", outside PMU/a=1,b=2/. */
static char *find_registers(char *text)
{
	char *slash = strrchr(text, '/');

	return strchr(slash ? slash : text, ',');
}

int event_encode(const struct event_machine *m, const char *text, struct event *e, char **why)
{
	char *name = g_strdup(text), *registers = find_registers(name);
	struct event plain;
	int rc;

	memset(e, 0, sizeof(*e));
	*why = NULL;
	if (registers)
		*registers++ = 0;
	take_modifiers(name, e);
	plain = *e;
	rc = *name ? find_name(m, name, e, why)
		   : fail(why, g_strdup("expected the name of an event"));
	if (rc && is_bad_period(name))
		explain_period(name, why);
	if (!rc && plain.precise)
		e->precise = plain.precise;
	if (!rc && e->precise > 3)
		rc = fail(why, g_strdup("precise levels are 0 to 3"));
	if (!rc && registers)
		rc = take_registers(m, registers, e, why);
	if (!rc && m->is_here)
		event_find_cores(&m->host, e);
	g_free(name);
	return rc;
}

/* ---- messages of lapwing-events ---------------------------------------------------*/

char *event_format(const struct event *e)
{
	return g_strdup_printf("%u 0x%" G_GINT64_MODIFIER "x 0x%" G_GINT64_MODIFIER
			       "x 0x%" G_GINT64_MODIFIER "x %u",
			       e->type, e->config[0], e->config[1], e->config[2], e->precise);
}

int event_parse(const char *line, struct event *e)
{
	if (sscanf(line,
		   "%u 0x%" G_GINT64_MODIFIER "x 0x%" G_GINT64_MODIFIER "x 0x%" G_GINT64_MODIFIER
		   "x %u",
		   &e->type, &e->config[0], &e->config[1], &e->config[2], &e->precise) != 5)
		return -1;
	g_strlcpy(e->from, "libpfm4", sizeof(e->from));
	return 0;
}
