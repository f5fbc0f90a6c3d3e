/* SPDX-License-Identifier: GPL-2.0-or-later */
/* debuginfo_private.h - shared by the files that read a kernel's lists and debuginfo. */
#ifndef LAPWING_DEBUGINFO_PRIVATE_H
#define LAPWING_DEBUGINFO_PRIVATE_H

#include "translator/debuginfo/debuginfo.h"

struct debuginfo {
	char		*(*find_symbols)(void *data);	/* another kernel's; NULL: this kernel */
	void		*data;
	char		*symbols;	/* directory of a dump, once requested and found */
	int		loaded;
	struct ksyms	*table;		/* names point into it */
	GArray		*functions;	/* struct debuginfo_function, sorted by name, module */
	GArray		*tracepoints;
	GPtrArray	*names;
	char		*listed;	/* all of kallsyms, read on first use */
	GHashTable	*systems;	/* of tracepoints by name, read on first use */
	char		*problem;
	char		*(*find_btf)(void *data);
	char		*btf_path;	/* a fake's */
	GHashTable	*btf;		/* module name ("": the kernel proper) to struct btf,
					 * NULL if it could not be read */
	const char	*btf_problem;
	/* whether BTF has static functions: 1 or -1; 0: not determined yet */
	int		statics;
	const char	*release;
	const char	*sysroot;	/* root of this kernel's files; NULL: this machine's
					 * directories */
	char		*(*find_modules)(void *data);
	const char	*tree;		/* debuginfo_find_tree(), or NULL */
	char		*modules;	/* a directory with lib/modules, set on first use; "":
					 * none */
	char		*dwarf_path;	/* a fake's */
	char		*notes_path;	/* a fake's */
	GHashTable	*dwarf;		/* module name to struct dwarf, NULL if it could not be
					 * read */
	const char	*dwarf_problem;	/* static, or interned */
	GHashTable	*userfiles;	/* path to struct userfile, NULL if it could not be read */
	const char	*userfile_problem;
	GHashTable	*files;		/* module name to its file's path, for modules that were
					 * looked up */
};

/* Reads the kernel's lists, if that has not been done; info->problem says what is missing. */
void debuginfo_load(struct debuginfo *info);

#endif
