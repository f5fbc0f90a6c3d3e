/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debugfile.h - the separate files of debug information that an ELF file names: by its build-id, by .gnu_debuglink, and what several of
 * them have in common by .gnu_debugaltlink. Names and files are whoever's they are: nothing in them is trusted, and none makes us wait.
 *
 * The network is never asked.
 */
#ifndef LAPWING_SYMBOLIZE_DEBUGFILE_H
#define LAPWING_SYMBOLIZE_DEBUGFILE_H

#include "symbolize/elffile.h"

#define DEBUGFILE_PATH 1024

/*
 * The file that says it belongs to image, as root/shown. root: where the paths of the image's owner begin (/proc/PID/root; "" ours), which
 * is looked at first. path: where it was found. 0, elf_close() it; or -1: there is none.
 */
int debugfile_open(struct elf *debug, const struct elf *image, const char *root, const char *shown, char path[DEBUGFILE_PATH]);
/* The common file that `debug`, which is at path, says parts of it are in. 0, elf_close() it; 1: it says none; -1: that is not there. */
int debugfile_open_alt(struct elf *alt, const struct elf *debug, const char *root, const char *path);

#endif
