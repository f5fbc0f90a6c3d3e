/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unread.c - see unread.h. One list per run: few probes use such values, and each only a few.
 */
#include "runtime/user/base/unread.h"

#include <stdlib.h>
#include <string.h>

struct unread {
	struct unread	*next;
	const struct rt_probe *probe;
	const char	*what, *why;
	u64		hits, last;	/* last: the latest hit, as its probe's `entered` count */
};

static struct unread *noted;

static struct unread *get(const struct rt_probe *probe, const char *what, const char *why)
{
	struct unread *u = noted;

	while (u && (u->probe != probe || strcmp(u->what, what)))
		u = u->next;
	if (u)
		return u;
	u = calloc(1, sizeof(*u));
	if (!u)
		return NULL;
	*u = (struct unread){ noted, probe, what, why, 0, 0 };
	noted = u;
	return u;
}

void unread_note(const struct rt_ctx *c, const char *what, const char *why)
{
	struct wire_account *books = &session.account[c->probe - rt_script.probes];
	struct unread *u = get(c->probe, what, why);
	int is_first = 1;

	if (!u || u->last == books->entered)
		return;
	for (const struct unread *other = noted; other; other = other->next)
		is_first &= other->probe != c->probe || other->last != books->entered;
	books->unread += is_first;
	u->last = books->entered;
	u->hits++;
}

void unread_memory(const struct rt_ctx *c)
{
	unread_note(
		c, c->probe->unread ? c->probe->unread : "memory of the process",
		"the event copies no memory, and the process has moved on when the handler runs; "
		"the kernel runtime reads it (--target=vm), and so do probes of the program's own "
		"functions");
}

void unread_send(void)
{
	for (const struct unread *u = noted; u; u = u->next) {
		u8 payload[1024] = { 0 };
		struct wire_unread head = { .hits = u->hits };
		size_t used = sizeof(head), room = sizeof(payload) - 2, len;

		memcpy(payload, &head, sizeof(head));
		for (int i = 0; i < 2; i++) {
			const char *text = i ? u->why : u->what;

			len = strlen(text) < room - used ? strlen(text) : room - used;
			memcpy(payload + used, text, len);
			used += len + 1;
		}
		runtime_message(WIRE_UNREAD, (u16)(u->probe - rt_script.probes), payload,
				(u32)used);
	}
}

void unread_clear(void)
{
	while (noted) {
		struct unread *u = noted;

		noted = u->next;
		free(u);
	}
}
