/* SPDX-License-Identifier: GPL-2.0-or-later */
/* files.h - what is read from the files of a kernel and its modules. */
#ifndef LAPWING_DEBUGINFO_FILES_H
#define LAPWING_DEBUGINFO_FILES_H

#include "translator/debuginfo/debuginfo.h"

struct btf;

struct dwarf;

struct userfile;

struct userpath;

struct userreturns_program;
/*
 * Sets a function that returns the file with another kernel's BTF (malloced; NULL: none). It is
 * called once, with the data of debuginfo_open().
 */
void debuginfo_find_btf(struct debuginfo *info, char *(*find_btf)(void *data));
/*
 * Sets where files of the kernel and its modules are searched: by release below sysroot (NULL: in
 * this machine's directories), then, for another kernel's modules, below the folder that
 * find_modules() returns (malloced; NULL: none), which is called once, with the data of
 * debuginfo_open(). Strings are borrowed.
 */
void debuginfo_find_files(struct debuginfo *info, const char *release, const char *sysroot,
			  char *(*find_modules)(void *data));
/*
 * DWARF of the kernel or a module, of the same build; lives as long as info. NULL: *problem says
 * why (borrowed).
 */
struct dwarf *debuginfo_dwarf(struct debuginfo *info, const char *module, const char **problem);
/* A program or shared library; lives as long as info. NULL: *problem says why (borrowed). */
struct userfile *debuginfo_userfile(struct debuginfo *info, const char *path, const char **problem);
/* How a program uses its stacks (userreturns.h); lives as long as info. */
const struct userreturns_program *debuginfo_userreturns(struct debuginfo *info,
							const struct userpath *program,
							const char *sysroot);
/*
 * BTF of the kernel, or of a module; lives as long as info. NULL: *problem says why (borrowed).
 */
const struct btf *debuginfo_btf(struct debuginfo *info, const char *module, const char **problem);
/*
 * The kernel's build id, if its BTF or DWARF has been read, because the results then depend on that
 * build; borrowed. NULL: neither has been read, or it is unknown.
 */
const char *debuginfo_build(struct debuginfo *info);
/* A module's file, by the module's name or path; NULL: none found. Caller frees. */
char *debuginfo_module_file(struct debuginfo *info, const char *module);

#endif
