// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ring.c - the output rings, one per possible CPU, mapped by the consumer.
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

static struct ring_writer *ring_writers;	/* [nr_cpu_ids]; constant between load and unload */
static u64 ring_size;				/* bytes of records */

int ring_load(u32 kb)
{
	u32 cpu;

	ring_size = roundup_pow_of_two(clamp_t(u64, (u64)kb << 10, 65536, 1ULL << 30));
	ring_writers = runtime_alloc((u64)nr_cpu_ids * sizeof(*ring_writers));
	if (!ring_writers)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		struct wire_ring *r = NULL;

		if (memory_allows(WIRE_RING_HEADER + ring_size))
			r = vmalloc_user(WIRE_RING_HEADER + ring_size);
		if (!r) {
			ring_unload();
			return -ENOMEM;
		}
		ring_writer_init(&ring_writers[cpu], r, ring_size);
	}
	return 0;
}

void ring_unload(void)
{
	u32 i;

	for (i = 0; ring_writers && i < nr_cpu_ids; i++)
		vfree(ring_writers[i].ring);
	runtime_free(ring_writers);
	ring_writers = NULL;
}

u64 ring_bytes(void)
{
	return WIRE_RING_HEADER + ring_size;
}

struct ring_writer *ring_of(u32 cpu)
{
	return &ring_writers[cpu];
}

int ring_mmap(u32 cpu, struct vm_area_struct *vma)
{
	if (cpu >= nr_cpu_ids || !ring_writers[cpu].ring ||
	    vma->vm_end - vma->vm_start > ring_bytes())
		return -EINVAL;
	return remap_vmalloc_range(vma, ring_writers[cpu].ring, 0);
}

/*
 * One try. Interrupts are off, or only preemption is: then only begin, end or error probes run. So
 * nothing else writes concurrently: handlers in NMIs have no output.
 */
static notrace int ring_put(struct rt_ctx *c, int more)
{
	struct wire_record head = output_head(c, more);
	int done = ring_write(&ring_writers[c->cpu], &head, c->out, c->out_used, !c->may_wait);

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
