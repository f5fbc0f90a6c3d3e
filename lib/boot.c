/* SPDX-License-Identifier: GPL-2.0-or-later */
/* boot.c - see boot.h. */
#include "lib/boot.h"

#include <stdio.h>

const char *boot_id(void)
{
	static char id[37];
	FILE *f = *id ? NULL : fopen("/proc/sys/kernel/random/boot_id", "re");

	if (f) {
		if (fscanf(f, "%36s", id) != 1)
			*id = 0;
		fclose(f);
	}
	return id;
}
