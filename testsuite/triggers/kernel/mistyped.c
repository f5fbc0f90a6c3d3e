// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mistyped.c - calls a function through a pointer of another type, once, when it is loaded: a
 * kernel that checks the types of such calls (kCFI) answers with an oops.
 */
#include <linux/compiler.h>
#include <linux/module.h>

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("a call by a wrong type");

static noinline long mistyped_callee(long n)
{
	return n + 1;
}

static void *volatile mistyped_address = (void *)mistyped_callee;

static int __init mistyped_up(void)
{
	int (*call)(const char *text) = (int (*)(const char *))mistyped_address;

	return call("") == 0;
}

static void __exit mistyped_down(void) { }
module_init(mistyped_up);
module_exit(mistyped_down);
