/* SPDX-License-Identifier: GPL-2.0-or-later */
/* delay.h - for locks_test.c. */
#ifndef TEST_LINUX_DELAY_H
#define TEST_LINUX_DELAY_H

void udelay(unsigned long us);

#endif
