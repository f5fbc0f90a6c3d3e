/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nops.c - leaf functions that keep their argument in the red zone, below the stack pointer, around
 * 5-byte nops, and return it. Their marks are at these nops, with the argument in a register and in
 * memory. `nops N` calls each N times and prints how many results were wrong. On other
 * architectures there are no such nops, and no such marks here.
 */
#include <stdio.h>
#include <stdlib.h>

#ifdef __x86_64__

#define NOP5 ".byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"

/* The mark NAME at this place. */
#define MARK(name) "990:\n" \
	".pushsection .note.stapsdt, \"\", \"note\"\n" \
	".balign 4\n.4byte 992f - 991f, 994f - 993f, 3\n" \
	"991: .asciz \"stapsdt\"\n992: .balign 4\n" \
	"993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte 0\n" \
	".asciz \"nops\"\n.asciz \"" name "\"\n.asciz \"-8@%rdi -8@-8(%rsp)\"\n" \
	"994: .balign 4\n.popsection\n.ifndef _.stapsdt.base\n" \
	".pushsection .stapsdt.base, \"aG\", \"progbits\", .stapsdt.base, comdat\n" \
	".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n" \
	".size _.stapsdt.base, 1\n.popsection\n.endif\n"

#define KEEP	"mov %rdi, -8(%rsp)\n"
#define GIVE	"mov -8(%rsp), %rax\nret\n"
#define FUNCTION(name, code) \
	long name(long); \
	__asm__(".text\n.p2align 4\n.globl " #name "\n.type " #name ", @function\n" \
		#name ":\n" code ".size " #name ", . - " #name "\n")

FUNCTION(alone, KEEP MARK("alone") NOP5 GIVE);
FUNCTION(twice, KEEP MARK("twice") NOP5 NOP5 GIVE);		/* the second nop does not help */
FUNCTION(pair, KEEP MARK("pair") "nop\n" NOP5 GIVE);
FUNCTION(second, KEEP "nop\n" MARK("second") NOP5 GIVE);
/* Code after the mark can be reached without passing the mark, for every second argument. */
FUNCTION(around, KEEP "test $1, %dil\njz 1f\nnop\n" MARK("around") NOP5 "1:" GIVE);
FUNCTION(led, KEEP "test $1, %dil\njz 1f\n" MARK("led") NOP5 "1:" GIVE);
/* A jump leads to the mark itself, past the nop before it. */
FUNCTION(mid, KEEP "test $1, %dil\njz 1f\nnop\n1:" MARK("mid") NOP5 GIVE);
FUNCTION(back, KEEP "test $1, %dil\njz back.cold\n" MARK("back") NOP5 "back_to:" GIVE);
FUNCTION(any, KEEP "lea 1f(%rip), %rax\njmp *%rax\n1:" MARK("any") NOP5 GIVE);
FUNCTION(odd, KEEP "jmp 1f\n.byte 0x06\n1:" MARK("odd") NOP5 GIVE);	/* 06 is no instruction */
FUNCTION(tables, KEEP "jmp 1f\njmp *tables_of(,%rdi,8)\n1:" MARK("tables") NOP5 GIVE);
FUNCTION(some, KEEP MARK("shared") NOP5 GIVE);
FUNCTION(other, KEEP "test $1, %dil\njz 1f\n" MARK("shared") NOP5 "1:" GIVE);
/*
 * The code after the nop is also a function's entry (doors), or is reached from nameless code
 * (outer).
 */
FUNCTION(doors, KEEP MARK("doors") NOP5
	 ".globl doors_in\n.type doors_in, @function\ndoors_in:" GIVE);
FUNCTION(outer, KEEP MARK("outer") NOP5 "outer_to:" GIVE);
__asm__("jmp outer_to\n");
FUNCTION(prefixed, KEEP MARK("prefixed") ".byte 0x66, 0x66, 0x66, 0x66, 0x90\n" GIVE);
/*
 * rdsspq %rax and mov %edi,%edi are no nops, nor is xchg %ax,%r8w, which Linux 6.18 takes for one.
 */
FUNCTION(shadow, KEEP MARK("shadow") ".byte 0xf3, 0x48, 0x0f, 0x1e, 0xc8\n" GIVE);
FUNCTION(cut, KEEP MARK("cut") ".byte 0x67, 0x67, 0x67, 0x89, 0xff\n" GIVE);
FUNCTION(swapped, KEEP MARK("swapped") ".byte 0x66, 0x66, 0x66, 0x41, 0x90\n" GIVE);
FUNCTION(first, NOP5 KEEP GIVE);
FUNCTION(landed, "endbr64\n" NOP5 KEEP GIVE);
/* Jumps to its own beginning three times, with a value in the red zone. */
FUNCTION(again, NOP5 "mov %rdi, %rax\nand $3, %rax\ncmp $3, %rax\nje 1f\nadd $1, %rdi\n" KEEP
	 "jmp again\n1:" GIVE);
/* Code and data that the functions above refer to. */
__asm__(".section .text.unlikely, \"ax\"\n.type back.cold, @function\n"
	"back.cold: jmp back_to\n.size back.cold, . - back.cold\n"
	".data\ntables_of: .quad 1f\n1:\n.text\n");

static inline __attribute__((always_inline)) void copied(void)
{
	__asm__ volatile(NOP5);
}

__attribute__((noipa)) static long plain(long value)
{
	volatile long kept = value;

	copied();
	return kept;
}

__attribute__((noipa)) static long lined(long value)
{
	volatile long kept = value;

	__asm__ volatile(NOP5);	/* a statement */
	return kept;
}

__attribute__((noipa)) static long labelled(long value)
{
	volatile long kept = value;

	if (value < 0)
		goto here;
	kept = value;
here:
	__asm__ volatile(NOP5);
	return kept;
}

static long (*const functions[])(long) = {
	alone, twice, pair, second, around, led, mid, back, any, odd, tables, some, other, doors,
	outer, prefixed, shadow, cut, swapped, first, landed, plain, lined, labelled,
};

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1, wrong = 0;

	for (long i = 1; i <= n; i++) {
		for (unsigned k = 0; k < sizeof(functions) / sizeof(functions[0]); k++)
			wrong += functions[k](i) != i;
		wrong += again(4 * i) != 4 * i + 3;
	}
	printf("%ld wrong\n", wrong);
	return 0;
}
#else
int main(void)
{
	puts("no such nops");
	return 0;
}
#endif
