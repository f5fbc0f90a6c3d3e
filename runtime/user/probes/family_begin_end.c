/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_begin_end.c - begin, end, error: run by enter_phase(), nothing to arm.
 */
#include "runtime/user/user.h"

const struct rt_family rt_family_begin_end = {
	.name	= "begin_end",
};
