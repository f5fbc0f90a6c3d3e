/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ctl_handler.h - what `lapwing ctl` wants of a recording: to pause, to go on, to write what it
 * has, and how it stands.
 */
#ifndef LAPWING_RECORD_CTL_HANDLER_H
#define LAPWING_RECORD_CTL_HANDLER_H

#include "record/record.h"

/* `lapwing ctl` can reach this recording from now on (control_take()). */
void ctl_handler_open(const struct record_options *options, struct capture_writer *w);
guint64 ctl_handler_close(void);		/* for how long sampling was off, ns */

#endif
