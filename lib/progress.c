/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.c - see progress.h.
 */
#include "lib/progress.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#define PERIOD_US	500000
#define CLEAR		"\r\033[K"

/* The signal handler reads lines[now], while the other one is written. */
static struct { char text[512]; size_t len; } lines[2];
static volatile sig_atomic_t now, shown;
static int running;

static void on_tick(int number)
{
	int error = errno;		/* of the code that the signal interrupts */

	shown |= write(STDERR_FILENO, lines[now].text, lines[now].len) > 0;
	errno = error;
}

static void set_timer(suseconds_t us)
{
	const struct itimerval every = { { 0, us }, { 0, us } };

	setitimer(ITIMER_REAL, &every, NULL);
}

void progress_begin(void)
{
	const struct sigaction action = { .sa_handler = on_tick, .sa_flags = SA_RESTART };

	running = isatty(STDERR_FILENO) && !sigaction(SIGALRM, &action, NULL);
	if (running)
		set_timer(PERIOD_US);
}

void progress_say(const char *format, ...)
{
	struct winsize size = { 0 };
	int next = !now;
	va_list args;
	size_t width;

	if (!running)
		return;
	ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
	strcpy(lines[next].text, CLEAR);
	width = sizeof(lines[next].text) - strlen(CLEAR);
	if (size.ws_col > 1 && size.ws_col < width)
		width = size.ws_col;
	va_start(args, format);
	vsnprintf(lines[next].text + strlen(CLEAR), width, format, args);
	va_end(args);
	lines[next].len = strlen(lines[next].text);
	now = next;
}

void progress_hide(void)
{
	if (shown)
		fputs(CLEAR, stderr);
	shown = 0;
}

void progress_end(void)
{
	if (!running)
		return;
	set_timer(0);
	progress_hide();
	running = 0;
}
