/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * port.h - the only place where runtime/core knows whether it is in a kernel.
 *
 * Provides memcpy, memmove, memset, memcmp, strlen and the errno numbers.  Nothing
 * else of either world may be used in runtime/core.
 */
#ifndef LAPWING_CORE_PORT_H
#define LAPWING_CORE_PORT_H

#ifdef __KERNEL__
#include <linux/types.h>
#include <linux/string.h>
#include <linux/errno.h>
#else
#include <errno.h>
#include <string.h>
#endif

#endif
