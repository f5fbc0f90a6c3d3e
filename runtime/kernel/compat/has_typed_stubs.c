// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * has_typed_stubs.c - compiles where each tracepoint has an empty callback of its own type (Linux
 * 6.8).
 */
#include <linux/tracepoint.h>

void *has_typed_stubs(const struct tracepoint *tp);
void *has_typed_stubs(const struct tracepoint *tp)
{
	return tp->probestub;
}
