/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userfile.c - see userfile.h. The file is read through libdwfl, which finds symbol tables in other
 * files; offsets come from the segments.
 */
#include "translator/debuginfo/userfile.h"

#include "translator/debuginfo/dwarf.h"
#include "translator/debuginfo/dwarf_private.h"
#include "translator/debuginfo/userbranch.h"
#include "translator/debuginfo/userfde.h"

#include <elfutils/libdwfl.h>
#include <fnmatch.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

struct userfile {
	char		*path;
	Dwfl		*dwfl;
	Dwfl_Module	*module;
	Elf		*elf;
	GElf_Addr	bias;		/* libdwfl's addresses less the file's */
	/*
	 * struct userfile_function by name, address; read on first use, like the next two
	 */
	GArray		*functions;
	GArray		*by_address;	/* the same by address, name */
	guint64		*reach;		/* largest end of by_address[0 .. i] */
	struct dwarf	*dwarf;
	const char	*dwarf_problem;
	int		dwarf_tried;
	struct userbranch *branches;
	struct userfdes	*fdes;
	struct usergo	*go;
};

static int by_name(const void *a, const void *b)
{
	const struct userfile_function *f = a, *g = b;
	int order = strcmp(f->name, g->name);

	return order ? order : (f->address > g->address) - (f->address < g->address);
}

static int by_address(const void *a, const void *b)
{
	const struct userfile_function *f = a, *g = b;

	return f->address == g->address ? strcmp(f->name, g->name)
	       : f->address < g->address ? -1
	       : 1;
}

/* Go's linker gives code from C two symbols: "os/user(.text)" and the function's. */
static int is_section(const char *name)
{
	return g_str_has_suffix(name, ")") && strstr(name, "(.");
}

static void take_symbol(GArray *functions, const char *name, const GElf_Sym *symbol,
			guint64 address)
{
	int type = GELF_ST_TYPE(symbol->st_info);
	struct userfile_function one = { name, address, symbol->st_size,
					 GELF_ST_BIND(symbol->st_info) != STB_LOCAL,
					 type == STT_GNU_IFUNC };

	if (name && *name && symbol->st_shndx != SHN_UNDEF &&
	    (type == STT_FUNC || type == STT_GNU_IFUNC) && !is_section(name))
		g_array_append_val(functions, one);
}

/* Exported names may be in no other symbol table. */
static void read_dynamic(const struct userfile *f, GArray *functions)
{
	GElf_Shdr header;
	Elf_Scn *section = userfile_section(f, ".dynsym", &header);
	Elf_Data *symbols = section ? elf_getdata(section, NULL) : NULL;
	GElf_Sym symbol;

	for (int i = 1; symbols && gelf_getsym(symbols, i, &symbol); i++)
		take_symbol(functions, userfile_string(f, header.sh_link, symbol.st_name), &symbol,
			    symbol.st_value);
}

/*
 * A Go program that loads plugins has two symbols per function, NAME and local.NAME.
 */
static void drop_second_names(struct userfile *f)
{
	GArray *kept = g_array_sized_new(FALSE, FALSE, sizeof(struct userfile_function),
					 f->functions->len);

	for (guint i = 0; i < f->functions->len; i++) {
		const struct userfile_function *one =
			&g_array_index(f->functions, struct userfile_function, i);
		const struct userfile_function *first =
			g_str_has_prefix(one->name, "local.")
				? userfile_named(f, one->name + strlen("local."))
				: NULL;

		if (!first || first->address != one->address)
			g_array_append_vals(kept, one, 1);
	}
	g_array_unref(f->functions);
	f->functions = kept;
}

const GArray *userfile_all(struct userfile *f)
{
	int n = f->functions ? 0 : dwfl_module_getsymtab(f->module);

	if (f->functions)
		return f->functions;
	f->functions = g_array_new(FALSE, FALSE, sizeof(struct userfile_function));
	for (int i = 1; i < n; i++) {
		GElf_Sym symbol;
		GElf_Addr address;
		GElf_Word section;
		const char *name = dwfl_module_getsym_info(f->module, i, &symbol, &address,
							   &section, NULL, NULL);

		take_symbol(f->functions, name, &symbol, address - f->bias);
	}
	read_dynamic(f, f->functions);
	g_array_sort(f->functions, by_name);
	if (userfile_is_go(f))
		drop_second_names(f);
	return f->functions;
}

struct userfile *userfile_open(const char *path, const char **why)
{
	struct userfile *f = g_new0(struct userfile, 1);
	GElf_Ehdr header;

	f->path = g_strdup(path);
	f->module = dwarf_module(path, &f->dwfl);
	f->elf = f->module ? dwfl_module_getelf(f->module, &f->bias) : NULL;
	*why = "it cannot be read, or is no ELF file";
	if (f->elf && gelf_getehdr(f->elf, &header) &&
	    (header.e_type == ET_EXEC || header.e_type == ET_DYN))
		return f;
	if (f->elf)
		*why = "it is neither a program nor a shared library";
	userfile_close(f);
	return NULL;
}

void userfile_close(struct userfile *f)
{
	if (!f)
		return;
	if (f->functions)
		g_array_unref(f->functions);
	if (f->by_address)
		g_array_unref(f->by_address);
	g_free(f->reach);
	dwarf_close(f->dwarf);
	userbranch_free(f->branches);
	userfde_free(f->fdes);
	g_free(f->go);
	dwfl_end(f->dwfl);
	g_free(f->path);
	g_free(f);
}

GArray *userfile_functions(struct userfile *f, const char *pattern)
{
	GArray *found = g_array_new(FALSE, FALSE, sizeof(struct userfile_function));
	GHashTable *seen = g_hash_table_new(g_int64_hash, g_int64_equal);
	int wild = strpbrk(pattern, "*?[") != NULL;
	const GArray *all = userfile_all(f);

	for (guint i = 0; i < all->len; i++) {
		struct userfile_function *one = &g_array_index(all, struct userfile_function, i);

		if ((wild ? fnmatch(pattern, one->name, 0) : strcmp(pattern, one->name)) ||
		    (wild && one->chooses) || !g_hash_table_add(seen, &one->address))
			continue;
		g_array_append_val(found, *one);
	}
	g_hash_table_unref(seen);
	return found;
}

static guint64 end_of(const struct userfile_function *f) { return f->address + MAX(f->size, 1); }

static void sort_by_address(struct userfile *f)
{
	const GArray *all = userfile_all(f);

	f->by_address = g_array_new(FALSE, FALSE, sizeof(struct userfile_function));
	f->reach = g_new(guint64, all->len);
	g_array_append_vals(f->by_address, all->data, all->len);
	g_array_sort(f->by_address, by_address);
	for (guint i = 0; i < all->len; i++) {
		f->reach[i] = end_of(&g_array_index(f->by_address, struct userfile_function, i));
		if (i)
			f->reach[i] = MAX(f->reach[i], f->reach[i - 1]);
	}
}

/* Number of functions that begin at an address or before it. */
static guint begun(const struct userfile *f, guint64 address)
{
	guint low = 0, high = f->by_address->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(f->by_address, struct userfile_function, middle).address <=
		    address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct userfile_function *userfile_around(struct userfile *f, guint64 address,
						const struct userfile_function *after)
{
	const struct userfile_function *all;
	guint i;

	if (!f->by_address)
		sort_by_address(f);
	all = (const struct userfile_function *)f->by_address->data;
	for (i = after ? (guint)(after - all) : begun(f, address); i && f->reach[i - 1] > address;
	     i--)
		if (end_of(&all[i - 1]) > address)
			return &all[i - 1];
	return NULL;
}

int userfile_function_at(struct userfile *f, guint64 address, struct userfile_function *found)
{
	const struct userfile_function *first = NULL, *one = NULL;

	while ((one = userfile_around(f, address, one)))
		if (!first || by_name(one, first) < 0)
			first = one;
	if (first)
		*found = *first;
	return first != NULL;
}

static int named(const void *name, const void *function)
{
	return strcmp(name, ((const struct userfile_function *)function)->name);
}

const struct userfile_function *userfile_named(struct userfile *f, const char *name)
{
	const GArray *all = userfile_all(f);

	return bsearch(name, all->data, all->len, sizeof(struct userfile_function), named);
}

GPtrArray *userfile_names(struct userfile *f)
{
	GPtrArray *names = g_ptr_array_new();
	const GArray *all = userfile_all(f);

	for (guint i = 0; i < all->len; i++)
		g_ptr_array_add(names,
				(void *)g_array_index(all, struct userfile_function, i).name);
	return names;
}

/* How many addresses global symbols of that name have, or else local ones; the first of them. */
static unsigned find_symbol(const struct userfile *f, const char *name, int only_data,
			    guint64 *address)
{
	int n = dwfl_module_getsymtab(f->module);
	unsigned found = 0;
	int found_global = 0;

	for (int i = 1; i < n; i++) {
		GElf_Sym symbol;
		GElf_Word section;
		GElf_Addr at;
		const char *text = dwfl_module_getsym_info(f->module, i, &symbol, &at, &section,
							   NULL, NULL);
		int is_global = GELF_ST_BIND(symbol.st_info) != STB_LOCAL;

		if (!text || section == SHN_UNDEF || strcmp(text, name) ||
		    (only_data && GELF_ST_TYPE(symbol.st_info) > STT_OBJECT))
			continue;
		if (found && (found_global > is_global || at - f->bias == *address))
			continue;
		found = found_global < is_global ? 1 : found + 1;
		if (found == 1)
			*address = at - f->bias;
		found_global = is_global;
	}
	return found;
}

int userfile_symbol(const struct userfile *f, const char *name, guint64 *address)
{
	return find_symbol(f, name, 0, address) > 0;
}

unsigned userfile_variable(const struct userfile *f, const char *name, guint64 *address)
{
	return find_symbol(f, name, 1, address);
}

/* ---- addresses and offsets -----------------------------------------------------------*/

/* The loaded segment that holds an address. 0: none. */
static int find_segment(const struct userfile *f, guint64 address, GElf_Phdr *segment)
{
	size_t n;

	if (elf_getphdrnum(f->elf, &n))
		return 0;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(f->elf, (int)i, segment) && segment->p_type == PT_LOAD &&
		    address - segment->p_vaddr < segment->p_filesz)
			return 1;
	return 0;
}

int userfile_offset(const struct userfile *f, guint64 address, guint64 *offset)
{
	GElf_Phdr segment;

	if (!find_segment(f, address, &segment))
		return 0;
	*offset = address - segment.p_vaddr + segment.p_offset;
	return 1;
}

int userfile_is_code(const struct userfile *f, guint64 address)
{
	GElf_Phdr segment;

	return find_segment(f, address, &segment) && segment.p_flags & PF_X;
}

int userfile_linked(const struct userfile *f, guint64 offset, guint64 *address)
{
	GElf_Phdr segment;
	size_t n;

	if (elf_getphdrnum(f->elf, &n))
		return 0;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(f->elf, (int)i, &segment) && segment.p_type == PT_LOAD &&
		    offset - segment.p_offset < segment.p_filesz) {
			*address = offset - segment.p_offset + segment.p_vaddr;
			return 1;
		}
	return 0;
}

gsize userfile_bytes(const struct userfile *f, guint64 address, void *to, gsize room)
{
	GElf_Phdr segment;
	guint64 offset, left;
	size_t size;
	const char *file = elf_rawfile(f->elf, &size);

	if (!file || !find_segment(f, address, &segment))
		return 0;
	offset = address - segment.p_vaddr + segment.p_offset;
	left = segment.p_filesz - (address - segment.p_vaddr);
	if (offset >= size)
		return 0;
	room = MIN(room, MIN(left, size - offset));
	memcpy(to, file + offset, room);
	return room;
}

/* Linkers put relative relocations before all others, sorted by address. */
guint64 userfile_relocated(const struct userfile *f, guint64 address)
{
	GElf_Shdr header;
	Elf_Scn *section = userfile_section(f, ".rela.dyn", &header);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	guint32 relative =
		strcmp(userfile_arch(f), "arm64") ? R_X86_64_RELATIVE : R_AARCH64_RELATIVE;
	int low = 0, high = data ? (int)MIN(data->d_size / sizeof(Elf64_Rela), G_MAXINT) : 0;

	while (low < high) {
		int middle = low + (high - low) / 2;
		GElf_Rela r;

		if (!gelf_getrela(data, middle, &r))
			return 0;
		if (r.r_offset == address && GELF_R_TYPE(r.r_info) == relative)
			return (guint64)r.r_addend;
		if (r.r_offset < address && GELF_R_TYPE(r.r_info) == relative)
			low = middle + 1;
		else
			high = middle;
	}
	return 0;
}

int userfile_code(const struct userfile *f, unsigned i, guint64 *address, const guint8 **bytes,
		  gsize *size)
{
	size_t n, whole;
	const char *file = elf_rawfile(f->elf, &whole);
	GElf_Phdr segment;

	if (!file || elf_getphdrnum(f->elf, &n))
		return 0;
	for (size_t k = 0; k < n; k++) {
		if (!gelf_getphdr(f->elf, (int)k, &segment) || segment.p_type != PT_LOAD ||
		    !(segment.p_flags & PF_X) || segment.p_offset >= whole || i--)
			continue;
		*address = segment.p_vaddr;
		*bytes = (const guint8 *)file + segment.p_offset;
		*size = MIN(segment.p_filesz, whole - segment.p_offset);
		return 1;
	}
	return 0;
}

struct userbranch **userfile_branches(struct userfile *f)
{
	return &f->branches;
}

struct usergo **userfile_go(struct userfile *f)
{
	return &f->go;
}

struct userfdes **userfile_fdes(struct userfile *f)
{
	return &f->fdes;
}

/* ---- the file as a whole ------------------------------------------------------------*/

const char *userfile_arch(const struct userfile *f)
{
	GElf_Ehdr header;

	if (!gelf_getehdr(f->elf, &header))
		return "unknown";
	if (header.e_ident[EI_CLASS] == ELFCLASS32)
		return "32 bits";
	return header.e_machine == EM_X86_64 ? "x86_64"
	       : header.e_machine == EM_AARCH64 ? "arm64"
	       : "another machine";
}

guint64 userfile_entry(const struct userfile *f)
{
	GElf_Ehdr header;

	return gelf_getehdr(f->elf, &header) ? header.e_entry : 0;
}

Dwfl_Module *userfile_module(const struct userfile *f, guint64 *bias)
{
	*bias = f->bias;
	return f->module;
}

Elf_Scn *userfile_section(const struct userfile *f, const char *name, void *header)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(f->elf, &names))
		return NULL;
	while ((section = elf_nextscn(f->elf, section))) {
		const GElf_Shdr *h = gelf_getshdr(section, header);
		const char *text = h ? elf_strptr(f->elf, names, h->sh_name) : NULL;

		if (text && !strcmp(text, name))
			return section;
	}
	return NULL;
}

const char *userfile_string(const struct userfile *f, guint32 table, guint64 at)
{
	return elf_strptr(f->elf, table, at);
}

int userfile_is_go(const struct userfile *f)
{
	GElf_Shdr header;

	return userfile_section(f, ".go.buildinfo", &header) ||
	       userfile_section(f, ".note.go.buildid", &header) ||
	       userfile_section(f, ".gopclntab", &header);
}

int userfile_unwinds(const struct userfile *f)
{
	/* a version may follow: @CXXABI_1.3 */
	static const char *const personalities[] = { "__gxx_personality_v0",
						     "rust_eh_personality" };
	int n = dwfl_module_getsymtab(f->module);

	for (int i = 1; i < n; i++) {
		GElf_Sym symbol;
		const char *name = dwfl_module_getsym(f->module, i, &symbol, NULL);

		for (unsigned k = 0; name && k < G_N_ELEMENTS(personalities); k++)
			if (strcspn(name, "@") == strlen(personalities[k]) &&
			    g_str_has_prefix(name, personalities[k]))
				return 1;
	}
	return 0;
}

/*
 * contexts: libc's functions, which libraries may also define for others: a file uses them only if
 * the symbol is undefined. fcontexts: Boost's, also in projects that copied its code.
 */
static int switches_stacks(const char *name, int is_defined)
{
	static const char *const contexts[] = { "makecontext", "swapcontext" },
				 *const fcontexts[] = { "jump_fcontext", "ontop_fcontext" };
	size_t n = name ? strcspn(name, "@") : 0;

	for (unsigned i = 0; i < G_N_ELEMENTS(contexts) && !is_defined; i++)
		if (strlen(contexts[i]) == n && !strncmp(name, contexts[i], n))
			return 1;
	for (unsigned i = 0; i < G_N_ELEMENTS(fcontexts); i++)
		if (n >= strlen(fcontexts[i]) &&
		    !strncmp(name + n - strlen(fcontexts[i]), fcontexts[i], strlen(fcontexts[i])))
			return 1;
	return 0;
}

const char *userfile_switches(const struct userfile *f)
{
	static const char *const tables[] = { ".dynsym", ".symtab" };
	GElf_Shdr header;
	GElf_Sym symbol;
	int is_linked = userfile_section(f, tables[0], &header) != NULL;

	for (unsigned t = 0; t < G_N_ELEMENTS(tables); t++) {
		Elf_Scn *section = userfile_section(f, tables[t], &header);
		Elf_Data *symbols = section ? elf_getdata(section, NULL) : NULL;

		for (int i = 1; symbols && gelf_getsym(symbols, i, &symbol); i++) {
			const char *name = userfile_string(f, header.sh_link, symbol.st_name);

			if (switches_stacks(name, symbol.st_shndx != SHN_UNDEF && is_linked))
				return name;
		}
	}
	return NULL;
}

/* Calls take() for each string with that tag in the dynamic section. */
static void each_dynamic(const struct userfile *f, GElf_Sxword tag,
			 void (*take)(const char *text, void *data), void *data)
{
	GElf_Shdr header;
	Elf_Scn *section = userfile_section(f, ".dynamic", &header);
	Elf_Data *entries = section ? elf_getdata(section, NULL) : NULL;
	GElf_Dyn entry;

	for (int i = 0; entries && gelf_getdyn(entries, i, &entry); i++) {
		const char *text = entry.d_tag == tag
					   ? userfile_string(f, header.sh_link, entry.d_un.d_val)
					   : NULL;

		if (text)
			take(text, data);
	}
}

static void take_needed(const char *text, void *data)
{
	g_ptr_array_add(data, (void *)text);
}

static void take_path(const char *text, void *data)
{
	*(const char **)data = text;
}

GPtrArray *userfile_needed(const struct userfile *f)
{
	GPtrArray *names = g_ptr_array_new();

	each_dynamic(f, DT_NEEDED, take_needed, names);
	return names;
}

const char *userfile_library_path(const struct userfile *f)
{
	const char *path = NULL;

	each_dynamic(f, DT_RPATH, take_path, &path);
	each_dynamic(f, DT_RUNPATH, take_path, &path);
	return path;
}

struct dwarf *userfile_dwarf(struct userfile *f, const char **why)
{
	if (!f->dwarf_tried)
		f->dwarf = dwarf_open(f->path, NULL, &f->dwarf_problem);
	f->dwarf_tried = 1;
	*why = f->dwarf_problem;
	return f->dwarf;
}
