/* SPDX-License-Identifier: GPL-2.0-or-later */
/* smp.h - for locks_test.c. */
#ifndef TEST_LINUX_SMP_H
#define TEST_LINUX_SMP_H

int raw_smp_processor_id(void);

#endif
