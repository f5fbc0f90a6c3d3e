/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines.c - see lines.h.
 */
#include "report/lines.h"

#include "report/address.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <unistd.h>

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf, .find_debuginfo = dwfl_standard_find_debuginfo, .section_address = dwfl_offline_section_address,
};

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));

	if (!name)
		name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr));
	return name ? name : "?";
}

/* Where an inlined function is called. */
static void caller_line(Dwarf_Die *unit, Dwarf_Die *die, const char **file, int *line)
{
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	Dwarf_Word number;
	size_t n;

	*line = 0;
	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &number))
		*line = (int)number;
	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attr), &number) && !dwarf_getsrcfiles(unit, &files, &n) && number < n)
		*file = dwarf_filesrc(files, number, NULL, NULL);
}

static void one_place(Dwarf_Die *unit, Dwarf_Addr at, guint64 offset,
		      void (*add)(void *data, guint64 offset, const char *file, guint32 line, const char *function), void *data)
{
	Dwarf_Line *row = dwarf_getsrc_die(unit, at);
	const char *file = row ? dwarf_linesrc(row, NULL, NULL) : NULL;
	Dwarf_Die *scopes = NULL;
	int line = 0, n;

	if (!file || dwarf_lineno(row, &line))
		return;
	n = dwarf_getscopes(unit, at, &scopes);
	for (int i = 0; i < n; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
			continue;
		add(data, offset, file ? file : "?", (guint32)line, name_of(&scopes[i]));
		if (tag == DW_TAG_subprogram)
			break;
		caller_line(unit, &scopes[i], &file, &line);
	}
	if (n <= 0)
		add(data, offset, file, (guint32)line, "");
	free(scopes);
}

void lines_find(int fd, const char *path, const GArray *offsets,
		void (*add)(void *data, guint64 offset, const char *file, guint32 line, const char *function), void *data)
{
	int own = dup(fd);
	Dwfl_Module *module;
	GElf_Addr shift;
	Dwarf_Addr bias;
	Dwfl *dwfl;
	Elf *elf;

	unsetenv("DEBUGINFOD_URLS");	/* libdwfl would ask there, and wait */
	dwfl = own >= 0 ? dwfl_begin(&callbacks) : NULL;
	if (!dwfl)
		return;
	module = dwfl_report_offline(dwfl, path, path, own);
	dwfl_report_end(dwfl, NULL, NULL);
	elf = module ? dwfl_module_getelf(module, &shift) : NULL;
	if (elf && dwfl_module_getdwarf(module, &bias))
		for (guint i = 0; i < offsets->len; i++) {
			guint64 offset = g_array_index(offsets, guint64, i);
			GElf_Addr at;
			Dwarf_Die *unit = address_of(elf, offset, &at) ? NULL : dwfl_module_addrdie(module, at + shift, &bias);

			if (unit)
				one_place(unit, at + shift - bias, offset, add, data);
		}
	if (!module)
		close(own);
	dwfl_end(dwfl);
}
