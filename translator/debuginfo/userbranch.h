/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userbranch.h - where branches of x86-64 code lead: in a function, which Capstone decodes,
 * and in a whole file, by its bytes.
 */
#ifndef LAPWING_USERBRANCH_H
#define LAPWING_USERBRANCH_H

#include "translator/debuginfo/userfile.h"

struct userbranch_visit {
	/* An instruction begins here. NULL: nobody wants to know. */
	void	(*begins)(void *data, guint64 address, guint size);
	/* A jump, or a call, leads there; target 0: it may be anywhere in the function. */
	void	(*leads)(void *data, guint64 target, int is_call);
	void	*data;
};

/*
 * Visits all instructions of a function in their order. 0, or -1 with *why (static): some of
 * it cannot be decoded.
 */
int userbranch_walk(struct userfile *f, const struct userfile_function *function,
		    const struct userbranch_visit *visit, const char **why);
/*
 * May code of the file lead to this address by a branch, a call or an address of 32 bits?
 * Bytes tell, wherever instructions begin: a branch is never overlooked, and one that is none
 * may be taken for one. Branches of 8 bits are left out: they do not reach beyond 128 bytes.
 */
int userbranch_may_lead(struct userfile *f, guint64 address);
void userbranch_free(struct userbranch *b);

#endif
