/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modules.h - source lines of loaded kernel modules, from files with DWARF and the same build id
 * below /usr/lib/debug and /lib/modules. libc only.
 */
#ifndef LAPWING_SYMBOLIZE_MODULES_H
#define LAPWING_SYMBOLIZE_MODULES_H

#include "symbolize/table.h"

struct modules;

/*
 * Adds lines and inlined calls by address. The result owns strings in the table: modules_close()
 * after table_finish().
 */
struct modules *modules_lines(struct table *b);
void modules_close(struct modules *m);

#endif
