/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ctl_handler.h - answers `lapwing ctl`: pauses, resumes and flushes a recording, and reports its
 * status.
 */
#ifndef LAPWING_RECORD_CTL_HANDLER_H
#define LAPWING_RECORD_CTL_HANDLER_H

#include "record/record.h"

/*
 * From now on control_take() handles requests to this recording. The caller keeps both arguments.
 */
void ctl_handler_open(const struct record_options *options, struct capture_writer *w);
guint64 ctl_handler_close(void);		/* returns how long sampling was off, ns */

#endif
