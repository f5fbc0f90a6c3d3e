/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.h - the queue of control messages to the consumer; runtime_message() (core/core.h) adds
 * them.
 */
#ifndef LAPWING_KERNEL_MESSAGE_H
#define LAPWING_KERNEL_MESSAGE_H

#include "runtime/rt.h"

/* 0 or -ENOMEM. Process context. */
int message_load(void);
void message_unload(void);
/* Copies whole messages into buf; returns the bytes. Process context. */
u32 message_receive(void *buf, u32 size);
/* True if there is one. Any context. */
int message_pending(void);

#endif
