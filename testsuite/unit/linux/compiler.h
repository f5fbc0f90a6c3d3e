/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compiler.h - for locks_test.c. */
#ifndef TEST_LINUX_COMPILER_H
#define TEST_LINUX_COMPILER_H

#define likely(x) (x)
#define unlikely(x) (x)
#define noinline
#define __always_inline inline __attribute__((__always_inline__))

#endif
