/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * moves.c - what Go makes of functions, in assembler, with what Lapwing asks of a goroutine: four
 * of them run work(who, 40), which calls itself 40 times. Where the stack has no room for a call it
 * is moved to one of twice the size, and the call begins anew: twice for each goroutine. The next
 * one gets what was left. All are in their innermost call when a second thread goes on with them.
 * work(who, n) gives 10000 * who + n + (n - 1) + ... + 1. Prints the sum of what the first calls
 * gave, how often a stack was moved, and where the moved ones were that others have used: 164 calls
 * in all. Then each calls loses(), which clears the register that tells the goroutine.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOROUTINES	4
#define DEPTH		40
#define SMALLEST	1024
#define GUARD		256		/* of room that a call must find */

struct g {
	uint64_t	low, end, guard;	/* of its stack, as Go has them */
	uint64_t	back, sp, link;		/* the scheduler's stack, its own, and where it goes on (arm64) */
	int32_t		who, depth, result, is_done;
	uint64_t	kept[3];		/* while its stack is moved */
};
_Static_assert(offsetof(struct g, guard) == 16 && offsetof(struct g, back) == 24 &&
	       offsetof(struct g, sp) == 32 &&
	       offsetof(struct g, link) == 40 && offsetof(struct g, who) == 48 &&
	       offsetof(struct g, is_done) == 60 &&
	       offsetof(struct g, kept) == 64, "the assembler has these numbers");

/* Runs it until it yields or ends. */
void go_on(struct g *g);
void begin(void);

#ifdef __aarch64__
__asm__(".text\n"
	".globl go_on\n.type go_on, %function\ngo_on:\n"
	" stp x19, x20, [sp, #-96]!\n stp x21, x22, [sp, #16]\n"
	" stp x23, x24, [sp, #32]\n stp x25, x26, [sp, #48]\n"
	" stp x27, x28, [sp, #64]\n stp x29, x30, [sp, #80]\n"
	" mov x16, sp\n str x16, [x0, #24]\n mov x28, x0\n"
	" ldr x16, [x28, #32]\n mov sp, x16\n ldr x30, [x28, #40]\n ret\n.size go_on, . - go_on\n"
	".type leave, %function\nleave:\n ldr x16, [x28, #24]\n"
	" mov sp, x16\n ldp x21, x22, [sp, #16]\n ldp x23, x24, [sp, #32]\n"
	" ldp x25, x26, [sp, #48]\n ldp x27, x28, [sp, #64]\n"
	" ldp x29, x30, [sp, #80]\n ldp x19, x20, [sp], #96\n ret\n"
	".size leave, . - leave\n"
	".globl yield\n.type yield, %function\nyield:\n"
	" str x30, [x28, #40]\n mov x16, sp\n str x16, [x28, #32]\n b leave\n"
	".size yield, . - yield\n"
	".globl begin\n.type begin, %function\nbegin:\n ldr w0, [x28, #48]\n"
	" ldr w1, [x28, #52]\n bl work\n str w0, [x28, #56]\n"
	" mov x19, x28\n bl loses\n mov x28, x19\n mov w1, #1\n"
	" str w1, [x28, #60]\n b leave\n.size begin, . - begin\n"
	".globl work\n.type work, %function\nwork: .cfi_startproc\n"
	" ldr x16, [x28, #16]\n mov x17, sp\n cmp x17, x16\n b.ls 1f\n"
	" str x30, [sp, #-48]!\n .cfi_def_cfa_offset 48\n .cfi_offset 30, -48\n"
	" str w0, [sp, #16]\n str w1, [sp, #24]\n cbz w1, 2f\n"
	" sub w1, w1, #1\n bl work\n ldr w1, [sp, #24]\n add w0, w0, w1\n"
	" ldr x30, [sp], #48\n .cfi_def_cfa_offset 0\n .cfi_restore 30\n"
	" ret\n"
	"2: .cfi_def_cfa_offset 48\n .cfi_offset 30, -48\n bl yield\n"
	" ldr w0, [sp, #16]\n mov w1, #10000\n mul w0, w0, w1\n"
	" ldr x30, [sp], #48\n .cfi_def_cfa_offset 0\n .cfi_restore 30\n ret\n"
	"1: mov x3, x30\n bl runtime.morestack_noctxt\n b work\n .cfi_endproc\n.size work, . - work\n"
	".globl loses\n.type loses, %function\nloses: .cfi_startproc\n"
	" mov x28, #0\n ret\n .cfi_endproc\n.size loses, . - loses\n"
	".type runtime.morestack_noctxt, %function\nruntime.morestack_noctxt:\n"
	" stp x0, x1, [x28, #64]\n str x3, [x28, #80]\n"
	" str x30, [x28, #40]\n mov x16, sp\n str x16, [x28, #32]\n"
	" ldr x16, [x28, #24]\n mov sp, x16\n mov x0, x28\n bl grow\n"
	" ldr x16, [x28, #32]\n mov sp, x16\n ldp x0, x1, [x28, #64]\n"
	" ldr x16, [x28, #40]\n ldr x30, [x28, #80]\n br x16\n"
	".size runtime.morestack_noctxt, . - runtime.morestack_noctxt\nend_of_go:\n");
#else
__asm__(".text\n"
	".globl go_on\n.type go_on, @function\ngo_on:\n push %rbx\n"
	" push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n"
	" mov %rsp, 24(%rdi)\n mov %rdi, %r14\n mov 32(%rdi), %rsp\n ret\n.size go_on, . - go_on\n"
	".type leave_it, @function\nleave_it:\n mov 24(%r14), %rsp\n pop %r15\n"
	" pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n ret\n"
	".size leave_it, . - leave_it\n"
	".globl yield\n.type yield, @function\nyield:\n"
	" mov %rsp, 32(%r14)\n jmp leave_it\n.size yield, . - yield\n"
	".globl begin\n.type begin, @function\nbegin:\n mov 48(%r14), %edi\n"
	" mov 52(%r14), %esi\n call work\n mov %eax, 56(%r14)\n"
	" mov %r14, %rbx\n call loses\n mov %rbx, %r14\n"
	" movl $1, 60(%r14)\n jmp leave_it\n.size begin, . - begin\n"
	".globl work\n.type work, @function\nwork: .cfi_startproc\n"
	" cmp 16(%r14), %rsp\n jbe 1f\n sub $40, %rsp\n"
	" .cfi_def_cfa_offset 48\n mov %edi, 8(%rsp)\n mov %esi, 16(%rsp)\n"
	" test %esi, %esi\n jz 2f\n dec %esi\n call work\n"
	" add 16(%rsp), %eax\n add $40, %rsp\n .cfi_def_cfa_offset 8\n ret\n"
	"2: .cfi_def_cfa_offset 48\n call yield\n imul $10000, 8(%rsp), %eax\n"
	" add $40, %rsp\n .cfi_def_cfa_offset 8\n ret\n"
	"1: call runtime.morestack_noctxt\n jmp work\n .cfi_endproc\n.size work, . - work\n"
	".globl loses\n.type loses, @function\nloses: .cfi_startproc\n"
	" xor %r14d, %r14d\n ret\n .cfi_endproc\n.size loses, . - loses\n"
	".type runtime.morestack_noctxt, @function\n"
	"runtime.morestack_noctxt:\n mov %rdi, 64(%r14)\n mov %rsi, 72(%r14)\n"
	" mov %rsp, 32(%r14)\n mov 24(%r14), %rsp\n sub $8, %rsp\n"
	" mov %r14, %rdi\n call grow\n mov 32(%r14), %rsp\n"
	" mov 64(%r14), %rdi\n mov 72(%r14), %rsi\n ret\n"
	".size runtime.morestack_noctxt, . - runtime.morestack_noctxt\n"
	"end_of_go:\n");
#endif

/*
 * Go's table of functions, as Go 1.18 writes it: these three are compiled, and the rest is C. Each
 * has its address, name and flags.
 */
#define FUNCTION(name, text) \
	".long " name " - work, " text " - names, 0, 0, 1, 0, 0, 0, 0\n.byte 0, 0, 0, 0\n"
__asm__(".section .gopclntab, \"aw\"\n.balign 32\ntable: .long 0xfffffff0\n.byte 0, 0, 1, 8\n"
	".quad 3, 0, work, names - table, 0, 0, 0, pairs - table\n"
	"names: .asciz \"work\"\nloses_is: .asciz \"loses\"\n"
	"grows_is: .asciz \"runtime.morestack_noctxt\"\n.balign 4\n"
	"pairs: .long 0, 1f - pairs, loses - work, 2f - pairs\n"
	".long runtime.morestack_noctxt - work, 3f - pairs, end_of_go - work, 0\n"
	"1: " FUNCTION("work", "names")
	"2: " FUNCTION("loses", "loses_is")
	"3: " FUNCTION("runtime.morestack_noctxt", "grows_is")
	".text\n");

static struct g all[GOROUTINES];
static void *left[16];			/* stacks, by their size in SMALLEST */
static int moved, used_again;

static char *stack_of(uint64_t size)
{
	void **which = &left[size / SMALLEST];
	char *stack = *which;

	used_again += stack != NULL;
	*which = NULL;
	return stack ? stack : malloc(size);
}

__attribute__((used)) void grow(struct g *g)
{
	uint64_t size = g->end - g->low, used = g->end - g->sp;
	char *stack = stack_of(2 * size);

	memcpy(stack + 2 * size - used, (void *)g->sp, used);
	left[size / SMALLEST] = (void *)g->low;
	g->low = (uint64_t)stack;
	g->guard = g->low + GUARD;
	g->end = g->low + 2 * size;
	g->sp = g->end - used;
	moved++;
}

static void *run(void *unused)
{
	for (int i = 0; i < GOROUTINES; i++)
		go_on(&all[i]);
	return unused;
}

int main(void)
{
	pthread_t thread;
	long sum = 0;

	for (int i = 0; i < GOROUTINES; i++) {
		struct g *g = &all[i];

		g->low = (uint64_t)stack_of(SMALLEST);
		g->end = g->low + SMALLEST;
		g->guard = g->low + GUARD;
		g->sp = g->end - 32;
		g->link = (uint64_t)begin;
		*(uint64_t *)g->sp = (uint64_t)begin;
		g->who = i + 1;
		g->depth = DEPTH;
	}
	run(NULL);
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	for (int i = 0; i < GOROUTINES; i++)
		sum += all[i].is_done ? all[i].result : 0;
	printf("sum %ld, moved %d, used again %d\n", sum, moved, used_again);
	return 0;
}
