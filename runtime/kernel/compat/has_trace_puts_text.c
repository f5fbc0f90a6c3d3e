// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * has_trace_puts_text.c - compiles if __trace_puts() takes a text up to its NUL, without a length
 * (Linux 7.0).
 */
#include <linux/kernel.h>

void has_trace_puts_text(void);
void has_trace_puts_text(void)
{
	__trace_puts(_THIS_IP_, "text");
}
