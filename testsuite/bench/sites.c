// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sites.c - calls one of three functions N times: sites nop|push|lea N. Their first instructions
 * are of the classes that the kernel tells apart at a uprobe: a nop of 5 bytes (new kernels call
 * from it), one that is emulated, one that is single-stepped. x86-64. With OFFSET behind it counts
 * the hits of a uprobe there in itself, as perf stat would, and prints what the calls took, in ns.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

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

/* OFFSET 0: none. */
static void count(unsigned long offset)
{
	struct perf_event_attr attr = { .size = sizeof(attr),
					.config1 = (unsigned long)"/proc/self/exe",
					.config2 = offset };
	FILE *f = fopen("/sys/bus/event_source/devices/uprobe/type", "r");

	if (!offset)
		return;
	if (!f || fscanf(f, "%u", &attr.type) != 1 ||
	    syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) < 0) {
		perror("sites: uprobe");
		exit(2);
	}
	fclose(f);
}

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

int main(int argc, char **argv)
{
	long began;

	static const struct { const char *name; void (*call)(void); } sites[] = {
		{ "nop", site_nop }, { "push", site_push }, { "lea", site_lea },
	};

	if (argc > 3)
		count(strtoul(argv[3], NULL, 0));
	began = now();
	for (int i = 0; i < 3 && argc > 2; i++)
		if (!strcmp(argv[1], sites[i].name))
			for (long n = atol(argv[2]); n > 0; n--)
				sites[i].call();
	if (argc > 3)
		printf("%ld\n", now() - began);
	return argc < 3;
}
