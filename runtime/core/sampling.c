// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sampling.c - see sampling.h. The families that sample ask; they count what they leave out.
 */
#include "runtime/core/sampling.h"

#include "runtime/core/port.h"
#include "runtime/rt.h"
#include "runtime/wire.h"

int sampling_off;

void rt_profile_on(struct rt_ctx *c)
{
	sampling_off = 0;
}

void rt_profile_off(struct rt_ctx *c)
{
	sampling_off = 1;
}
