/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userfde.h - the entries of a program's .eh_frame (FDEs): the extent of the code that each
 * describes, and where exceptions are handled in it. For the frames that they describe see
 * userframe.h.
 */
#ifndef LAPWING_USERFDE_H
#define LAPWING_USERFDE_H

#include "translator/debuginfo/userfile.h"

struct userfdes;

struct userfde {
	guint64	address, size;		/* of code: a function, or a part of one */
	/* the list of its calls and their handlers (LSDA); 0: none */
	guint64	handlers;
};

/* The entry that describes the code at an address. 0: none. */
int userfde_at(struct userfile *f, guint64 address, struct userfde *found);
/* Calls leads for each address where the unwinder may go on in that code (landing pads). */
void userfde_handlers(const struct userfile *f, const struct userfde *fde,
		      int (*leads)(void *data, guint64 address), void *data);
void userfde_free(struct userfdes *all);

#endif
