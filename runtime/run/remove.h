/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remove.h - lists and removes modules whose lapwing-run was killed. */
#ifndef LAPWING_RUN_REMOVE_H
#define LAPWING_RUN_REMOVE_H

#include "runtime/run/run.h"

/* "all" or one; exit status. */
int remove_modules(const char *name);
/*
 * Prints the modules of ours that are loaded; exit status. Where a kernel loads no modules there are
 * none: that is said, and no failure.
 */
int list_modules(enum data_form form);

#endif
