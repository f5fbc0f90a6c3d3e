// SPDX-License-Identifier: GPL-2.0-or-later
/* has_probestub.c - compiles if a tracepoint has an empty callback of its own type (5.10, 6.1 have none). */
#include <linux/tracepoint.h>

void *has_probestub(const struct tracepoint *tp);
void *has_probestub(const struct tracepoint *tp)
{
	return tp->probestub;
}
