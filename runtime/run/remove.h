/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remove.h - lists and removes modules whose lapwing-run was killed. */
#ifndef LAPWING_RUN_REMOVE_H
#define LAPWING_RUN_REMOVE_H

#include "runtime/run/run.h"

int remove_modules(const char *name);	/* "all" or one; exit status */
int list_modules(void);

#endif
