/* SPDX-License-Identifier: GPL-2.0-or-later */
/* errno.h - for locks_test.c. */
#ifndef TEST_LINUX_ERRNO_H
#define TEST_LINUX_ERRNO_H

#include <stddef.h>

#define ENOMEM 12

#endif
