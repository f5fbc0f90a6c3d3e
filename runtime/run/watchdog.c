/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watchdog.c - see watchdog.h.
 */
#include "runtime/run/watchdog.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#define LOOK_MS		200
/* of CPU time. A call that is stuck and woken for nothing takes some 50,000 each time */
#define PROGRESS_NS	5000000
#define STACK_BYTES	65536

static int asked = -1;			/* eventfd */
static _Atomic int64_t deadline;	/* ns; 0: none */
static int (*at_end)(void);
static clockid_t first_thread;

static int64_t now(clockid_t clock)
{
	struct timespec t;

	return clock_gettime(clock, &t) ? 0 : t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* A signal that the first thread cannot handle stays pending, so it is seen here too. */
static void wait_until_asked(const sigset_t *signals)
{
	struct pollfd fds[2] = { { .fd = asked, .events = POLLIN },
				 { .fd = signalfd(-1, signals, SFD_CLOEXEC), .events = POLLIN } };

	while (poll(fds, 2, -1) < 1)
		;
}

static void *watch(void *data)
{
	const sigset_t *signals = data;
	int64_t used = -1, since = 0, limit;

	wait_until_asked(signals);
	for (;;) {
		int64_t t = now(CLOCK_MONOTONIC), cpu = now(first_thread);

		if (used < 0 || cpu - used >= PROGRESS_NS) {
			since = t;
			used = cpu;
		}
		limit = deadline;
		if (t - since >= WATCHDOG_IDLE * 1000000000LL || (limit && t >= limit))
			_exit(at_end());
		poll(NULL, 0, LOOK_MS);
	}
	return NULL;
}

void watchdog_start(int (*end)(void))
{
	static sigset_t signals;
	sigset_t all, before;
	pthread_attr_t how;
	pthread_t thread;

	at_end = end;
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	asked = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (asked < 0 || pthread_getcpuclockid(pthread_self(), &first_thread) ||
	    pthread_attr_init(&how))
		return;
	pthread_attr_setstacksize(&how, STACK_BYTES);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);	/* signals are handled by the main thread */
	pthread_create(&thread, &how, watch, &signals);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&how);
}

void watchdog_asked(void)
{
	const uint64_t one = 1;
	int before = errno;

	if (asked >= 0 && write(asked, &one, sizeof(one)) < 0)
		deadline = deadline;	/* it is awake: nothing else can fail */
	errno = before;
}

void watchdog_deadline(unsigned seconds)
{
	deadline = now(CLOCK_MONOTONIC) + seconds * 1000000000LL;
}
