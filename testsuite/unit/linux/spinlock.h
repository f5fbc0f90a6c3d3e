/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spinlock.h - for message_test.c, which is one thread: a lock that must be free when it is taken.
 */
#ifndef TEST_LINUX_SPINLOCK_H
#define TEST_LINUX_SPINLOCK_H

#include <assert.h>

#define DEFINE_RAW_SPINLOCK(name) int name
#define raw_spin_lock_irqsave(lock, flags) do { flags = 0; assert(!*(lock)); *(lock) = 1; } while (0)
#define raw_spin_unlock_irqrestore(lock, flags) do { (void)flags; *(lock) = 0; } while (0)

#endif
