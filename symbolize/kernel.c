/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.c - the running kernel's symbols and source lines; see symfile.h. Addresses come from
 * kallsyms, lines from a vmlinux of the same build with DWARF, and from modules' files (modules.h).
 */
#include "symbolize/kernel.h"

#include "lib/ksyms.h"
#include "symbolize/elffile.h"
#include "symbolize/lines.h"
#include "symbolize/modules.h"
#include "symbolize/symfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* ---- lines ------------------------------------------------------------------------*/

/* True for the file of the running kernel. */
static int is_running(const struct elf *e)
{
	char running[ELF_ID], id[ELF_ID];

	elf_kernel_id(running);
	elf_build_id(e, id);
	return *id && !strcmp(id, running);
}

static int open_vmlinux(struct elf *e)
{
	static const char *const places[] = {
		"/usr/lib/debug/boot/vmlinux-%s",
		"/usr/lib/debug/lib/modules/%s/vmlinux",
		"/boot/vmlinux-%s",
		"/lib/modules/%s/build/vmlinux",
	};
	struct utsname kernel;

	if (uname(&kernel))
		return -1;
	for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char path[256];

		snprintf(path, sizeof(path), places[i], kernel.release);
		if (elf_open(e, path))
			continue;
		if (is_running(e))
			return 0;
		elf_close(e);
	}
	return -1;
}

struct slide {
	u64	bytes;			/* difference between its addresses and run-time
					 * addresses */
	u64	start, end;		/* of its text, at run time */
};

static int place_in_memory(const void *arg, u64 address, u64 *at)
{
	const struct slide *slide = arg;

	*at = address + slide->bytes;
	return *at >= slide->start && *at < slide->end ? 0 : -1;
}

static u64 address_of(const struct ksyms *k, const char *name)
{
	const struct ksym *s = ksyms_find(k, name);

	return s ? s->address : 0;
}

/* The text segment begins with _stext's page; KASLR moves all of it by the same distance. */
static struct lines *take_lines(const struct ksyms *k, struct elf *vmlinux, struct table *b)
{
	struct slide slide = { .start = address_of(k, "_stext"), .end = address_of(k, "_etext") };

	if (!slide.start || open_vmlinux(vmlinux))
		return NULL;
	slide.end = slide.end ? slide.end : ~0ULL;
	for (unsigned i = 0; i < vmlinux->eh->e_phnum; i++)
		if (vmlinux->ph[i].p_type == PT_LOAD && vmlinux->ph[i].p_flags & PF_X) {
			slide.bytes = (slide.start & ~0xfffULL) - vmlinux->ph[i].p_vaddr;
			return lines_take(vmlinux, NULL, place_in_memory, &slide, b);
		}
	return NULL;
}

/* ---- symbols ----------------------------------------------------------------------*/

struct wire_symtab *symfile_kernel(int with_lines, u64 *bytes)
{
	struct ksyms *k = ksyms_open_running(0);
	struct elf vmlinux = { 0 };
	struct modules *modules = NULL;
	struct lines *lines = NULL;
	struct table b = { 0 };
	struct wire_symtab *t = NULL;

	for (u32 i = 0; k && i < k->n; i++) {
		const struct ksym *s = &k->sym[i];
		const char *name = k->text + s->name;

		/* Padding in front of functions and arm64's mapping symbols are not functions. */
		if (s->address && name[0] != '$' && strncmp(name, "__pfx_", 6) &&
		    strncmp(name, "__cfi_", 6))
			table_add(&b, s->address, 0, name, s->module ? k->text + s->module : NULL,
				  0);
	}
	if (b.n && with_lines) {
		lines = take_lines(k, &vmlinux, &b);
		modules = modules_lines(&b);
	}
	if (b.n)
		t = table_finish(&b, "kernel", bytes);
	lines_close(lines);
	modules_close(modules);
	elf_close(&vmlinux);
	table_free(&b);
	ksyms_close(k);
	return t;
}

static void take_address(struct symfile_want *w, u64 address, int *hidden)
{
	*hidden |= !address && !w->is_optional;
	if (address && w->n < sizeof(w->addresses) / sizeof(w->addresses[0]))
		w->addresses[w->n++] = address;
}

/* Variables are not in the cached table, and few scripts use any: reads kallsyms for them. */
static void resolve_data(struct symfile_want *wants, unsigned n, int *hidden)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	char *line = NULL, name[128], module[128];
	size_t room = 0;
	u64 address;

	while (f && getline(&line, &room, f) > 0) {
		*module = 0;
		if (sscanf(line, "%llx %*c %127s [%127[^]]", &address, name, module) < 2)
			continue;
		for (struct symfile_want *w = wants; w < wants + n; w++)
			if (w->is_data && !w->n && !strcmp(w->name, name) &&
			    (!w->module || !strcmp(w->module, module)))
				take_address(w, address, hidden);
	}
	free(line);
	if (f)
		fclose(f);
}

int symfile_resolve(struct symfile_want *wants, unsigned n)
{
	struct ksyms *k = ksyms_open_running(0);
	int hidden = 0, data = 0;

	if (!k)
		return -1;
	for (struct symfile_want *w = wants; w < wants + n; w++) {
		data |= w->is_data;
		for (const struct ksym *s = w->is_data ? NULL : ksyms_find(k, w->name); s;
		     s = ksyms_again(k, s))
			if (!w->module || (s->module && !strcmp(w->module, k->text + s->module)))
				take_address(w, s->address, &hidden);
	}
	ksyms_close(k);
	if (data)
		resolve_data(wants, n, &hidden);
	return hidden ? -2 : 0;
}
