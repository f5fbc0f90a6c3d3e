// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * message.c - the queue of control messages: fixed memory, any context but NMI.
 */
#include "runtime/kernel/transport/message.h"


#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/spinlock.h>
#include <linux/string.h>

/*
 * Definitions are queued before anyone reads, and accounts all at once: there is room for those of
 * every probe.
 */
#define MESSAGE_ROOM	(1U << 20)
#define MESSAGE_PROBE	512U
/* room for at most this many: 2 GB, which no machine grants */
#define MESSAGE_PROBES	(1U << 22)

static u8 *message_queue;		/* constant between load and unload, like message_room */
static u32 message_room;
static DEFINE_RAW_SPINLOCK(message_lock);
static u32 message_from, message_to;	/* the queued part; under message_lock */
static u64 message_lost;		/* under message_lock */

int message_load(void)
{
	message_room = MESSAGE_ROOM + min_t(u32, rt_script.nprobes, MESSAGE_PROBES) * MESSAGE_PROBE;
	message_queue = runtime_alloc(message_room);
	return message_queue ? 0 : -ENOMEM;
}

void message_unload(void)
{
	runtime_free(message_queue);
	message_queue = NULL;
}

/*
 * Scripts may warn without limit: warnings get half of the room, so that they displace nothing
 * else.
 */
static int message_has_room(u16 type, u32 len)
{
	u32 room = type == WIRE_WARNING ? message_room / 2 : message_room;

	return message_to - message_from <= room && len <= room - (message_to - message_from);
}

static int message_put(u16 type, u32 id, const void *payload, u32 len)
{
	struct wire_msg m = { .type = type, .id = id };

	m.len = ALIGN(sizeof(m) + len, 8);
	if (!message_has_room(type, m.len)) {
		message_lost++;
		return 0;
	}
	if (m.len > message_room - message_to) {
		memmove(message_queue, message_queue + message_from, message_to - message_from);
		message_to -= message_from;
		message_from = 0;
	}
	memset(message_queue + message_to, 0, m.len);
	memcpy(message_queue + message_to, &m, sizeof(m));
	memcpy(message_queue + message_to + sizeof(m), payload, len);
	message_to += m.len;
	return 1;
}

int runtime_message(u16 type, u32 id, const void *payload, u32 len)
{
	static const char text[] =
		"the message queue was full: some warnings or errors are missing";
	unsigned long flags;
	int queued;

	raw_spin_lock_irqsave(&message_lock, flags);
	if (message_lost && message_to - message_from < message_room / 4) {
		message_lost = 0;
		message_put(WIRE_WARNING, 0, text, sizeof(text));
	}
	queued = message_put(type, id, payload, min_t(u32, len, WIRE_MSG_MAX - 16));
	raw_spin_unlock_irqrestore(&message_lock, flags);
	runtime_wake();
	return queued;
}

u32 message_take(void *buf, u32 size)
{
	unsigned long flags;
	u32 n = 0;

	raw_spin_lock_irqsave(&message_lock, flags);
	while (message_from + n < message_to) {
		const struct wire_msg *m =
			(const struct wire_msg *)(message_queue + message_from + n);

		if (n + m->len > size)
			break;
		n += m->len;
	}
	memcpy(buf, message_queue + message_from, n);
	message_from += n;
	if (message_from == message_to)
		message_from = message_to = 0;
	raw_spin_unlock_irqrestore(&message_lock, flags);
	return n;
}

int message_pending(void)
{
	return READ_ONCE(message_to) != READ_ONCE(message_from);
}
