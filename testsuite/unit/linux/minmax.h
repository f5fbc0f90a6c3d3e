/* SPDX-License-Identifier: GPL-2.0-or-later */
/* minmax.h - for message_test.c: the macros of the kernel that message.c needs. */
#ifndef TEST_LINUX_MINMAX_H
#define TEST_LINUX_MINMAX_H

#define U16_MAX 65535U
#define min_t(type, a, b) ((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define ALIGN(n, to) (((n) + (to) - 1) & ~((__typeof__(n))(to) - 1))
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))

#endif
