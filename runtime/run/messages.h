/* SPDX-License-Identifier: GPL-2.0-or-later */
/* messages.h - what the module says: each message goes to whom it is for. */
#ifndef LAPWING_RUN_MESSAGES_H
#define LAPWING_RUN_MESSAGES_H

/* Reads and handles what there is. */
void messages_handle(void);

#endif
