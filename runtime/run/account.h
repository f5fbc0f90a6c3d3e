/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * account.h - the accounts of probes and globals, and the verdict on the run.
 */
#ifndef LAPWING_RUN_ACCOUNT_H
#define LAPWING_RUN_ACCOUNT_H

#include "runtime/rt.h"
#include "runtime/wire.h"

struct account_global {
	struct wire_global_account books;
	char		*name, *table;	/* NULL: none; table "": not of a stopwatch or profile */
};
extern struct accounts {
	struct wire_account	*probe;
	unsigned		nprobes;
	struct account_global	*global;
	unsigned		nglobals;
} accounts;
/* Shares (0 to 1) of all events that are in the results; 1 if there were none. */
struct run_verdict {
	int	partial;
	int	failed;			/* the run was ended by an error */
	double	share;			/* the smallest of: */
	double	hits, inserts, records, samples, values, switches, processes;
	double	stacks;			/* those whose innermost caller is proven */
};
void account_probe(u32 id, const struct wire_account *a);
void account_global(u32 id, const struct wire_global_account *g, const char *name,
		    const char *table);
/* Prints losses and the verdict, and returns the verdict. Once, when everything was read. */
struct run_verdict account_report(void);
/* Records of processes: all, and those that had no room. */
u64 process_records(void);
u64 process_records_lost(void);
void account_free(void);

#endif
