// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sampling.c - see sampling.h. Sampling families check sampling_off, and count the samples that
 * they skip.
 */
#include "runtime/core/core.h"
#include "runtime/core/port.h"
#include "runtime/core/sampling.h"

int sampling_off;

void rt_profile_on(struct rt_ctx *c)
{
	sampling_off = 0;
}

void rt_profile_off(struct rt_ctx *c)
{
	sampling_off = 1;
}
