/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * build_id.h - the build id of an ELF file: the linker's hash of its contents.
 */
#ifndef LAPWING_REPORT_BUILD_ID_H
#define LAPWING_REPORT_BUILD_ID_H

#include <glib.h>

/* NULL: no build id, or not an ELF file. The caller unrefs. */
GBytes *build_id_of_file(int fd);
GBytes *build_id_of_kernel(void);	/* of the running kernel */
/* Of a file of notes alone, as /sys/kernel/notes is. */
GBytes *build_id_of_notes(const char *path);

#endif
