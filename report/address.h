/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * address.h - where in a file something is, and where the file's own addresses have it.
 */
#ifndef LAPWING_REPORT_ADDRESS_H
#define LAPWING_REPORT_ADDRESS_H

#include <gelf.h>
#include <glib.h>

/* A file offset to the file's own address; 0, or -1: it is loaded nowhere. */
int address_of(Elf *elf, guint64 offset, GElf_Addr *address);
/* Orders guint64. */
gint address_compare(gconstpointer a, gconstpointer b);

#endif
