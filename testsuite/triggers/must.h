/* SPDX-License-Identifier: GPL-2.0-or-later */
/* must.h - a trigger whose system call fails ends, and says which. */
#ifndef LAPWING_TRIGGERS_MUST_H
#define LAPWING_TRIGGERS_MUST_H

#include <stdio.h>
#include <stdlib.h>

static void must(int is_so, const char *what)
{
	if (!is_so) {
		perror(what);
		exit(1);
	}
}

#endif
