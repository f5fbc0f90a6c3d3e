// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * message.c - the queue of control messages: fixed memory, any context but NMI.
 */
#include "runtime/kernel/session.h"

#include <linux/minmax.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#define MESSAGE_ROOM (1U << 20)

static u8 *message_queue;		/* constant between load and unload */
static DEFINE_RAW_SPINLOCK(message_lock);
static u32 message_used;		/* message_lock */
static u64 message_lost;		/* message_lock */

int message_load(void)
{
	message_queue = runtime_alloc(MESSAGE_ROOM);
	return message_queue ? 0 : -ENOMEM;
}

void message_unload(void)
{
	runtime_free(message_queue);
	message_queue = NULL;
}

static int message_put(u16 type, u16 id, const void *payload, u32 len)
{
	struct wire_msg m = { .type = type, .id = id };

	m.len = ALIGN(sizeof(m) + len, 8);
	if (m.len > MESSAGE_ROOM - message_used) {
		message_lost++;
		return 0;
	}
	memset(message_queue + message_used, 0, m.len);
	memcpy(message_queue + message_used, &m, sizeof(m));
	memcpy(message_queue + message_used + sizeof(m), payload, len);
	message_used += m.len;
	return 1;
}

int runtime_message(u16 type, u16 id, const void *payload, u32 len)
{
	static const char text[] = "the message queue was full: some warnings or errors are missing";
	unsigned long flags;
	int queued;

	raw_spin_lock_irqsave(&message_lock, flags);
	if (message_lost && message_used < MESSAGE_ROOM / 2) {
		message_lost = 0;
		message_put(WIRE_WARNING, 0, text, sizeof(text));
	}
	queued = message_put(type, id, payload, min_t(u32, len, WIRE_MSG_MAX - 16));
	raw_spin_unlock_irqrestore(&message_lock, flags);
	control_wake();
	return queued;
}

u32 message_take(void *buf, u32 size)
{
	unsigned long flags;
	u32 n = 0;

	raw_spin_lock_irqsave(&message_lock, flags);
	while (n < message_used) {
		const struct wire_msg *m = (const struct wire_msg *)(message_queue + n);

		if (n + m->len > size)
			break;
		n += m->len;
	}
	memcpy(buf, message_queue, n);
	memmove(message_queue, message_queue + n, message_used - n);
	message_used -= n;
	raw_spin_unlock_irqrestore(&message_lock, flags);
	return n;
}

int message_pending(void)
{
	return READ_ONCE(message_used) != 0;
}
