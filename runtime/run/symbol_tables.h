/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol_tables.h - symbol tables of the kernel and of programs: for the module, which is handed
 * them, and for what is named here.
 */
#ifndef LAPWING_RUN_SYMBOL_TABLES_H
#define LAPWING_RUN_SYMBOL_TABLES_H

#include "runtime/run/run.h"

/* The kernel's and running programs' symbol tables, as hello.capture wants. */
void symbols_send(void);
void symbols_asked(const struct wire_image_id *id);	/* WIRE_IMAGE */
void symbols_again(void);				/* now and then: code that processes made since */
/* The table of what holds an address, and where in it that is; NULL: not known. */
const struct wire_symtab *symbols_find(int user, pid_t pid, u64 addr, u64 *at);
void symbols_free(void);

#endif
