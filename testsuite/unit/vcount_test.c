/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vcount_test.c - counts per thread out of counters per CPU, beside a model that follows every
 * instruction: threads are switched and moved among CPUs, asked about at any time, end and come
 * again under the same address, half of them counted from their start.
 */
#include "runtime/core/vcount.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define CPUS 4
#define THREADS 40
#define EVENTS 2

static u64 counter[CPUS][EVENTS], truth[THREADS][EVENTS];
static int on[CPUS], counted[THREADS];	/* thread by CPU; is it counted yet? */
static struct vcount_cpu cpus[CPUS];

static u64 read_counter(void *data, u32 i) { return counter[(long)data][i]; }
static const void *task(int thread)
{
	return (const void *)(0x7f0000000000UL + 64UL * (unsigned long)thread);
}

static void run(int cpu)
{
	for (int i = 0; i < EVENTS; i++) {
		u64 n = (u64)random() % 1000;

		counter[cpu][i] += n;
		truth[on[cpu]][i] += counted[on[cpu]] ? n : 0;
	}
}

static int is_on_cpu(int thread)
{
	for (int cpu = 0; cpu < CPUS; cpu++)
		if (on[cpu] == thread)
			return 1;
	return 0;
}

static void switch_to(struct vcount *v, int cpu, int thread)
{
	if (is_on_cpu(thread))
		return;
	vcount_switch(v, &cpus[cpu], task(thread), read_counter, (void *)(long)cpu);
	on[cpu] = thread;
}

static void ask(struct vcount *v, int cpu)
{
	int thread = on[cpu], i = (int)random() % EVENTS;
	u64 value = 1;

	assert(vcount_value(v, &cpus[cpu], task(thread), (u32)i, read_counter, (void *)(long)cpu,
			    &value));
	counted[thread] = 1;
	assert(value == truth[thread][i]);
}

static void end(struct vcount *v, int thread)
{
	if (is_on_cpu(thread))
		return;
	vcount_leave(v, task(thread));
	counted[thread] = random() % 2 && vcount_enter(v, task(thread));
	for (int i = 0; i < EVENTS; i++)
		truth[thread][i] = 0;
}

/*
 * Between the notice of a switch and the switch the old thread is still current: it reads its count
 * so far.
 */
static void check_window(struct vcount *v)
{
	int leaves = on[0];
	u64 value = 1;

	ask(v, 0);
	vcount_switch(v, &cpus[0], task(THREADS - 1), read_counter, NULL);
	counter[0][0] += 50;
	assert(vcount_value(v, &cpus[0], task(leaves), 0, read_counter, NULL, &value) &&
	       value == truth[leaves][0]);
	on[0] = THREADS - 1;
	truth[on[0]][0] += counted[on[0]] ? 50 : 0;
	ask(v, 0);
}

/* As many threads as there is room for: one more is refused, and a free row is used again. */
static void check_room(void)
{
	struct vcount v = { .n = 1,
			    .bytes = vcount_row_bytes(1),
			    .rows = calloc(VCOUNT_SLOTS, vcount_row_bytes(1)) };
	unsigned long entered = 0;

	while (entered <= VCOUNT_SLOTS && vcount_enter(&v, task((int)entered)))
		entered++;
	assert(entered > VCOUNT_SLOTS / 8 && entered <= VCOUNT_SLOTS && v.threads == entered);
	for (unsigned long i = 0; i < entered; i++) {
		assert(vcount_find(&v, task((int)i)));
		vcount_leave(&v, task((int)i));
	}
	assert(!v.threads && vcount_enter(&v, task((int)entered)));
	free(v.rows);
}

int main(void)
{
	struct vcount v = { .n = EVENTS, .bytes = vcount_row_bytes(EVENTS) };

	v.rows = calloc(VCOUNT_SLOTS, v.bytes);
	for (int cpu = 0; cpu < CPUS; cpu++) {
		on[cpu] = cpu;
		cpus[cpu].task = task(cpu);
	}
	for (int i = 0; i < 200000; i++) {
		int cpu = (int)random() % CPUS, what = (int)random() % 8;

		run(cpu);
		if (what < 4)
			switch_to(&v, cpu, (int)random() % (THREADS - 1));
		else if (what < 7)
			ask(&v, cpu);
		else
			end(&v, (int)random() % (THREADS - 1));
	}
	check_window(&v);
	free(v.rows);
	check_room();
	puts("vcount: as the model has it");
	return 0;
}
