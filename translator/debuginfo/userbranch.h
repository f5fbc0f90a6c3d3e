/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userbranch.h - targets of branches in x86-64 code: in a function, which Capstone decodes, and in
 * a whole file, by its bytes.
 */
#ifndef LAPWING_USERBRANCH_H
#define LAPWING_USERBRANCH_H

#include "translator/debuginfo/userfile.h"

struct userbranch_visit {
	/* An instruction begins here. May be NULL. */
	void	(*begins)(void *data, guint64 address, guint size);
	/* A jump or call to this target; 0: to an unknown place in the function. */
	void	(*leads)(void *data, guint64 target, int is_call);
	void	*data;
};

/*
 * Visits all instructions of a function in order. 0, or -1 with *why (static): a part of it cannot
 * be decoded.
 */
int userbranch_walk(struct userfile *f, const struct userfile_function *function,
		    const struct userbranch_visit *visit, const char **why);
/*
 * True if code of the file may refer to this address by a branch, a call or a 32-bit address.
 * Checks every byte, wherever instructions begin: a branch is never missed, but other bytes may
 * look like one. 8-bit branches are ignored: they reach 128 bytes at most.
 */
int userbranch_may_lead(struct userfile *f, guint64 address);
void userbranch_free(struct userbranch *b);

#endif
