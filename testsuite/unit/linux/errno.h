/* SPDX-License-Identifier: GPL-2.0-or-later */
/* errno.h - for tests of runtime/kernel/context/locks.c. */
#ifndef TEST_LINUX_ERRNO_H
#define TEST_LINUX_ERRNO_H

#include <stddef.h>

#include <asm/errno.h>

#endif
