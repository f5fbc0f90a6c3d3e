/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modfile.h - files of modules and kernels: where they are, and the functions of a module that is
 * not loaded.
 */
#ifndef LAPWING_MODFILE_H
#define LAPWING_MODFILE_H

#include <glib.h>

/*
 * The file of a module, by its name or path; searched in $SYSTEMTAP_DEBUGINFO_PATH (folders,
 * separated by colons) and in ROOT/lib/modules/RELEASE's modules.dep; root NULL: this machine's.
 * NULL: none. Caller frees.
 */
char *modfile_find(const char *module, const char *release, const char *root);
/*
 * The kernel's file with DWARF: vmlinux in the same directories, and below root in usr/lib/debug
 * and in the headers tree. NULL: none. Caller frees.
 */
char *modfile_find_kernel(const char *release, const char *root);
/* Converts "/a/b-c.ko" or "b-c" to "b_c", the kernel's name of the module. Caller frees. */
char *modfile_name(const char *module);
/*
 * Functions in file order: g_free'd names; the first byte is 't' for static ones, else 'T'. NULL:
 * unreadable.
 */
GPtrArray *modfile_functions(const char *path);
/*
 * The build id in ELF notes, in hexadecimal (g_free); NULL: none. From bytes as in
 * /sys/kernel/notes, or from a file.
 */
char *modfile_build_id(const guint8 *notes, gsize size);
char *modfile_build_id_of(const char *path);
/* A section's bytes (g_free), or NULL. */
void *modfile_section(const char *path, const char *section, gsize *size);

#endif
