/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pty.c - a pseudoterminal of the folder FOLDER, a devpts of its own: opened, resized from both ends, asked, written and read both ways,
 * polled, closed; once each, so that tapsets/tty.stp has known things to see.
 *
 *   pty FOLDER
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "must.h"

int main(int argc, char **argv)
{
	struct winsize first = { 30, 100, 0, 0 }, second = { 40, 120, 7, 8 };
	struct termios raw;
	struct pollfd in = { .events = POLLIN };
	char bytes[64];
	int master, slave, unlock = 0;

	must(argc > 1 && !chdir(argv[1]), "folder");
	master = open("ptmx", O_RDWR | O_NOCTTY);
	must(master >= 0 && !ioctl(master, TIOCSPTLCK, &unlock), "ptmx");
	slave = open("0", O_RDWR | O_NOCTTY);
	must(slave >= 0, "slave");
	must(!ioctl(slave, TIOCSWINSZ, &first) && !ioctl(master, TIOCSWINSZ, &second), "size");
	must(!tcgetattr(slave, &raw), "mode");
	cfmakeraw(&raw);
	must(!tcsetattr(slave, TCSANOW, &raw), "raw mode");
	must(write(slave, "hello\n", 6) == 6 && read(master, bytes, sizeof(bytes)) == 6, "out");
	must(write(master, "in\n", 3) == 3 && read(slave, bytes, sizeof(bytes)) == 3, "in");
	in.fd = slave;
	must(!poll(&in, 1, 0), "poll");
	close(slave);
	close(master);
	return 0;
}
