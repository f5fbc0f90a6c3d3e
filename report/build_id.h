/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * build_id.h - what tells files apart: the linker's hash of what it built.
 */
#ifndef LAPWING_REPORT_BUILD_ID_H
#define LAPWING_REPORT_BUILD_ID_H

#include <glib.h>

/* NULL: it has none, or is no ELF file. The caller unrefs. */
GBytes *build_id_of_file(int fd);
GBytes *build_id_of_kernel(void);	/* the running one's */

#endif
