/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reads.c - a known event stream: CALLS reads of a file of 1000 bytes called reads.data, from its start, of 1, 2 ... 1500, 1, 2 ...
 * bytes. Usage: reads CALLS. Prints nothing; fails when a read gives another number of bytes than it must.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static char bytes[1500];
	long calls = argc > 1 ? atol(argv[1]) : 10000;
	int fd = open("reads.data", O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, bytes, 1000) != 1000)
		return 1;
	for (long i = 0; i < calls; i++) {
		long count = 1 + i % 1500;

		if (pread(fd, bytes, count, 0) != (count < 1000 ? count : 1000))
			return 1;
	}
	return 0;
}
