/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal.c - uses a terminal in known numbers: opens a pair, resizes it from 24 by 80 to 30 by
 * 100, writes 7 bytes to the program's side in 3 calls, sends 5 bytes from the other side and reads
 * them in 2 calls, and asks for its size twice. Prints nothing; fails if any of that fails.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static int do_terminal(void)
{
	struct winsize first = { 24, 80, 0, 0 }, second = { 30, 100, 5, 6 }, seen;
	struct termios raw;
	char name[40], bytes[8];
	int other = open("/dev/ptmx", O_RDWR | O_NOCTTY), number, unlock = 0, side;

	if (other < 0 || ioctl(other, TIOCGPTN, &number) || ioctl(other, TIOCSPTLCK, &unlock))
		return 1;
	snprintf(name, sizeof(name), "/dev/pts/%d", number);
	side = open(name, O_RDWR | O_NOCTTY);
	if (side < 0 || tcgetattr(side, &raw))
		return 1;
	cfmakeraw(&raw);
	if (tcsetattr(side, TCSANOW, &raw) || ioctl(side, TIOCSWINSZ, &first) ||
	    ioctl(side, TIOCSWINSZ, &second))
		return 1;
	if (write(side, "abc", 3) != 3 || write(side, "de", 2) != 2 || write(side, "fg", 2) != 2)
		return 1;
	if (write(other, "hello", 5) != 5 || read(side, bytes, 3) != 3 || read(side, bytes, 3) != 2)
		return 1;
	return ioctl(side, TIOCGWINSZ, &seen) || ioctl(side, TIOCGWINSZ, &seen) ||
	       seen.ws_col != 100;
}

int main(void)
{
	return do_terminal();
}
