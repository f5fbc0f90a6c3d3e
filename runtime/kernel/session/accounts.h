/* SPDX-License-Identifier: GPL-2.0-or-later */
/* accounts.h - statistics of hits: sent to the consumer at the end. */
#ifndef LAPWING_KERNEL_ACCOUNTS_H
#define LAPWING_KERNEL_ACCOUNTS_H

/*
 * Sends the account of each probe and global and the summary. After the last hit. Process context.
 */
void accounts_send(void);

#endif
