/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * locks_test.c - the kernel runtime's locks under every schedule of two or three threads.
 *
 * runtime/kernel/context/locks.c itself is compiled here; each atomic operation and each
 * unprotected access of the threads' bodies is a point where any other thread may run first. The
 * scheduler runs the threads again and again, each time with another sequence of choices, depth
 * first. A thread that waits (udelay) runs again only after a lock has changed: when all wait, that
 * is a deadlock.
 *
 * Of schedules that only differ in the order of independent steps, which lead to the same state,
 * one is tried: sleep sets (Godefroid, Partial-Order Methods, 1996). A step is what a thread does
 * from one such point to the next; steps of two threads are independent if neither writes what the
 * other reads or writes. So whatever threads share must be told by shared_read(), shared_write().
 *
 * What must hold (design, locking): updates of a tier-one variable, each under its own CPU's part,
 * are never lost; whoever holds all parts sees them stand still; tier-two writers are alone; locks
 * taken in declaration order never deadlock. Each rule is also broken on purpose, and then the
 * scheduler must find the damage: else it tests nothing.
 */
#include "runtime/core/core.h"
#include "runtime/core/num.h"
#include "runtime/kernel/context/locks.h"
#include "runtime/kernel/context/oops.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <ucontext.h>

enum { THREADS = 3, DEPTH = 200, STACK = 64 * 1024, OBJECTS = 64 };

struct thread {
	void		(*body)(int self);
	int		cpu, started, done, waits;
	jmp_buf		first, at;		/* where it begins, where it goes on */
	char		stack[STACK];
};

static struct thread threads[THREADS];
static int nthreads, running;
static jmp_buf scheduler;
static const char *damage;		/* of this run */

/* A bit for each object (object_bit). */
struct footprint { u64 reads, writes; };

/* Sets of threads have a bit for each. */
struct step {
	int			thread;		/* chosen, of able and not of asleep */
	unsigned		able, asleep;	/* asleep: its step first leads to nothing new */
	struct footprint	next[THREADS];	/* what thread did, and those asleep would do */
};

static struct step steps[DEPTH];
static int depth, planned;		/* steps of this run; of them by plan */

/* ---- what steps share ---------------------------------------------------------------*/

/* Objects are at the same address in each run. */
static u64 object_bit(const void *object)
{
	static const void *known[OBJECTS];
	int i = 0;

	while (known[i] && known[i] != object)
		if (++i == OBJECTS)
			abort();
	known[i] = object;
	return 1ULL << i;
}

void shared_read(const void *object)
{
	steps[depth - 1].next[running].reads |= object_bit(object);
}

void shared_write(const void *object)
{
	steps[depth - 1].next[running].writes |= object_bit(object);
}

static int independent(const struct footprint *a, const struct footprint *b)
{
	return !(a->writes & (b->reads | b->writes)) && !(a->reads & b->writes);
}

/* ---- the scheduler ---------------------------------------------------------------*/

void scheduling_point(void)
{
	if (!_setjmp(threads[running].at))
		_longjmp(scheduler, 1);
}

/* Who waits is an object as well, `threads`: a change before this step does not end this wait. */
void udelay(unsigned long us)
{
	(void)us;
	shared_write(threads);
	threads[running].waits = 1;
	scheduling_point();
}

static void wake_all(void)
{
	shared_read(threads);
	for (int i = 0; i < nthreads; i++)
		threads[i].waits = 0;
}

void lock_write(const atomic_t *a)
{
	shared_write(a);
	wake_all();
}

static void enter(void)
{
	if (!_setjmp(threads[running].first))
		_longjmp(scheduler, 1);
	threads[running].body(running);
	threads[running].done = 1;
	_longjmp(scheduler, 1);
}

/* Gives each thread its stack, once: contexts cost system calls, of which a schedule makes none. */
static void make_threads(void)
{
	ucontext_t context;

	for (running = 0; running < THREADS; running++) {
		getcontext(&context);
		context.uc_stack.ss_sp = threads[running].stack;
		context.uc_stack.ss_size = STACK;
		makecontext(&context, enter, 0);
		if (!_setjmp(scheduler))
			setcontext(&context);
	}
}

/* Those that were asleep before the last step and are independent of it. */
static void keep_asleep(struct step *s)
{
	const struct step *last = s - 1;

	s->asleep = 0;
	for (int i = 0; depth && i < nthreads; i++)
		if (last->asleep >> i & 1 && independent(&last->next[i], &last->next[last->thread])) {
			s->asleep |= 1U << i;
			s->next[i] = last->next[i];
		}
}

/*
 * Returns the next thread by the plan, or, beyond it, the first that is able and not asleep; -1 if
 * there is none.
 */
static int choose(void)
{
	struct step *s = &steps[depth];

	if (depth == DEPTH)
		abort();
	if (depth >= planned) {
		s->able = 0;
		for (int i = 0; i < nthreads; i++)
			s->able |= (unsigned)(!threads[i].done && !threads[i].waits) << i;
		keep_asleep(s);
	}
	if (depth >= planned - 1)
		s->thread = ffs((int)(s->able & ~s->asleep)) - 1;
	if (s->thread < 0)
		return -1;
	s->next[s->thread] = (struct footprint){ 0 };
	depth++;
	return s->thread;
}

static void run_thread(int i)
{
	struct thread *t = &threads[i];

	running = i;
	if (t->started)
		_longjmp(t->at, 1);
	t->started = 1;
	_longjmp(t->first, 1);
}

/* Returns 0 if it came to where all that are able sleep: the rest is that of an earlier run. */
static int run_once(void)
{
	int next;

	depth = 0;
	damage = NULL;
	for (int i = 0; i < nthreads; i++)
		threads[i].started = threads[i].done = threads[i].waits = 0;
	_setjmp(scheduler);
	next = choose();
	if (next >= 0)
		run_thread(next);
	if (steps[depth].able)
		return 0;
	for (int i = 0; i < nthreads; i++)
		if (!threads[i].done)
			damage = "deadlock";
	return 1;
}

/* Plans another sequence of choices; returns 0 if all have been tried. */
static int plan_next(void)
{
	for (; depth > 0; depth--) {
		struct step *s = &steps[depth - 1];

		s->asleep |= 1U << s->thread;
		if (s->able & ~s->asleep) {
			planned = depth;
			return 1;
		}
	}
	return 0;
}

/* ---- two globals, and what threads do with them ----------------------------------------*/

static struct rt_global globals[] = { { "counter", RT_G_COUNTER, 0, NULL, 0, 2 },
				      { "table", RT_G_LONG, 0, NULL, 0, 1 } };
static struct rt_probe probe_of[THREADS];
static struct rt_lockuse uses[THREADS][2];
const struct rt_script rt_script = {
	.globals = globals,
	.nglobals = 2,
	.probes = probe_of,
	.nprobes = THREADS,
	.limits = { .maxtrylock = 1000, .trylock_us = 1 },
};

static _Alignas(RT_LINE) char memory[1024];
static u64 memory_used;			/* 0 before each run, so that objects have the same addresses */

void *runtime_alloc(u64 bytes)
{
	void *p = memory + memory_used;

	memory_used += num_align_line(bytes);
	return memory_used <= sizeof(memory) ? memset(p, 0, bytes) : NULL;
}
void runtime_free(void *p) { (void)p; }
u32 runtime_parts(void) { return 2; }

static int part[2], taken;		/* the counter's parts; updates that got their lock */
static struct { int all, writers; } users;	/* of the table */
static int faulted;

int oops_happened(void)
{
	shared_read(&faulted);
	return faulted;
}

/* ++ of the counter's part of this CPU: load, and later store. */
static void adder(int self)
{
	int *own = &part[threads[self].cpu], old;

	if (!locks_take(&probe_of[self], (u32)threads[self].cpu))
		return;
	shared_write(&taken);
	taken++;
	shared_read(own);
	old = *own;
	scheduling_point();
	shared_write(own);
	*own = old + 1;
	locks_drop(&probe_of[self], (u32)threads[self].cpu);
}

static int sum(void)
{
	shared_read(&part[0]);
	shared_read(&part[1]);
	return part[0] + part[1];
}

/* Sums up the parts twice. */
static void reader(int self)
{
	int first, second;

	if (!locks_take(&probe_of[self], (u32)threads[self].cpu))
		return;
	first = sum();
	scheduling_point();
	second = sum();
	shared_read(&taken);
	if (first != second || first != taken)
		damage = "the counter changes under its reader";
	locks_drop(&probe_of[self], (u32)threads[self].cpu);
}

/* Takes whatever its uses say, and checks who else is there. */
static void user(int self)
{
	int writes = 0;

	for (unsigned i = 0; i < probe_of[self].nlocks; i++)
		writes |= uses[self][i].mode == RT_WRITE && uses[self][i].global == 1;
	if (!locks_take(&probe_of[self], (u32)threads[self].cpu))
		return;
	shared_write(&users);
	users.all++;
	users.writers += writes;
	if (users.writers && users.all > 1)
		damage = "a writer is not alone";
	scheduling_point();
	shared_write(&users);
	users.all--;
	users.writers -= writes;
	locks_drop(&probe_of[self], (u32)threads[self].cpu);
}

/* A handler that faults: nobody drops what it holds. */
static void victim(int self)
{
	if (!locks_take(&probe_of[self], (u32)threads[self].cpu))
		return;
	scheduling_point();
	shared_write(&faulted);
	faulted = 1;
	wake_all();
}

static void set_thread(int i, void (*body)(int), int cpu, unsigned n, struct rt_lockuse first,
		       struct rt_lockuse second)
{
	threads[i].body = body;
	threads[i].cpu = cpu;
	uses[i][0] = first;
	uses[i][1] = second;
	probe_of[i] = (struct rt_probe){ .locks = uses[i], .nlocks = (u16)n };
}

/* Has a handler that faulted this part? */
static int is_victims(unsigned global, unsigned at)
{
	for (int i = 0; i < nthreads; i++)
		for (unsigned k = 0; faulted && threads[i].body == victim && k < probe_of[i].nlocks;
		     k++)
			if (uses[i][k].global == global &&
			    (uses[i][k].mode != RT_LOCAL || threads[i].cpu == (int)at))
				return 1;
	return 0;
}

static int still_held(void)
{
	for (unsigned i = 0; i < rt_script.nglobals; i++)
		for (unsigned k = 0; k < (globals[i].percpu_lock ? globals[i].parts : 1); k++)
			if (((const struct lock_part *)globals[i].lock)[k].state.v &&
			    !is_victims(i, k))
				return 1;
	return 0;
}

/* Runs all schedules but equivalent ones; the damage found, or NULL. */
static const char *explore(const char *name, int n, int counts)
{
	const char *found = NULL;
	unsigned long runs = 0;
	int complete;

	nthreads = n;
	planned = 0;
	do {
		part[0] = part[1] = taken = users.all = users.writers = faulted = 0;
		memory_used = 0;
		if (locks_load())
			abort();
		complete = run_once();
		if (complete && !damage && counts && part[0] + part[1] != taken)
			damage = "an update is lost";
		if (complete && !damage && still_held())
			damage = "a lock is left behind";
		locks_unload();
		found = damage;
		runs++;
	} while (!found && plan_next());
	printf("%-40s %8lu schedules, %s\n", name, runs, found ? found : "sound");
	return found;
}

#define USE(g, m) ((struct rt_lockuse){ .global = (g), .mode = (m) })
#define NONE ((struct rt_lockuse){ 0 })

static int expect(const char *name, int n, int counts, const char *want)
{
	const char *found = explore(name, n, counts);

	if (!found != !want || (want && strcmp(found, want))) {
		printf("FAIL %s: expected %s\n", name, want ? want : "no damage");
		return 1;
	}
	return 0;
}

int main(void)
{
	int failed = 0;

	make_threads();
	globals[0].percpu_lock = 1;
	set_thread(0, adder, 0, 1, USE(0, RT_LOCAL), NONE);
	set_thread(1, adder, 1, 1, USE(0, RT_LOCAL), NONE);
	set_thread(2, reader, 0, 1, USE(0, RT_READ), NONE);
	failed |= expect("two updates, a reader of all parts", 3, 1, NULL);
	set_thread(2, reader, 1, 1, USE(0, RT_WRITE), NONE);
	failed |= expect("two updates, a writer of all parts", 3, 1, NULL);
	set_thread(2, reader, 1, 1, USE(0, RT_LOCAL), NONE);
	failed |= expect("broken: a reader that takes one part", 3, 1,
			 "the counter changes under its reader");
	globals[0].percpu_lock = 0;
	set_thread(0, adder, 0, 1, USE(0, RT_READ), NONE);
	set_thread(1, adder, 0, 1, USE(0, RT_READ), NONE);
	failed |= expect("broken: updates that only read-lock", 2, 1, "an update is lost");
	globals[0].percpu_lock = 1;

	set_thread(0, user, 0, 1, USE(1, RT_WRITE), NONE);
	set_thread(1, user, 1, 1, USE(1, RT_READ), NONE);
	set_thread(2, user, 0, 1, USE(1, RT_READ), NONE);
	failed |= expect("a writer and two readers", 3, 0, NULL);
	set_thread(0, user, 0, 1, USE(1, RT_READ), NONE);
	set_thread(1, user, 1, 1, USE(1, RT_READ), NONE);
	failed |= expect("readers only", 3, 0, NULL);
	set_thread(0, user, 0, 2, USE(0, RT_WRITE), USE(1, RT_WRITE));
	set_thread(1, user, 1, 2, USE(0, RT_READ), USE(1, RT_WRITE));
	failed |= expect("two globals in declaration order", 2, 0, NULL);
	set_thread(0, victim, 0, 2, USE(0, RT_WRITE), USE(1, RT_WRITE));
	failed |= expect("who waits for one that faulted gives up", 2, 0, NULL);
	set_thread(0, victim, 0, 1, USE(1, RT_WRITE), NONE);
	failed |= expect("who gives up gives back what it had", 2, 0, NULL);
	set_thread(0, victim, 1, 1, USE(0, RT_LOCAL), NONE);
	failed |= expect("who gives up gives back other parts", 2, 0, NULL);
	set_thread(0, user, 0, 2, USE(0, RT_WRITE), USE(1, RT_WRITE));
	set_thread(2, adder, 0, 1, USE(0, RT_LOCAL), NONE);
	set_thread(1, user, 1, 2, USE(1, RT_WRITE), USE(0, RT_READ));
	failed |= expect("broken: the other order", 2, 0, "deadlock");
	return failed;
}
