/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ctl_handler.h - what `lapwing ctl` wants of a script that runs. */
#ifndef LAPWING_RUN_CTL_HANDLER_H
#define LAPWING_RUN_CTL_HANDLER_H

#include "runtime/run/run.h"

/* `lapwing ctl` can ask for what control.h names from now on, in control_take(). */
void ctl_handler_open(void);

#endif
