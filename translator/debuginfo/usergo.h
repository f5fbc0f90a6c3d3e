/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usergo.h - what is special about functions of programs that Go built.
 *
 * Go moves a stack that has become too small, so a stack pointer does not identify a call. Its
 * distance from the stack's end does, together with the goroutine: both come from the structure
 * that a register points to (r14, x28), whose second word is the stack's end (runtime.g in the
 * runtime's runtime2.go). Code compiled by Go keeps that register, since Go 1.18 on both
 * architectures. A function begins with a stack check; if there is no room, the stack is moved, and
 * the function starts again.
 */
#ifndef LAPWING_USERGO_H
#define LAPWING_USERGO_H

#include "translator/debuginfo/userfile.h"

/*
 * Where a function comes from, by Go's own table of functions (.gopclntab). UNKNOWN: the table is
 * missing or cannot be read.
 */
enum usergo_origin {
	USERGO_NONE,			/* not Go: C, which runs on stacks that do not move */
	USERGO_COMPILED,
	USERGO_ASSEMBLER,		/* Go's assembler: the register may hold anything */
	USERGO_UNKNOWN,
};

enum usergo_origin usergo_of(struct userfile *f, guint64 address);
/*
 * Why calls of a file's functions cannot be identified by their goroutine; NULL: they can. Static
 * text.
 */
const char *usergo_problem(struct userfile *f);
/*
 * Why the calls of a function that begins at an address cannot be identified, because it calls
 * target (0: unknown): the end of one call would be taken for that of another, or be lost. NULL: no
 * such reason. Static text.
 */
const char *usergo_call_problem(struct userfile *f, guint64 address, guint64 target);
/*
 * True if it is an ABI wrapper added by Go's compiler for callers that use another calling
 * convention than the function it calls: NAME calls NAME.abi0, which is in assembler, or NAME.abi0,
 * for assembler, calls NAME, which is not. wrapped: the function that it calls, by its name in the
 * source.
 */
int usergo_wraps(struct userfile *f, const struct userfile_function *function,
		 struct userfile_function *wrapped);
/*
 * The address after the stack check of a function that begins at an address: each call passes there
 * once, with the same registers. *again: the jump that restarts the function. Without such a check,
 * the address itself, and *again is 0.
 */
guint64 usergo_entry(struct userfile *f, guint64 address, guint64 *again);
/*
 * True if the function that begins there runs deferred calls. After a recovered panic, a function
 * resumes where it calls that one, even if no code leads there.
 */
int usergo_recovers(struct userfile *f, guint64 address);

#endif
