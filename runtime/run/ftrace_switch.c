/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ftrace_switch.c - see ftrace_switch.h.
 */
#include "runtime/run/ftrace_switch.h"

#include "runtime/run/run.h"
#include "runtime/run/script_error.h"

#include <stdio.h>

int ftrace_switch_check(void)
{
	FILE *file = facts.hello.flags & WIRE_ON_FTRACE ? fopen("/proc/sys/kernel/ftrace_enabled", "r")
							: NULL;
	int is_off = file && fgetc(file) == '0';

	if (file)
		fclose(file);
	if (!is_off)
		return 0;
	run_error_show(RUN_FTRACE_OFF, NULL);
	facts.errors++;
	return -1;
}
