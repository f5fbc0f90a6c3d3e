/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usertable.h - the tables through which a function of a program jumps: for each of its
 * instructions in turn it is noted what they say of tables; then the tables are read. They are
 * believed in nothing but that an address that they name may be one where code begins: what looks
 * like a table, or runs on into what is behind one, names addresses anywhere.
 */
#ifndef LAPWING_USERTABLE_H
#define LAPWING_USERTABLE_H

#include "translator/debuginfo/disasm.h"
#include "translator/debuginfo/userfile.h"

struct usertable;

struct usertable *usertable_new(const struct userfile *f);
void usertable_free(struct usertable *t);
void usertable_note(struct usertable *t, const struct disasm_step *step);

/*
 * What has been found out last of how large an index is: where a branch leads, it is still known.
 */
struct usertable_bound {
	guint8	index;			/* a register */
	guint64	value;
};
struct usertable_bound usertable_bound(const struct usertable *t);
void usertable_assume(struct usertable *t, struct usertable_bound bound);

/*
 * Calls leads for the entries of each table, until it answers 0: the entry leads out of the
 * function, so the table has ended before it.
 */
void usertable_read(struct usertable *t, int (*leads)(void *data, guint64 target), void *data);

#endif
