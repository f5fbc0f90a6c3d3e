// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * named.c - a process with any name: named NAME IN takes the name, calls getpgid() once when a byte can be read from IN, and works until
 * nobody has IN open for writing.
 */
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct pollfd in;
	char byte;

	if (argc != 3 || prctl(PR_SET_NAME, argv[1]) || (in.fd = open(argv[2], O_RDONLY)) < 0 || read(in.fd, &byte, 1) != 1 || getpgid(0) < 0)
		return 1;
	do
		poll(&in, 1, 0);
	while (!(in.revents & POLLHUP));
	return 0;
}
