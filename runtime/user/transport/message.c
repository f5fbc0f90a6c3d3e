/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.c - the queue of control messages; grows, so none is lost.
 */
#include "runtime/user/transport/message.h"

#include "runtime/user/user.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static u8 *queue;
static size_t used, room;

int runtime_message(u16 type, u32 id, const void *payload, u32 len)
{
	struct wire_msg m = { .type = type, .id = id };
	u8 *more;

	if (len > WIRE_MSG_MAX - sizeof(m) - 8)
		len = WIRE_MSG_MAX - sizeof(m) - 8;
	m.len = (u32)((sizeof(m) + len + 7) & ~7UL);
	if (used + m.len > room) {
		size_t want = room ? 2 * room : 65536;

		while (want < used + m.len)
			want *= 2;
		more = realloc(queue, want);
		if (!more)
			return 0;
		queue = more;
		room = want;
	}
	memset(queue + used, 0, m.len);
	memcpy(queue + used, &m, sizeof(m));
	memcpy(queue + used + sizeof(m), payload, len);
	used += m.len;
	return 1;
}

void message_text(u16 type, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	runtime_message(type, 0, text, (u32)strlen(text) + 1);
}

void message_error(enum run_error row, const char *format, ...)
{
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	core_error(row, text);
}

long message_read(void *buf, unsigned long size)
{
	size_t n = 0;

	while (n < used) {
		const struct wire_msg *m = (const struct wire_msg *)(queue + n);

		if (n + m->len > size)
			break;
		n += m->len;
	}
	memcpy(buf, queue, n);
	memmove(queue, queue + n, used - n);
	used -= n;
	return (long)n;
}

void message_clear(void)
{
	free(queue);
	queue = NULL;
	used = room = 0;
}
