/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cache.h - for locks_test.c. */
#ifndef TEST_LINUX_CACHE_H
#define TEST_LINUX_CACHE_H

#define ____cacheline_aligned __attribute__((__aligned__(64)))

#endif
