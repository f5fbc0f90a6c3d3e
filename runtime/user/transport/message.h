/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.h - the queue of control messages to the consumer; runtime_message() (core/core.h) puts
 * them in.
 */
#ifndef LAPWING_USER_TRANSPORT_MESSAGE_H
#define LAPWING_USER_TRANSPORT_MESSAGE_H

#include "runtime/core/refuse.h"
#include "runtime/user/user.h"

/* Queues a formatted text; cut at 511 bytes. */
void message_text(u16 type, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* core_error() with a formatted text, cut at 399 bytes. */
void message_error(enum run_error row, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Moves whole messages into buf; returns the number of bytes. */
long message_read(void *buf, unsigned long size);
void message_clear(void);

#endif
