/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol_tables.h - symbol tables of the kernel and of programs: for the module, to which they are
 * sent, and for what is symbolized here.
 */
#ifndef LAPWING_RUN_SYMBOL_TABLES_H
#define LAPWING_RUN_SYMBOL_TABLES_H

#include "runtime/run/run.h"

/* Sends the symbol tables of the kernel and of running programs, as hello.capture requests. */
void symbols_send(void);
void symbols_asked(const struct wire_image_id *id);	/* WIRE_IMAGE */
/* Probes are armed: reads what is running, if the user runtime passes on what changes. */
void symbols_look(void);
/* Sends symbols of code that processes have generated since. Called periodically. */
void symbols_again(void);
/* The table of the image at an address, and the offset in it; NULL: unknown. */
const struct wire_symtab *symbols_find(int user, pid_t pid, u64 addr, u64 *at);
void symbols_free(void);

#endif
