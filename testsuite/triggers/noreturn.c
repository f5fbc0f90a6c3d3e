/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * noreturn.c - calls with nothing behind them: each is the last instruction of its function, and another function begins where it would
 * return to. faults() is interrupted at its first instruction, right behind before(), by a signal, whose handler calls no_way_back(), and
 * that stuck(), which ends the program. Build with -O1 -fno-toplevel-reorder -falign-functions=1 -fcf-protection=none.
 */
#include <signal.h>
#include <stdlib.h>

volatile int sink;
void faults(void);

#ifdef __x86_64__
#define FAULT "ud2"
#else
#define FAULT "udf #0"
#endif
__asm__(".text\n.type before, %function\nbefore: ret\n.size before, . - before\n"
	".globl faults\n.type faults, %function\nfaults: .cfi_startproc\n" FAULT "\nret\n.cfi_endproc\n.size faults, . - faults\n");

__attribute__((noinline, noreturn)) void stuck(int n)
{
	sink += n;
	_Exit(0);
}

__attribute__((noinline, noreturn)) void no_way_back(int n)
{
	sink++;
	stuck(n);
}

__attribute__((noinline, used)) void never_called(int n)
{
	sink += n;
}

__attribute__((noinline, noreturn)) void handler(int signal)
{
	sink--;
	no_way_back(signal);
}

__attribute__((noinline, used)) void nor_this(int n)
{
	sink -= n;
}

int main(void)
{
	signal(SIGILL, handler);
	faults();
	return sink;
}
