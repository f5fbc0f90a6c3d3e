/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine.c - see machine.h.
 */
#include "lib/machine.h"

#include <string.h>
#include <sys/utsname.h>

int machine_is_arm64(void)
{
	static int known = -1;
	struct utsname name;

	if (known < 0)
		known = !uname(&name) && !strcmp(name.machine, "aarch64");
	return known;
}
