/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expiries.c - COUNT expiries of a POSIX timer, one after the other, each of which sends SIGUSR2 to the process. Usage: expiries COUNT.
 * Prints nothing; fails when another signal comes.
 */
#include <signal.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2 };
	struct itimerspec soon = { .it_value.tv_nsec = 1000000 };
	timer_t timer;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	if (sigprocmask(SIG_BLOCK, &set, NULL) || timer_create(CLOCK_MONOTONIC, &event, &timer))
		return 1;
	for (long n = argc > 1 ? atol(argv[1]) : 20; n; n--)
		if (timer_settime(timer, 0, &soon, NULL) || sigwaitinfo(&set, NULL) != SIGUSR2)
			return 1;
	return 0;
}
