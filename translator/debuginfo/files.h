/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * files.h - BTF and DWARF from files of the kernel and its modules, and files of programs.
 */
#ifndef LAPWING_DEBUGINFO_FILES_H
#define LAPWING_DEBUGINFO_FILES_H

struct btf;
struct debuginfo;
struct dwarf;
struct userfile;

/*
 * Sets a function that returns the file with another kernel's BTF (malloced; NULL: none). It is
 * called once, with the data of debuginfo_open().
 */
void debuginfo_find_btf(struct debuginfo *info, char *(*find_btf)(void *data));
/*
 * Sets where files of the kernel and its modules are searched: by release below sysroot (NULL: in
 * this machine's directories), then, for another kernel's modules, below the folder that
 * find_modules() returns (malloced; NULL: none). It is called once, with the data of
 * debuginfo_open(). Strings are borrowed.
 */
void debuginfo_find_files(struct debuginfo *info, const char *release, const char *sysroot,
			  char *(*find_modules)(void *data));
/* Sets the kernel's build tree, whose files precede others; NULL: none. Borrows the string. */
void debuginfo_find_tree(struct debuginfo *info, const char *tree);
/*
 * DWARF of the kernel or a module, of the same build; lives as long as info. NULL: *problem says
 * why (borrowed).
 */
struct dwarf *debuginfo_dwarf(struct debuginfo *info, const char *module, const char **problem);
/* A program or shared library; lives as long as info. NULL: *problem says why (borrowed). */
struct userfile *debuginfo_userfile(struct debuginfo *info, const char *path, const char **problem);
/*
 * BTF of the kernel, or of a module; lives as long as info. NULL: *problem says why (borrowed).
 */
const struct btf *debuginfo_btf(struct debuginfo *info, const char *module, const char **problem);
/* A module's file, by its name or path; NULL: not found. Caller frees. */
char *debuginfo_module_file(struct debuginfo *info, const char *module);
/* Is the module, which has no file, built into the kernel? 0 also if that is not known. */
int debuginfo_module_is_built_in(struct debuginfo *info, const char *module);

#endif
