/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reads.c - a known sequence of events: CALLS reads from the start of a file of 1000 bytes called
 * reads.data, of 1, 2 ... 1500, 1, 2 ... bytes. Usage: reads CALLS. Prints nothing; fails if a read
 * returns a wrong number of bytes.
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
