/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userplt.c - the stubs of a program's procedure linkage table, PLT (userfile.h). A stub's function
 * is named by the relocation of the GOT slot that the stub jumps through. This works for all
 * linkers' layouts.
 */
#include "translator/debuginfo/userplt.h"

#include "translator/debuginfo/userfile.h"

#include <fnmatch.h>
#include <gelf.h>
#include <string.h>

static const char *const stub_sections[] = { ".plt.sec", ".plt", ".plt.got", NULL };
static const char *const slot_sections[] = { ".rela.plt", ".rela.dyn", NULL };

/* Maps a slot's address to the symbol's name. */
static GHashTable *read_slots(const struct userfile *f)
{
	GHashTable *slots = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	GElf_Shdr header, dynamic;
	Elf_Scn *symbols = userfile_section(f, ".dynsym", &dynamic);
	Elf_Data *table = symbols ? elf_getdata(symbols, NULL) : NULL;

	for (const char *const *s = slot_sections; table && *s; s++) {
		Elf_Scn *section = userfile_section(f, *s, &header);
		Elf_Data *entries = section ? elf_getdata(section, NULL) : NULL;
		GElf_Rela r;

		for (int i = 0; entries && gelf_getrela(entries, i, &r); i++) {
			GElf_Sym symbol;
			const char *name =
				GELF_R_SYM(r.r_info) &&
						gelf_getsym(table, (int)GELF_R_SYM(r.r_info),
							    &symbol)
					? userfile_string(f, dynamic.sh_link, symbol.st_name)
					: NULL;

			if (name && *name)
				g_hash_table_insert(slots,
						    g_memdup2(&r.r_offset, sizeof(r.r_offset)),
						    (void *)name);
		}
	}
	return slots;
}

/* jmp *slot(%rip), in the first 12 bytes of a stub; returns the address of the slot, or 0. */
static guint64 x86_slot(const guint8 *code, gsize size, guint64 address)
{
	for (gsize i = 0; i + 6 <= MIN(size, 12); i++) {
		gint32 distance;

		if (code[i] != 0xff || code[i + 1] != 0x25)
			continue;
		memcpy(&distance, code + i + 2, sizeof(distance));
		return address + i + 6 + (guint64)(gint64)distance;
	}
	return 0;
}

/* adrp x16, page; ldr x17, [x16, #offset] */
static guint64 arm64_slot(const guint8 *code, gsize size, guint64 address)
{
	for (gsize i = 0; i + 8 <= MIN(size, 12); i += 4) {
		guint32 adrp, ldr;
		gint64 pages;

		memcpy(&adrp, code + i, sizeof(adrp));
		memcpy(&ldr, code + i + 4, sizeof(ldr));
		if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
			continue;
		pages = (gint64)((guint64)((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3)) << 43) >>
			43;
		return ((address + i) & ~0xfffULL) + ((guint64)pages << 12) +
		       (ldr >> 10 & 0xfff) * 8;
	}
	return 0;
}

static int by_name(const void *a, const void *b)
{
	const struct userfile_function *f = a, *g = b;
	int order = strcmp(f->name, g->name);

	return order ? order : (f->address > g->address) - (f->address < g->address);
}

static void add_section(const struct userfile *f, const char *name, const char *pattern,
			GHashTable *slots, GArray *found)
{
	GElf_Shdr header;
	int arm64 = !strcmp(userfile_arch(f), "arm64");
	guint64 step = 16;
	guint8 code[16];

	if (!userfile_section(f, name, &header))
		return;
	if (!strcmp(name, ".plt.got") && header.sh_entsize)
		step = header.sh_entsize;
	for (guint64 at = header.sh_addr; at < header.sh_addr + header.sh_size;
	     at += arm64 ? 4 : step) {
		gsize n = userfile_bytes(f, at, code, arm64 ? 8 : step);
		guint64 slot = arm64 ? arm64_slot(code, n, at) : x86_slot(code, n, at);
		const char *symbol = slot ? g_hash_table_lookup(slots, &slot) : NULL;
		struct userfile_function one = {
			.name = symbol, .address = at, .size = step, .global = 1
		};

		if (symbol && !fnmatch(pattern, symbol, 0))
			g_array_append_val(found, one);
	}
}

GArray *userfile_stubs(const struct userfile *f, const char *pattern)
{
	GArray *found = g_array_new(FALSE, FALSE, sizeof(struct userfile_function));
	GHashTable *slots = read_slots(f);
	GElf_Shdr header;

	for (const char *const *s = stub_sections; *s; s++)
		if (strcmp(*s, ".plt") ||
		    !userfile_section(f, ".plt.sec", &header)) /* else .plt only resolves */
			add_section(f, *s, pattern, slots, found);
	g_array_sort(found, by_name);
	g_hash_table_unref(slots);
	return found;
}
