/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usertable.h - the tables through which a function of a program jumps: usertable_note() records
 * what each instruction in turn reveals about tables; then the tables are read. A table entry only
 * means that code may begin at its target: data that looks like a table, or that follows one,
 * yields arbitrary addresses.
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
 * The last known bound of an index register: it still holds at a branch's target.
 */
struct usertable_bound {
	guint8	index;			/* a register */
	guint64	value;
};
struct usertable_bound usertable_bound(const struct usertable *t);
void usertable_assume(struct usertable *t, struct usertable_bound bound);

/*
 * Calls leads() for the entries of each table, until it returns 0: the entry leads out of the
 * function, so the table ended before it.
 */
void usertable_read(struct usertable *t, int (*leads)(void *data, guint64 target), void *data);

#endif
