/* SPDX-License-Identifier: GPL-2.0-or-later */
/* messages.h - handles the module's messages: passes each to the part that needs it. */
#ifndef LAPWING_RUN_MESSAGES_H
#define LAPWING_RUN_MESSAGES_H

/* Reads and handles the pending messages. */
void messages_handle(void);

#endif
