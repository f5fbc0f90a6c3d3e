/* SPDX-License-Identifier: GPL-2.0-or-later */
/* userplt.h - the stubs of a program's procedure linkage table, PLT (userfile.h). */
#ifndef LAPWING_DEBUGINFO_USERPLT_H
#define LAPWING_DEBUGINFO_USERPLT_H

#include "translator/debuginfo/userfile.h"

/*
 * Stubs through which it calls functions of libraries, by the functions' names (a pattern): struct
 * userfile_function by name, then address; free with g_array_unref.
 */
GArray *userfile_stubs(const struct userfile *f, const char *pattern);

#endif
