/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * accounts.h - the account of all hits, sent to the consumer at the end.
 */
#ifndef LAPWING_USER_ACCOUNTS_H
#define LAPWING_USER_ACCOUNTS_H

/* Sends the account of each probe and global and the summary. Nothing runs any more. */
void accounts_send(void);

#endif
