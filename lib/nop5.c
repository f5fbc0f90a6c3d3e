/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nop5.c - see nop5.h. The code is a byte array, in its own file: a uprobe belongs to a file, and
 * no compiler moves the bytes.
 */
#include "lib/nop5.h"

#include "lib/uprobe.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALLS	64		/* the kernel writes its CALL after the first hit */
#define NOP_AT	5
#define UNKNOWN	2		/* exit status of the child: unknown */

/* MFD_EXEC: kernels that may forbid code in such files require it; older ones refuse it. */
#define MAYBE_EXEC 0x10

static const unsigned char leaf[] = {
	0x48, 0x89, 0x7c, 0x24, 0xf8,	/* mov %rdi,-8(%rsp) */
	0x0f, 0x1f, 0x44, 0x00, 0x00,	/* nopl 0(%rax,%rax,1) */
	0x48, 0x8b, 0x44, 0x24, 0xf8,	/* mov -8(%rsp),%rax */
	0xc3,				/* ret */
};

static int open_code(void)
{
	int fd = (int)syscall(SYS_memfd_create, "lapwing-nop5", MFD_CLOEXEC | MAYBE_EXEC);

	if (fd < 0)
		fd = (int)syscall(SYS_memfd_create, "lapwing-nop5", MFD_CLOEXEC);
	if (fd >= 0 && write(fd, leaf, sizeof(leaf)) != sizeof(leaf)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Opens a counter of this process' hits. */
static int open_probe(int code)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", code);
	return uprobe_open(path, NOP_AT);
}

/* The child's exit status. If not all hits were counted, nothing is proven. */
static int try_leaf(int code)
{
	void *at = mmap(NULL, sizeof(leaf), PROT_READ | PROT_EXEC, MAP_PRIVATE, code, 0);
	long (*run)(long) = NULL;
	int probe = open_probe(code), wrong = 0;
	uint64_t hits = 0;

	if (at == MAP_FAILED || probe < 0)
		return UNKNOWN;
	memcpy(&run, &at, sizeof(run));
	for (long i = 1; i <= CALLS; i++)
		wrong += run(i) != i;
	if (wrong)
		return 1;
	return read(probe, &hits, sizeof(hits)) == sizeof(hits) && hits == CALLS ? 0 : UNKNOWN;
}

int nop5_breaks(void)
{
	struct utsname name;
	int code, status = 0;
	pid_t child;

	if (!uname(&name) && strcmp(name.machine, "x86_64"))
		return 0;
	code = open_code();
	if (code < 0)
		return -1;
	child = fork();
	if (!child)
		_exit(try_leaf(code));
	close(code);
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
	    WEXITSTATUS(status) >= UNKNOWN)
		return -1;
	return WEXITSTATUS(status);
}
