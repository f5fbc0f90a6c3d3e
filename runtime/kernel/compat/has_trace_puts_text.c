// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * has_trace_puts_text.c - compiles if __trace_puts() computes the text's length itself (7.2 does,
 * 6.12 does not).
 */
#include <linux/kernel.h>

int has_trace_puts_text(const char *text);
int has_trace_puts_text(const char *text)
{
	return __trace_puts(_THIS_IP_, text);
}
