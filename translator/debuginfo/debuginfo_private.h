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
	char		*symbols;	/* folder of a dump; NULL: not searched or not found */
	int		loaded, looked_for_symbols;
	struct ksyms	*table;		/* names point into it */
	GArray		*functions;	/* struct debuginfo_function, sorted by name, module */
	GArray		*tracepoints;
	GPtrArray	*names;
	char		*listed;	/* all of kallsyms, read on first use */
	GHashTable	*systems;	/* of tracepoints by name, read on first use */
	char		*problem;
	char		*(*find_btf)(void *data);
	char		*btf_path;	/* a fake's */
	/* module name ("": the kernel proper) to struct btf; NULL: could not be read */
	GHashTable	*btf;
	const char	*btf_problem;
	const char	*release;
	/* root of this kernel's files; NULL: this machine's directories */
	const char	*sysroot;
	char		*(*find_modules)(void *data);
	/* a folder with lib/modules, searched on first use; "": there is none */
	char		*modules;
	char		*dwarf_path;	/* a fake's */
	char		*notes_path;	/* a fake's */
	char		*build;		/* its build id, read on first use */
	/* module name to struct dwarf; NULL: could not be read */
	GHashTable	*dwarf;
	GHashTable	*dwarf_problems;	/* module name to why: static, or interned */
	const char	*dwarf_problem;	/* of the module that is being loaded */
	GHashTable	*userfiles;	/* path to struct userfile */
	GHashTable	*userreturns;	/* a program's path to struct userreturns_program */
	/* module name to its file's path, for modules whose file was searched */
	GHashTable	*files;
};

#endif
