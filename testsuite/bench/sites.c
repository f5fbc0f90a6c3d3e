// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sites.c - calls one of three functions N times: sites nop|push|lea N. Their first instructions are of the classes that the kernel tells
 * apart at a uprobe: a nop of 5 bytes (new kernels call from it), one that is emulated, one that is single-stepped. x86-64.
 */
#include <stdlib.h>
#include <string.h>

void site_nop(void);
void site_push(void);
void site_lea(void);
__asm__(
	".text\n.p2align 6\n"
	".globl site_nop\n.type site_nop, @function\nsite_nop: .byte 0x0f, 0x1f, 0x44, 0x00, 0x00\nret\n.size site_nop, .-site_nop\n"
	".p2align 6\n"
	".globl site_push\n.type site_push, @function\nsite_push: push %rbp\npop %rbp\nret\n.size site_push, .-site_push\n"
	".p2align 6\n"
	".globl site_lea\n.type site_lea, @function\nsite_lea: lea 1(%rdi), %rax\nret\n.size site_lea, .-site_lea\n"
);

int main(int argc, char **argv)
{
	static const struct { const char *name; void (*call)(void); } sites[] = {
		{ "nop", site_nop }, { "push", site_push }, { "lea", site_lea },
	};

	for (int i = 0; i < 3 && argc > 2; i++)
		if (!strcmp(argv[1], sites[i].name))
			for (long n = atol(argv[2]); n > 0; n--)
				sites[i].call();
	return argc < 3;
}
