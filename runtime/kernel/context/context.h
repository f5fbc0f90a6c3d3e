/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * context.h - the contexts of hits: four per possible CPU (task, softirq, irq, NMI), each with its
 * own books.
 *
 * One hit at a time uses a level's context; `busy` guards it. Books are per level too, so that an
 * interrupt cannot tear plain increments.
 */
#ifndef LAPWING_KERNEL_CONTEXT_H
#define LAPWING_KERNEL_CONTEXT_H

#include <linux/cache.h>
#include <linux/percpu.h>

#include "runtime/core/hit_times.h"
#include "runtime/rt.h"
#include "runtime/wire.h"

#define CONTEXT_LEVELS	4
#define CONTEXT_IRQ	2
#define CONTEXT_NMI	RT_LEVEL_NMI

struct context {
	struct rt_ctx		ctx;
	/* one per probe; written by this CPU at this level only */
	struct wire_account	*books;
	void			*memory;	/* passed to ctx_init() */
	/* RT_SLOW_ODD while a hit runs here, else 0; written by this CPU at this level only */
	u32			busy;
	/* probe of the last hit with an unread value, and its completed hits at that time */
	const struct rt_probe	*unread;
	u64			unread_after;
	/* cycles of hits here while run_timed is set; written as busy is */
	struct hit_times	times;
} ____cacheline_aligned;

/* A probe's statistics in this context. */
static inline struct wire_account *context_books(const struct context *x, const struct rt_probe *p)
{
	return (struct wire_account *)((char *)x->books + p->account);
}

/* Allocates all contexts. 0 or -ENOMEM (nothing kept). Process context. */
int context_load(void);
void context_unload(void);
/* This CPU's contexts, one per level. */
DECLARE_PER_CPU(struct context *, context_levels);
/* This CPU's context of the current level. Preemption must be off. Any context. */
struct context *context_here(void);
/* This CPU's NMI context. */
struct context *context_of_nmi(void);
/* 1: a handler is running on this CPU at any level. Any context. */
int context_active(void);
/* 1: a handler is running anywhere. Any context. */
int context_any_active(void);
/*
 * CPU cycles of hits of this level and above in the current interval: all, and the robust value
 * (hit_times.h). Any context.
 */
struct context_use {
	u64	used, robust;	/* cycles */
};
struct context_use context_used(u32 cpu, u32 level, u32 look);
/*
 * Adds the statistics of all CPUs and levels for one row of rt_script.probes to *sum. Process
 * context.
 */
void context_account(u32 probe, struct wire_account *sum);
/* Adds the statistics of symbol lookups of all hits. Process context. */
void context_names(struct wire_summary *sum);

#endif
