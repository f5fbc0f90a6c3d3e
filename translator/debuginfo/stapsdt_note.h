/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stapsdt_note.h - marks of a program, from its notes (.note.stapsdt).
 */
#ifndef LAPWING_DEBUGINFO_STAPSDT_NOTE_H
#define LAPWING_DEBUGINFO_STAPSDT_NOTE_H

#include "translator/debuginfo/stapsdt.h"

struct userfile;

/*
 * Marks whose names match patterns (provider NULL: any), in the order of the file; free with
 * g_array_unref.
 */
GArray *stapsdt_marks(const struct userfile *f, const char *provider, const char *name);

#endif
