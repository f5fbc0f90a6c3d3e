/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * absent.c - opens 5 files that are not there, twice each, by names that nobody has read before: the first time their pages are not in
 * memory, as far from each other as they are.
 */
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FAR	(1 << 20)

static const char names[5 * FAR] __attribute__((aligned(FAR))) = {
	[0 * FAR + 12345] = '/', 'a', [1 * FAR + 12345] = '/', 'b', [2 * FAR + 12345] = '/', 'c', [3 * FAR + 12345] = '/', 'd',
	[4 * FAR + 12345] = '/', 'e',
};

int main(void)
{
	int found = 0;

	for (int i = 0; i < 10; i++)
		found += syscall(SYS_openat, AT_FDCWD, names + i / 2 * FAR + 12345, O_RDONLY) >= 0;
	return found;
}
