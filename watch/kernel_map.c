/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel_map.c - see kernel_map.h. A module's size in /proc/modules is that of all its memory, of which
 * from Linux 6.4 on only the code begins at its address: an area ends with the page of its last function.
 */
#include "watch/kernel_map.h"

#include "lib/sorted.h"
#include "report/build_id.h"
#include "report/capture.h"

#include <stdio.h>
#include <string.h>

#define PAGE	4096

/* struct kernel_area, by address: what is there now, and what was at the reading before. */
static GArray *areas[2];

static void clear_area(void *data)
{
	struct kernel_area *a = data;

	g_free(a->image.path);
	g_clear_pointer(&a->image.build_id, g_bytes_unref);
}

/* With no code yet. Takes the reference. */
static void add(GArray *to, guint64 start, guint64 most, const char *name, GBytes *build_id)
{
	static char every_boot[] = "";
	struct kernel_area a = { start, start, most, { CAP__IMAGE__KIND__KERNEL, NULL, build_id, every_boot } };

	if (!build_id || !start || most <= start) {
		g_clear_pointer(&build_id, g_bytes_unref);
		return;
	}
	a.image.path = g_strdup_printf("[%s]", name);
	g_array_append_val(to, a);
}

static gint by_start(gconstpointer a, gconstpointer b)
{
	const struct kernel_area *r = a, *q = b;

	return (r->start > q->start) - (r->start < q->start);
}

/* "NAME SIZE USES USERS STATE ADDRESS", and flags perhaps. */
static void add_module(GArray *to, const char *line, GBytes *(*id_of)(const char *module))
{
	unsigned long long size, address;
	char name[64];

	if (sscanf(line, "%63s %llu %*s %*s %*s %llx", name, &size, &address) == 3 && address)
		add(to, address, address + size, name, id_of(name));
}

static struct kernel_area *area_named(const GArray *among, const char *name)
{
	for (guint i = 0; i < among->len; i++) {
		struct kernel_area *a = &g_array_index(among, struct kernel_area, i);

		if (!strncmp(a->image.path + 1, name, strlen(a->image.path) - 2) && !name[strlen(a->image.path) - 2])
			return a;
	}
	return NULL;
}

/* Functions of a module follow each other. Those of its beginning are elsewhere, until it has begun. */
static void find_ends(GArray *of, const struct ksyms *symbols)
{
	struct kernel_area *a = NULL;
	uint32_t module = 0;

	for (uint32_t i = 0; i < symbols->n; i++) {
		const struct ksym *s = &symbols->sym[i];

		if (s->module && s->module != module)
			a = area_named(of, symbols->text + s->module);
		module = s->module;
		if (module && a && s->address >= a->start && s->address < a->most)
			a->end = MAX(a->end, MIN((s->address | (PAGE - 1)) + 1, a->most));
	}
}

static void add_kernel(GArray *to, const struct ksyms *symbols, GBytes *build_id)
{
	guint64 start = 0, end = 0;

	for (uint32_t i = 0; i < symbols->n && !(start && end); i++) {
		const struct ksym *s = &symbols->sym[i];

		if (!s->module && !strcmp(symbols->text + s->name, "_stext"))
			start = s->address;
		else if (!s->module && !strcmp(symbols->text + s->name, "_etext"))
			end = s->address;
	}
	add(to, start, end, "kernel", build_id);
	if (to->len)
		g_array_index(to, struct kernel_area, 0).end = end;
}

static void replace(GArray *now)
{
	if (areas[1])
		g_array_unref(areas[1]);
	areas[1] = areas[0];
	areas[0] = now;
}

void kernel_map_take(const char *modules, const struct ksyms *symbols, GBytes *(*id_of)(const char *module))
{
	char **lines = g_strsplit(modules, "\n", 0);
	GArray *now = g_array_new(FALSE, FALSE, sizeof(struct kernel_area));

	g_array_set_clear_func(now, clear_area);
	add_kernel(now, symbols, id_of(NULL));
	for (char **line = lines; *line; line++)
		add_module(now, *line, id_of);
	g_strfreev(lines);
	find_ends(now, symbols);
	g_array_sort(now, by_start);
	replace(now);
}

/* ---- of this machine -----------------------------------------------------------------*/

static GBytes *id_of(const char *module)
{
	char *path = module ? g_build_filename("/sys/module", module, "notes/.note.gnu.build-id", NULL) : NULL;
	GBytes *id = module ? build_id_of_notes(path) : build_id_of_kernel();

	g_free(path);
	return id;
}

void kernel_map_read(void)
{
	static uint64_t known;
	uint64_t key = ksyms_key_running();
	struct ksyms *symbols;
	char *modules;

	if (areas[0] && key == known) {
		g_clear_pointer(&areas[1], g_array_unref);
		return;
	}
	symbols = ksyms_open_running(0);
	if (!symbols) {				/* what is where is not known any more */
		g_clear_pointer(&areas[0], g_array_unref);
		g_clear_pointer(&areas[1], g_array_unref);
		return;
	}
	if (!g_file_get_contents("/proc/modules", &modules, NULL, NULL))
		modules = g_strdup("");			/* a kernel without modules */
	kernel_map_take(modules, symbols, id_of);
	known = key;
	g_free(modules);
	ksyms_close(symbols);
}

/* ---- finding -------------------------------------------------------------------------*/

static const struct kernel_area *find(const GArray *among, guint64 address)
{
	guint n = among ? sorted_until(among, address) : 0;
	const struct kernel_area *a = n ? &g_array_index(among, struct kernel_area, n - 1) : NULL;

	return a && address < a->end ? a : NULL;
}

static int is_same(const struct kernel_area *a, const struct kernel_area *b)
{
	return a->start == b->start && !strcmp(a->image.path, b->image.path) &&
	       g_bytes_equal(a->image.build_id, b->image.build_id);
}

const struct kernel_area *kernel_map_find(guint64 address)
{
	static char path[] = "[unknown]", every_boot[] = "";
	static const struct kernel_area ambiguous = { .image = { CAP__IMAGE__KIND__UNKNOWN, path, NULL, every_boot } };
	const struct kernel_area *now = find(areas[0], address), *before = find(areas[1], address);

	if (now && before && !is_same(now, before))
		return &ambiguous;
	return now ? now : before;
}
