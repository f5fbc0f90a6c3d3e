// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ring.c - the output rings, mapped by the consumer: one per possible CPU, and one more for each CPU's
 * NMIs, which may interrupt a handler that writes.
 */
#include "runtime/kernel/transport/ring.h"

#include "runtime/kernel/base/run_state.h"

#include <linux/cpumask.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>

#include "runtime/core/bytes.h"
#include "runtime/core/frame.h"
#include "runtime/kernel/base/memory.h"

/* [ring_rings]; constant between load and unload */
static struct ring_writer *ring_writers;
static u32 ring_rings;
static u64 ring_size;				/* bytes of records */

static int ring_needs_nmi(void)
{
	const u32 both = RT_CAP_NMI | RT_CAP_TRACE;
	u32 i;

	for (i = 0; i < rt_script.nprobes && (rt_script.probes[i].capture & both) != both; i++)
		;
	return i < rt_script.nprobes;
}

static int ring_make(struct ring_writer *w)
{
	struct wire_ring *r = NULL;

	if (memory_allows(WIRE_RING_HEADER + ring_size))
		r = vmalloc_user(WIRE_RING_HEADER + ring_size);
	if (!r)
		return -ENOMEM;
	ring_writer_init(w, r, ring_size);
	return 0;
}

int ring_load(u32 kb)
{
	u32 i;

	ring_size = roundup_pow_of_two(clamp_t(u64, (u64)kb << 10, 65536, 1ULL << 30));
	ring_rings = nr_cpu_ids << ring_needs_nmi();
	ring_writers = runtime_alloc((u64)ring_rings * sizeof(*ring_writers));
	if (!ring_writers)
		return -ENOMEM;
	for (i = 0; i < ring_rings; i++)
		if (cpu_possible(i % nr_cpu_ids) && ring_make(&ring_writers[i])) {
			ring_unload();
			return -ENOMEM;
		}
	return 0;
}

void ring_unload(void)
{
	u32 i;

	for (i = 0; ring_writers && i < ring_rings; i++)
		vfree(ring_writers[i].ring);
	runtime_free(ring_writers);
	ring_writers = NULL;
}

u64 ring_bytes(void)
{
	return WIRE_RING_HEADER + ring_size;
}

u32 ring_count(void)
{
	return ring_rings;
}

struct ring_writer *ring_of(u32 cpu, int in_nmi)
{
	return &ring_writers[in_nmi && ring_rings > nr_cpu_ids ? nr_cpu_ids + cpu : cpu];
}

int ring_mmap(u32 ring, struct vm_area_struct *vma)
{
	if (ring >= ring_rings || !ring_writers[ring].ring ||
	    vma->vm_end - vma->vm_start > ring_bytes())
		return -EINVAL;
	return remap_vmalloc_range(vma, ring_writers[ring].ring, 0);
}

/*
 * One try. Interrupts are off, or only preemption is: then only begin, end or error probes run. So
 * nothing else writes concurrently: handlers in NMIs have a ring of their own.
 */
static notrace int ring_put(struct rt_ctx *c, int more)
{
	struct wire_record head = output_head(c, more);
	/* not c->ring: begin, end and error probes have none, so that they write nothing in place */
	int done = ring_write(ring_of(c->cpu, c->level == RT_LEVEL_NMI), &head, c->out, c->out_used,
			      !c->may_wait);

	if (unlikely(done != 1))
		runtime_wake();
	return done;
}

/* Begin, end and error probes wait for the reader; they are bound to this ring's CPU. */
static noinline void flush_patiently(struct rt_ctx *c, int more)
{
	int done;

	do {
		preempt_disable_notrace();
		done = ring_put(c, more);
		preempt_enable_notrace();
		if (!done) {
			runtime_wake();
			schedule_timeout_uninterruptible(1);
		}
	} while (!done && !run_is_abandoned());
}

notrace void runtime_flush(struct rt_ctx *c, int more)
{
	if (c->may_wait)
		flush_patiently(c, more);
	else
		ring_put(c, more);		/* interrupts are off */
}
