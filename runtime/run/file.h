/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - the file of a translated script: its owner and sections.
 */
#ifndef LAPWING_RUN_FILE_H
#define LAPWING_RUN_FILE_H

#include "runtime/run/run.h"

/*
 * Reads a translated script. It must belong to this user or to root, and not be writable by others.
 * NULL and reported otherwise; the caller frees it.
 */
char *file_read(const char *path, size_t *size);
/* A section of the n bytes by name; NULL: missing, or outside of the file. */
const char *file_section(const char *p, size_t n, const char *wanted, size_t *size);
/*
 * The text after "KEY=" in .modinfo only, because a script's strings may look the same. NULL: none,
 * or not terminated.
 */
const char *file_info(const char *p, size_t n, const char *key);

#endif
