/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * coroutines.c - three coroutines of 100 steps, on stacks of their own, that two threads run in turn. Each step() yields in its midst: it
 * begins in one thread and ends in the other, and many are under way. step() 300 times, resume() 303, yield() 300, dive(): 30 calls 3 deep,
 * the last one yields. Then leaves(): 300 calls, of which 200 end by a jump to other(), every other of these by one on condition; jump():
 * 40 calls, 4 deep, all left by longjmp(). Prints the sum of what step() gave.
 */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#define COROUTINES	3
#define STEPS		100
#define DIVES		10
#define STACK		65536

static ucontext_t back, co[COROUTINES];
static int now, done[COROUTINES];
static volatile long sum, steps, other_calls;
static sem_t turn[2];

__attribute__((noinline)) void yield(void)
{
	swapcontext(&co[now], &back);
}

__attribute__((noinline)) long step(int who, int i)
{
	steps++;
	yield();
	return 1000 * who + i;
}

__attribute__((noinline)) int dive(int deep)
{
	int more = 0;

	if (deep > 1)
		more = dive(deep - 1);
	else
		swapcontext(&co[now], &back);
	return more + 1;
}

static void body(int who)
{
	for (int i = 0; i < STEPS; i++)
		sum += step(who, i);
	for (int i = 0; i < DIVES; i++)
		sum += dive(3) - 3;
	done[who] = 1;
	swapcontext(&co[who], &back);
}

__attribute__((noinline)) int resume(int who)
{
	now = who;
	swapcontext(&back, &co[who]);
	return done[who];
}

/* In turn: all coroutines that are not done, once. */
static void *run(void *mine)
{
	int me = mine != NULL, left = 1;

	while (left) {
		sem_wait(&turn[me]);
		left = 0;
		for (int i = 0; i < COROUTINES; i++)
			if (!done[i])
				left += !resume(i);
		sem_post(&turn[!me]);
	}
	return NULL;
}

__attribute__((noinline, used)) int other(int n)
{
	other_calls++;
	return n;
}

/* Of three calls one returns, one jumps, one jumps on a condition. */
int leaves(int n);
#ifdef __aarch64__
__asm__(".text\n.globl leaves\n.type leaves, %function\nleaves: .cfi_startproc\n cmp w0, #1\n b.eq other\n b.lo 1f\n b other\n"
	"1: ret\n .cfi_endproc\n.size leaves, . - leaves");
#else
__asm__(".text\n.globl leaves\n.type leaves, @function\nleaves: .cfi_startproc\n cmp $1, %edi\n je other\n jb 1f\n jmp other\n"
	"1: mov %edi, %eax\n ret\n .cfi_endproc\n.size leaves, . - leaves");
#endif

static jmp_buf top;

__attribute__((noinline)) int jump(int deep)
{
	if (deep == 1)
		longjmp(top, 1);
	return jump(deep - 1) + 1;
}

int main(void)
{
	static pthread_t thread;

	sem_init(&turn[0], 0, 1);
	sem_init(&turn[1], 0, 0);
	for (int i = 0; i < COROUTINES; i++) {
		getcontext(&co[i]);
		co[i].uc_stack.ss_sp = malloc(STACK);
		co[i].uc_stack.ss_size = STACK;
		makecontext(&co[i], (void (*)(void))body, 1, i);
	}
	pthread_create(&thread, NULL, run, turn);
	run(NULL);
	pthread_join(thread, NULL);
	for (int i = 0; i < 300; i++)
		sum += leaves(i % 3) - i % 3;
	for (volatile int i = 0; i < 10; i++)
		if (!setjmp(top))
			sum += jump(4);
	printf("sum %ld steps %ld other %ld\n", sum, steps, other_calls);
	return 0;
}
