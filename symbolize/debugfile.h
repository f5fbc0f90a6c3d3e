/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debugfile.h - separate debug files of an ELF file: by build id, by .gnu_debuglink, and the
 * common file of several debug files by .gnu_debugaltlink. Names and contents are untrusted, and
 * opening a file never blocks.
 *
 * No debuginfod, no network.
 */
#ifndef LAPWING_SYMBOLIZE_DEBUGFILE_H
#define LAPWING_SYMBOLIZE_DEBUGFILE_H

#include "symbolize/elffile.h"

#define DEBUGFILE_PATH 1024

/*
 * Opens the debug file of image, whose path is shown below root (/proc/PID/root of its owner, or
 * ""), where the search starts. path: the file found. 0, and the caller calls elf_close(); or -1:
 * none.
 */
int debugfile_open(struct elf *debug, const struct elf *image, const char *root, const char *shown,
		   char path[DEBUGFILE_PATH]);
/*
 * Opens the common file named by .gnu_debugaltlink of `debug` (at path). 0: the caller calls
 * elf_close(); 1: none named; -1: not found.
 */
int debugfile_open_alt(struct elf *alt, const struct elf *debug, const char *root,
		       const char *path);

#endif
