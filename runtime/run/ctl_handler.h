/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ctl_handler.h - handles requests of `lapwing ctl` to a running script. */
#ifndef LAPWING_RUN_CTL_HANDLER_H
#define LAPWING_RUN_CTL_HANDLER_H

#include "runtime/run/run.h"

/* From now on control_take() handles the requests of `lapwing ctl` (control.h). */
void ctl_handler_open(void);

#endif
