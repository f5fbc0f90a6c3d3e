/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - a translated script as a file, before it is loaded: the whole of it in memory, its ELF
 * sections, what .modinfo tells of it.
 */
#ifndef LAPWING_RUN_FILE_H
#define LAPWING_RUN_FILE_H

#include "runtime/run/run.h"

/* A translated script. Only one of ours or root's that nobody else can write is read; NULL, and reported; the caller frees. */
char *file_read(const char *path, size_t *size);
/* A section of the n bytes by name; NULL: it is not there, or lies outside. */
const char *file_section(const char *p, size_t n, const char *wanted, size_t *size);
/* The text behind "KEY=" in .modinfo, and only there: a script's own texts may look like it. NULL: none, or it is cut off. */
const char *file_info(const char *p, size_t n, const char *key);

#endif
