/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unread.c - values that handlers use but that were not read at the hit, as the user runtime
 * reports them at the end: kept, and printed on standard error. account.c computes the share of
 * such hits.
 */
#include "runtime/run/unread.h"

#include "runtime/run/facts.h"
#include "runtime/run/run.h"

#include <stdlib.h>
#include <string.h>

static struct unread {
	u16	probe;
	u64	hits;
	char	*what, *why;
} *list;
static unsigned count;

void unread_take(u16 id, const void *body, u32 n)
{
	const struct wire_unread *head = body;
	const char *what = (const char *)(head + 1), *end = (const char *)body + n, *why;
	struct unread *more;

	if (n <= sizeof(*head) || !memchr(what, 0, (size_t)(end - what)))
		return;
	why = what + strlen(what) + 1;
	if (why >= end || !memchr(why, 0, (size_t)(end - why)))
		return;
	more = realloc(list, (count + 1) * sizeof(*more));
	if (!more)
		return;
	list = more;
	list[count++] = (struct unread){ id, head->hits, strdup(what), strdup(why) };
}

void unread_print(void)
{
	for (unsigned i = 0; i < count; i++)
		warn("probe %s: %s not read at %llu hit%s: %s", probe_point(list[i].probe),
		     list[i].what, list[i].hits, list[i].hits == 1 ? "" : "s", list[i].why);
}

void unread_each(unsigned id, void (*each)(const char *what, u64 hits))
{
	for (unsigned i = 0; i < count; i++)
		if (list[i].probe == id)
			each(list[i].what, list[i].hits);
}

void unread_free(void)
{
	while (count--) {
		free(list[count].what);
		free(list[count].why);
	}
	free(list);
	list = NULL;
	count = 0;
}
