/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * account.h - keeps the books that the module sends, prints on standard error what does not
 * balance, and judges the run.
 */
#ifndef LAPWING_RUN_ACCOUNT_H
#define LAPWING_RUN_ACCOUNT_H

#include "runtime/core/sink.h"
#include "runtime/run/run.h"

void account_probe(u32 id, const struct wire_account *a);
void account_global(u32 id, const struct wire_global_account *g, const char *name,
		    const char *table);
/* Prints what does not balance, and the verdict, which it returns. Once, when all is read. */
struct run_verdict account_report(void);
/* Why a verdict is PARTIAL, at most VERDICT_REASON bytes: what is said after that word. */
#define VERDICT_REASON 1024
void account_reason(const struct run_verdict *v, struct sink *out);
/* Process records: all, and the lost ones. */
u64 process_records(void);
u64 process_records_lost(void);
void account_free(void);

#endif
