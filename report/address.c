/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * address.c - see address.h.
 */
#include "report/address.h"

int address_of(Elf *elf, guint64 offset, GElf_Addr *address)
{
	size_t n;

	if (elf_getphdrnum(elf, &n))
		return -1;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr segment;

		if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_LOAD &&
		    offset >= segment.p_offset && offset - segment.p_offset < segment.p_filesz) {
			*address = offset - segment.p_offset + segment.p_vaddr;
			return 0;
		}
	}
	return -1;
}

gint address_compare(gconstpointer a, gconstpointer b)
{
	const guint64 *v = a, *w = b;

	return (*v > *w) - (*v < *w);
}
