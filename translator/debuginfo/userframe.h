/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userframe.h - whether returns of a program's function can be probed.
 *
 * The kernel writes the address of its own code where it expects the return address: on top of the
 * stack (x86-64) or in x30 (arm64). If something else is there, the program loses it. So the code
 * must be known to be called, not jumped to.
 */
#ifndef LAPWING_USERFRAME_H
#define LAPWING_USERFRAME_H

#include "translator/debuginfo/userfile.h"

/*
 * Why the return address is not, or may not be, where the kernel expects it at an address where a
 * function or a PLT stub begins: static text that follows a ':'. NULL: it is there.
 */
const char *userframe_problem(struct userfile *f, const struct userfile_function *function,
			      guint64 address, int is_stub);
/*
 * True if, by its name, it is setjmp() or similar: such a function saves its return address, and
 * the program later jumps there. With the kernel's address there, the program crashes.
 */
int userframe_returns_twice(struct userfile *f, const struct userfile_function *function);

/*
 * Whether the stack pointer at an address is that at the function's entry, by call frame
 * information, if there is any.
 */
enum userframe_stack { USERFRAME_UNKNOWN, USERFRAME_ENTERED, USERFRAME_USED };
enum userframe_stack userframe_stack_at(struct userfile *f, guint64 address);

#endif
