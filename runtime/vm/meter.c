// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * meter.c - progress of a long step of lapwing-vm, on a terminal (lib/progress.h).
 *
 *   meter TEXT
 *
 * Input: TEXT, what is being done; stdin, the status lines that apt-get writes to APT::Status-Fd
 *        (dlstatus:ITEM:PERCENT:MESSAGE), or none. The step ends with stdin.
 * Output: on stderr "TEXT: 40%, 8 s left", or "TEXT, 12 s" as long as no percentage is known.
 *
 * Started only by fetch.sh. It ignores SIGINT: who has the other end of stdin gets the signal as
 * well, and the line is removed when that process ends.
 */
#include "lib/clock.h"
#include "lib/pace.h"
#include "lib/progress.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *text;
static double began, known;	/* seconds: of the step; of the first percentage */
static struct {
	char	bytes[1024];
	size_t	size;
} line;
static double first, percent;	/* 0: unknown */

static double now(void)
{
	return (double)clock_ns() / 1e9;
}

static void show(void)
{
	char left[48];

	if (percent > 0) {
		pace_time(left, sizeof(left), percent <= first ? -1
			  : (now() - known) * (100 - percent) / (percent - first));
		progress_say("%s: %.0f%%%s", text, percent, left);
	} else {
		progress_say("%s, %.0f s", text, now() - began);
	}
}

static void end_line(void)
{
	line.bytes[line.size] = 0;
	line.size = 0;
	if (sscanf(line.bytes, "dlstatus:%*d:%lf", &percent) != 1 || first > 0)
		return;
	first = percent;
	known = now();
}

/* False at the end of stdin. A line that is longer than the buffer is read as several. */
static int take_lines(void)
{
	char bytes[512];
	ssize_t n = read(STDIN_FILENO, bytes, sizeof(bytes));

	for (ssize_t i = 0; i < n; i++) {
		if (bytes[i] == '\n' || line.size == sizeof(line.bytes) - 1)
			end_line();
		else
			line.bytes[line.size++] = bytes[i];
	}
	return n > 0;
}

int main(int argc, char **argv)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

	if (argc != 2)
		return 2;
	text = argv[1];
	signal(SIGINT, SIG_IGN);
	began = now();
	progress_begin();
	do
		show();
	while (poll(&input, 1, 1000) <= 0 || take_lines());
	progress_end();
	return 0;
}
