/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_function.c - kernel functions: not in this runtime; the translator says so first.
 */
#include "runtime/user/user.h"

#include <errno.h>

static int start(const void *rows, u32 n)
{
	const struct rt_function *row = rows;

	message_text(WIRE_ERROR, "probe %s needs a kernel module: use --target=vm or --runtime=kernel", row->probe->point);
	return -ENOSYS;
}

const struct rt_family rt_family_function = {
	.name	= "function",
	.start	= start,
};
