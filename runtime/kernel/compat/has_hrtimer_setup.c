// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * has_hrtimer_setup.c - compiles if one call sets up a timer and its handler (Linux 6.13;
 * hrtimer_init() was removed in 6.15).
 */
#include <linux/hrtimer.h>

void has_hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*fired)(struct hrtimer *));
void has_hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*fired)(struct hrtimer *))
{
	hrtimer_setup(timer, fired, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
}
