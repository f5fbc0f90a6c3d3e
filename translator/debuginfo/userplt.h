/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userplt.h - PLT stubs, through which a program calls functions of libraries.
 */
#ifndef LAPWING_DEBUGINFO_USERPLT_H
#define LAPWING_DEBUGINFO_USERPLT_H

#include <glib.h>

struct userfile;

/*
 * PLT stubs of functions whose names match a pattern: struct userfile_function by name, then
 * address; free with g_array_unref.
 */
GArray *userfile_stubs(const struct userfile *f, const char *pattern);

#endif
