/* SPDX-License-Identifier: GPL-2.0-or-later */
/* time.h - the clocks that handlers and rings read. */
#ifndef LAPWING_KERNEL_BASE_TIME_H
#define LAPWING_KERNEL_BASE_TIME_H

#include "runtime/core/core.h"

/* time.c; process context. */
void time_load(void);
void time_unload(void);

#endif
