/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * address.h - file offsets to the addresses that an ELF file's own headers use.
 */
#ifndef LAPWING_REPORT_ADDRESS_H
#define LAPWING_REPORT_ADDRESS_H

#include <gelf.h>
#include <glib.h>

/* Converts a file offset to an address. 0, or -1: not in a loaded segment. */
int address_of(Elf *elf, guint64 offset, GElf_Addr *address);
/* Orders guint64. */
gint address_compare(gconstpointer a, gconstpointer b);

#endif
