// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * has_hrtimer_setup.c - compiles if a timer and its function are set by hrtimer_setup()
 * (Linux 6.13).
 */
#include <linux/hrtimer.h>

static enum hrtimer_restart fired(struct hrtimer *timer)
{
	return HRTIMER_NORESTART;
}

void has_hrtimer_setup(struct hrtimer *timer);
void has_hrtimer_setup(struct hrtimer *timer)
{
	hrtimer_setup(timer, fired, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
}
