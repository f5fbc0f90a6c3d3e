/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_die.c - see dwarf_die.h. It knows no places and no types.
 */
#include "translator/debuginfo/dwarf_die.h"

#include "translator/debuginfo/dwarf_private.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

int dwarf_file_matches(const char *path, const char *wanted)
{
	char *ending;
	int matches;

	if (!wanted || !path)
		return !wanted;
	ending = g_strconcat("*/", wanted, NULL);
	matches = !fnmatch(wanted, path, 0) || !fnmatch(ending, path, 0);
	g_free(ending);
	return matches;
}

/*
 * libdw's dwarf_decl_file() takes file 0 for none. In DWARF 5 it is the unit's primary file, which
 * clang refers to by 0, and gcc by 1 (section 6.2.4 of the standard).
 */
static const char *declared_in(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	Dwarf_Half version;
	Dwarf_Word number;
	Dwarf_Die unit;
	size_t n;

	if (dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_file, &attr), &number))
		return NULL;
	if (number || dwarf_cu_info(attr.cu, &version, NULL, &unit, NULL, NULL, NULL, NULL) ||
	    version < 5 || dwarf_getsrcfiles(&unit, &files, &n) || !n)
		return dwarf_decl_file(die);
	return dwarf_filesrc(files, 0, NULL, NULL);
}

/* Of a unit with a file of its own (.dwo) libdw reads no table of files: it is the unit's. */
const char *dwarf_source(Dwarf_Die *die)
{
	Dwarf_Die unit;
	uint8_t type;

	if (dwarf_cu_info(die->cu, NULL, &type, &unit, NULL, NULL, NULL, NULL) ||
	    type != DW_UT_split_compile)
		return declared_in(die);
	return dwarf_diename(&unit);
}

char *dwarf_scoped_name(Dwarf_Die *die)
{
	GString *name = g_string_new(dwarf_diename(die));
	Dwarf_Die declared = *die, *scopes = NULL;
	Dwarf_Attribute attr;
	int n;

	while ((dwarf_attr(&declared, DW_AT_abstract_origin, &attr) ||
		dwarf_attr(&declared, DW_AT_specification, &attr)) &&
	       dwarf_formref_die(&attr, &declared))
		;
	n = dwarf_getscopes_die(&declared, &scopes);
	for (int i = 1; i < n - 1; i++)
		if (dwarf_diename(&scopes[i])) {
			g_string_prepend(name, "::");
			g_string_prepend(name, dwarf_diename(&scopes[i]));
		}
	free(scopes);
	return g_string_free(name, FALSE);
}

int dwarf_has_name(Dwarf_Die *die, const char *name)
{
	char *scoped;
	int has;

	if (!dwarf_diename(die) || !strstr(name, "::"))
		return dwarf_diename(die) && !strcmp(dwarf_diename(die), name);
	scoped = dwarf_scoped_name(die);
	has = !strcmp(scoped, name);
	g_free(scoped);
	return has;
}

int dwarf_whole_unit(Dwarf_Die *unit, Dwarf_Die *whole)
{
	Dwarf_Die split;
	uint8_t type;

	*whole = *unit;
	if (dwarf_cu_info(unit->cu, NULL, &type, NULL, &split, NULL, NULL, NULL) ||
	    type != DW_UT_skeleton)
		return 1;
	*whole = split;
	return split.cu != NULL;
}

int dwarf_visit_scope(Dwarf_Die *scope, dwarf_visit_fn *visit, void *data)
{
	Dwarf_Die child;
	int done = 0;

	if (dwarf_child(scope, &child))
		return 0;
	do {
		done = visit(data, &child) || (dwarf_tag(&child) == DW_TAG_namespace &&
					       dwarf_visit_scope(&child, visit, data));
	} while (!done && !dwarf_siblingof(&child, &child));
	return done;
}

int dwarf_visit(struct dwarf *d, dwarf_visit_fn *visit, void *data)
{
	Dwarf_Die *unit = NULL, whole;
	Dwarf_Addr bias;
	int done = 0;

	while (!done && (unit = dwfl_module_nextcu(d->module, unit, &bias)))
		done = dwarf_whole_unit(unit, &whole) && dwarf_visit_scope(&whole, visit, data);
	return done;
}
