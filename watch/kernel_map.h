/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel_map.h - where the kernel's code is: the kernel proper and its modules, each an image of its
 * own, whose offsets are the same after each start and wherever a module is loaded. Only what has a
 * build-id is, as offsets of another build are others.
 */
#ifndef LAPWING_WATCH_KERNEL_MAP_H
#define LAPWING_WATCH_KERNEL_MAP_H

#include "lib/ksyms.h"
#include "store/store.h"

struct kernel_area {
	guint64		start, end;	/* of its code */
	guint64		most;		/* the end of all its memory, if that is in one piece */
	struct store_image image;
};

/* Reads what is loaded now. What was loaded at the call before is known until the next one. */
void kernel_map_read(void);
/*
 * The same from what is read: the text of /proc/modules, the kernel's functions, and what returns the
 * build-id of a module, or of the kernel proper (NULL): NULL, or for us to unref.
 */
void kernel_map_take(const char *modules, const struct ksyms *symbols, GBytes *(*id_of)(const char *module));
/*
 * What has the address, valid until kernel_map_read() is called: an area; an area of the image
 * "[unknown]" if there was another one at the reading before; NULL: none that is known.
 */
const struct kernel_area *kernel_map_find(guint64 address);

#endif
