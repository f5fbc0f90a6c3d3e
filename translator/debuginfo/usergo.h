/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usergo.h - what is peculiar to functions of programs that Go built.
 *
 * Go moves a stack that has become too small, so a stack pointer does not tell which call it is.
 * Its distance from the stack's end does, of the same goroutine: both are in the structure that a
 * register points to (r14, x28), in which the stack's end is the second word (runtime.g of the
 * runtime's own runtime2.go). Code that Go compiled keeps that register, since Go 1.18 on both
 * machines. A function begins with a check whether the stack has room; where it has not, the stack
 * is moved, and the function begins anew.
 */
#ifndef LAPWING_USERGO_H
#define LAPWING_USERGO_H

#include "translator/debuginfo/userfile.h"

/*
 * How a function came into a file, by Go's own table of functions (.gopclntab). UNKNOWN: there is
 * none that can be read.
 */
enum usergo_origin {
	USERGO_NONE,			/* not from Go: C, which runs on stacks that do not move */
	USERGO_COMPILED,
	USERGO_ASSEMBLER,		/* of Go: the register may hold anything */
	USERGO_UNKNOWN,
};

enum usergo_origin usergo_of(struct userfile *f, guint64 address);
/* Why no call of a file's functions is known by its goroutine; NULL: calls are. Static text. */
const char *usergo_problem(struct userfile *f);
/*
 * Why the calls of a function that begins at an address are not known, as it calls target (0: it is
 * not known what): the end of one would be taken for that of another, or of none. NULL: no such
 * reason. Static text.
 */
const char *usergo_call_problem(struct userfile *f, guint64 address, guint64 target);
/*
 * Is it one that Go's compiler has added, for callers that pass arguments otherwise than the
 * function of that name takes them, which it calls? NAME calls NAME.abi0, which is in assembler, or
 * NAME.abi0, for assembler, NAME, which is not. wrapped: what it calls, by the name that the source
 * has.
 */
int usergo_wraps(struct userfile *f, const struct userfile_function *function,
		 struct userfile_function *wrapped);
/*
 * Where a function that begins at an address is past its stack check: each call comes there once,
 * with the same registers. *again: the jump with which it begins anew. Without such a check the
 * address itself, and 0.
 */
guint64 usergo_entry(struct userfile *f, guint64 address, guint64 *again);
/*
 * Does what begins there run deferred calls? Behind a panic that has been recovered from, a
 * function goes on where it calls that, though no code may lead there.
 */
int usergo_recovers(struct userfile *f, guint64 address);

#endif
