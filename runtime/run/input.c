/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * input.c - passes standard input to the module, a byte at a time, if the script has probes for it
 * (input.char, input.line).
 *
 * A terminal then delivers each key at once, and is restored at the end. In the background nothing
 * is read: it would stop us.
 */
#include "runtime/run/input.h"

#include "runtime/run/facts.h"
#include "runtime/run/run.h"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#define ROUND_BYTES 4096

static int reading;
static struct termios before;
static int changed;

void input_start(void)
{
	struct termios keys;

	if (!(facts.hello.flags & WIRE_WANTS_INPUT) || opt.background)
		return;
	reading = 1;
	if (!isatty(STDIN_FILENO) || tcgetpgrp(STDIN_FILENO) != getpgrp() ||
	    tcgetattr(STDIN_FILENO, &before))
		return;
	keys = before;
	keys.c_lflag &= ~(tcflag_t)ICANON;
	keys.c_cc[VMIN] = 1;
	keys.c_cc[VTIME] = 0;
	changed = !tcsetattr(STDIN_FILENO, TCSANOW, &keys);
}

int input_take(void)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	char bytes[ROUND_BYTES];
	ssize_t n;

	if (!reading || (isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) != getpgrp()) ||
	    poll(&p, 1, 0) < 1)
		return 0;
	n = read(STDIN_FILENO, bytes, sizeof(bytes));
	if (n <= 0)
		reading = 0;
	for (ssize_t i = 0; i < n; i++)
		command_send(WIRE_INPUT, 1, &bytes[i], 1);
	return n > 0;
}

void input_end(void)
{
	if (changed)
		tcsetattr(STDIN_FILENO, TCSANOW, &before);
	changed = reading = 0;
}
