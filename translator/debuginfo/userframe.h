/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userframe.h - may returns of a function of a program be probed?
 *
 * The kernel puts the address of its own code where it takes the return address to be: on top of
 * the stack (x86-64) or in x30 (arm64). Where that is something else, the program loses it. So it
 * must be known that the code is called, not jumped to.
 */
#ifndef LAPWING_USERFRAME_H
#define LAPWING_USERFRAME_H

#include "translator/debuginfo/userfile.h"

/*
 * Why the return address is not, or may not be, where the kernel looks for it when the program is
 * at an address, where a function or a stub of the linkage table begins: static text that follows a
 * ':'. NULL: it is there.
 */
const char *userframe_problem(struct userfile *f, const struct userfile_function *function,
			      guint64 address, int is_stub);
/*
 * Is it of those that read their return address as their own, and go there again when the program
 * wants that (setjmp() and its kin, by names)? With the kernel's address there, the program dies.
 */
int userframe_returns_twice(struct userfile *f, const struct userfile_function *function);

/*
 * Is the stack pointer, when the program is at an address, where it was when the function was
 * entered? So says its call frame information, if there is any.
 */
enum userframe_stack { USERFRAME_UNKNOWN, USERFRAME_ENTERED, USERFRAME_USED };
enum userframe_stack userframe_stack_at(struct userfile *f, guint64 address);

#endif
