/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ctl_handler.h - answers requests of `lapwing ctl` to a script's run.
 */
#ifndef LAPWING_RUN_CTL_HANDLER_H
#define LAPWING_RUN_CTL_HANDLER_H

/* Accepts requests from now on; control_receive() handles them. */
void ctl_handler_open(void);

#endif
