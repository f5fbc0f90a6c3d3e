/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debuginfo_private.h - what the files of the reader of a kernel's lists and debuginfo share.
 */
#ifndef LAPWING_DEBUGINFO_PRIVATE_H
#define LAPWING_DEBUGINFO_PRIVATE_H

#include "translator/debuginfo/debuginfo.h"

struct debuginfo {
	char		*(*find_symbols)(void *data);	/* another kernel's; NULL: this kernel */
	void		*data;
	char		*symbols;	/* folder of a dump, when it was asked for and found */
	int		loaded, looked_for_symbols;
	struct ksyms	*table;		/* names point into it */
	GArray		*functions;	/* struct debuginfo_function, sorted by name, module */
	GArray		*tracepoints;
	GPtrArray	*names;
	char		*listed;	/* all of kallsyms, once somebody asked */
	GHashTable	*systems;	/* of tracepoints by name, once somebody asked */
	char		*problem;
	char		*(*find_btf)(void *data);
	char		*btf_path;	/* a fake's */
	GHashTable	*btf;		/* module name ("": the kernel proper) to struct btf, NULL when it could not be read */
	const char	*btf_problem;
	const char	*release;
	/* where this kernel's files are; NULL: in this machine's folders */
	const char	*sysroot;
	char		*(*find_modules)(void *data);
	char		*modules;	/* a folder with lib/modules, once somebody asked; "": there is none */
	char		*dwarf_path;	/* a fake's */
	char		*notes_path;	/* a fake's */
	char		*build;		/* its build id, when it was asked for */
	/* module name to struct dwarf, NULL when it could not be read */
	GHashTable	*dwarf;
	const char	*dwarf_problem;	/* static, or interned */
	GHashTable	*userfiles;	/* path to struct userfile */
	GHashTable	*userreturns;	/* a program's path to struct userreturns_program */
	/* module name to its file's path, of those that were looked for */
	GHashTable	*files;
};

#endif
