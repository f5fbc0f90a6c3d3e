/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * account.h - keeps the books that the module sends, says on standard error what does not balance,
 * and judges the run.
 */
#ifndef LAPWING_RUN_ACCOUNT_H
#define LAPWING_RUN_ACCOUNT_H

#include "runtime/run/run.h"

void account_probe(u32 id, const struct wire_account *a);
void account_global(u32 id, const struct wire_global_account *g, const char *name,
		    const char *table);
/* Prints what does not balance, and the verdict; gives it. Once, when all is read. */
struct run_verdict account_report(void);
/* Records of processes: all, and those that had no room. */
u64 process_records(void);
u64 process_records_lost(void);
void account_free(void);

#endif
