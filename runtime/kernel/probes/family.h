/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family.h - what a probe family is in the kernel runtime: a way to arm its rows and a way to disarm them.
 *
 * Each family_*.c ends with one of these.  It does not say when families are
 * started; that is the order of rt_script.families, undone in reverse.
 */
#ifndef LAPWING_KERNEL_FAMILY_H
#define LAPWING_KERNEL_FAMILY_H

#include "runtime/rt.h"

struct rt_family {
	const char	*name;
	/* Asks for the addresses that the rows need (bind.h), before the start; or NULL. */
	void		(*needs)(const void *rows, u32 nrows);
	/* Arms all rows or none: 0, or -errno with everything undone. Process context, may sleep. */
	int		(*start)(const void *rows, u32 nrows);
	/* Disarms what start() armed; afterwards no handler of this family runs or will run. May sleep. */
	void		(*stop)(const void *rows, u32 nrows);
};

#endif
