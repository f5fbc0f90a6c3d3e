/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modules.h - source lines of the kernel's loaded modules, from files with DWARF that are of the same build: below /usr/lib/debug and
 * /lib/modules. Process context, libc only.
 */
#ifndef LAPWING_SYMBOLIZE_MODULES_H
#define LAPWING_SYMBOLIZE_MODULES_H

#include "symbolize/table.h"

struct modules;

/* Adds lines and inlined calls by address; texts in the table are the answer's: modules_close() it after the table is finished. */
struct modules *modules_lines(struct table *b);
void modules_close(struct modules *m);

#endif
