/* SPDX-License-Identifier: GPL-2.0-or-later */
/* message.h - the queue of control messages: fixed memory, any context but NMI. */
#ifndef LAPWING_KERNEL_TRANSPORT_MESSAGE_H
#define LAPWING_KERNEL_TRANSPORT_MESSAGE_H

#include "runtime/core/core.h"

int message_load(void);
void message_unload(void);
/* Moves whole messages to buf; returns their bytes. Process context. */
u32 message_take(void *buf, u32 size);
/* True if a message is queued. Any context. */
int message_pending(void);

#endif
