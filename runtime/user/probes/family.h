/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family.h - what a probe family is in the user runtime: a way to arm its rows and a way to disarm
 * them.
 */
#ifndef LAPWING_USER_FAMILY_H
#define LAPWING_USER_FAMILY_H

#include "runtime/rt.h"

struct rt_family {
	const char	*name;
	/* Arms all rows; 0 or -errno after a WIRE_ERROR. On failure nothing stays armed. */
	int		(*start)(const void *rows, u32 n);
	void		(*stop)(const void *rows, u32 n);
};

#endif
