/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usergo.h - what is peculiar to functions written in Go.
 *
 * Go moves a stack that has become too small, so a stack pointer does not tell which call it is.
 * Its distance from the stack's end does, of the same goroutine: both are in the structure that a
 * register points to (r14, x28), in which the stack's end is the second word (runtime.g of the
 * runtime's own runtime2.go, since Go 1.17). A function begins with the question whether the stack
 * has room; where it has not, the stack is moved, and the function begins anew.
 */
#ifndef LAPWING_USERGO_H
#define LAPWING_USERGO_H

#include "translator/debuginfo/userfile.h"

/* Is this address in a function written in Go? What a program takes from C is in none. */
int usergo_has(struct userfile *f, guint64 address);
/*
 * Why goroutines are not known from the registers of such a function; NULL: of any (static text).
 * NULL: they are.
 */
const char *usergo_problem(struct userfile *f, const struct userfile_function *function);
/*
 * Where a function that begins at an address is past its question for room: each call comes there
 * once, with the same registers. *again: the jump with which it begins anew. Without such a question
 * the address itself, and 0.
 */
guint64 usergo_entry(struct userfile *f, guint64 address, guint64 *again);
/*
 * Does what begins there run deferred calls? Behind a panic that has been recovered from, a function
 * goes on where it calls that, though no code may lead there.
 */
int usergo_recovers(struct userfile *f, guint64 address);

#endif
