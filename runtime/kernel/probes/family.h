/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family.h - a probe family in the kernel runtime: arms and disarms its rows.
 *
 * Each family_*.c ends with one of these. Families are started in the order of rt_script.families
 * and stopped in reverse.
 */
#ifndef LAPWING_KERNEL_FAMILY_H
#define LAPWING_KERNEL_FAMILY_H

#include "runtime/rt.h"

struct rt_family {
	const char	*name;
	/* ftrace calls its probes, itself or by kprobes at entries: WIRE_ON_FTRACE */
	int		on_ftrace;
	/* Requests the addresses that the rows need (bind.h), before the start; or NULL. */
	void		(*needs)(const void *rows, u32 nrows);
	/*
	 * Arms all rows or none: 0, or -errno with everything undone. Process context, may sleep.
	 */
	int		(*start)(const void *rows, u32 nrows);
	/*
	 * Disarms what start() armed; afterwards no handler of this family runs or will run. May
	 * sleep.
	 */
	void		(*stop)(const void *rows, u32 nrows);
};

#endif
