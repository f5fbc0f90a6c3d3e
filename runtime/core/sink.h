/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sink.h - destination of formatted text: a bounded buffer that may drain.
 *
 * Text that does not fit is dropped and `cut` set, unless `drain` is given: it must consume
 * p[0..used) and set used to 0; otherwise the rest is truncated.
 */
#ifndef LAPWING_CORE_SINK_H
#define LAPWING_CORE_SINK_H

#include "runtime/core/port.h"
#include "runtime/rt.h"

struct sink {
	char	*p;
	u32	size;
	u32	used;
	int	cut;				/* 1: something did not fit */
	void	(*drain)(struct sink *s);	/* or NULL */
	void	*owner;				/* for drain */
	/*
	 * Appends values that are not part of the script's text; s NULL: returns the bytes that it
	 * would append. NULL: sink_put() is used.
	 */
	u32	(*put_value)(struct sink *s, const char *p, u32 n);
};

/* Appends n bytes; only as many as fit. */
static inline void sink_put(struct sink *s, const char *p, u32 n)
{
	while (n > s->size - s->used) {
		u32 room = s->size - s->used;

		memcpy(s->p + s->used, p, room);
		s->used = s->size;
		p += room;
		n -= room;
		if (s->drain)
			s->drain(s);
		if (s->used == s->size) {
			s->cut = 1;
			return;
		}
	}
	if (n)
		memcpy(s->p + s->used, p, n);
	s->used += n;
}

/* Appends n bytes of a value, converted for the destination. */
static inline void sink_value(struct sink *s, const char *p, u32 n)
{
	if (s->put_value)
		s->put_value(s, p, n);
	else
		sink_put(s, p, n);
}

/* Appends one byte. */
static inline void sink_char(struct sink *s, char ch)
{
	sink_put(s, &ch, 1);
}

/* Appends n times the same byte; stops early once the sink is full. */
static inline void sink_fill(struct sink *s, char ch, u32 n)
{
	while (n-- && !s->cut)
		sink_char(s, ch);
}

/* Appends a NUL-terminated text. */
static inline void sink_text(struct sink *s, const char *text)
{
	sink_put(s, text, (u32)strlen(text));
}

#endif
