/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * disk.c - reads N times 12288 bytes from a disk, and writes M times 20480 to it, each time as one request.
 *
 *   disk DEVICE N M
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "must.h"

int main(int argc, char **argv)
{
	void *bytes;
	int fd;

	must(argc > 3 && !posix_memalign(&bytes, 65536, 65536), "memory");
	fd = open(argv[1], O_RDWR | O_DIRECT);
	must(fd >= 0, argv[1]);
	for (int n = atoi(argv[2]); n > 0; n--)
		must(pread(fd, bytes, 12288, n * 65536) == 12288, "read");
	for (int n = atoi(argv[3]); n > 0; n--)
		must(pwrite(fd, bytes, 20480, n * 65536) == 20480, "write");
	return close(fd);
}
