/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * known.c - known WHAT THREADS BEFORE DURING AFTER [hold | alone]: so many events of one kind, in three
 * parts, numbered 1, 2, 3 ... by a count of its own, of which each event tells (testsuite/losses). WHAT:
 *   work    calls work(NUMBER), which passes a mark and gives NUMBER + 1
 *   seek    lseek(2) to NUMBER, in /proc/self/mem
 *   itimer  setitimer(2), of NUMBER seconds and more
 *   send    sends NUMBER, 8 bytes, to a socket of its own over the loopback device
 *   touch   calls touch(NUMBER), which writes to 4 pages that are not there
 *   store   writes NUMBER to the variable `stored`, out of the register of the first argument
 *   burn    a millisecond of processor time, without what a machine that stands still takes of it
 *   wait    a millisecond
 * hold: before the second part it writes a line to the file `ready`, and reads one from `go`; after it, it
 * writes one to `done`, and goes on slowly, with calls that last, until there is a file `resumed`. One call
 * more lasts from before `ready` until then.
 * alone: the second part has a processor to itself: lapwing-run, the parent, has only this one, and does
 * not get it meanwhile.
 * At the end the file `truth` has one line: the number of events, the longest in ns, all processor time in
 * ns, CLOCK_MONOTONIC at begin and end, page faults, processors; `took` has one for each event: ns, of
 * touch() page faults. Links statically, runs in guests.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define MOST	1000000		/* events */
#define PAGES	4
#define THREADS	16
#define NAP_NS	200000
#define STEP_NS	50000		/* of burn(): more than a reading of the clock takes */

enum { BEFORE, DURING, AFTER, PARTS };

static atomic_long last, claimed[PARTS];	/* the last event's number; events of each part */
static long wanted[PARTS];
static unsigned took[MOST + 1];
static int is_held, is_alone;
static pthread_barrier_t met;
static atomic_int lasting;			/* the call that lasts is under way */

/* A note of a mark that is here, as <sys/sdt.h> writes them: its number, and that of the next one. */
#define MARK(number, next) \
	__asm__ volatile("990: nop\n" \
		".pushsection .note.stapsdt, \"\", \"note\"\n" \
		".balign 4\n.4byte 992f - 991f, 994f - 993f, 3\n" \
		"991: .asciz \"stapsdt\"\n992: .balign 4\n" \
		"993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte 0\n" \
		".asciz \"known\"\n.asciz \"passed\"\n.asciz \"-8@%0 -8@%1\"\n994: .balign 4\n.popsection\n" \
		".ifndef _.stapsdt.base\n.pushsection .stapsdt.base, \"aG\", \"progbits\", .stapsdt.base, comdat\n" \
		".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n.size _.stapsdt.base, 1\n.popsection\n.endif\n" \
		: : "r"(number), "r"(next))

static long long clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static long faults(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return u.ru_minflt + u.ru_majflt;
}

static int is_resumed(void)
{
	return !is_held || !access("resumed", F_OK);
}

enum lasts { SHORT, NAP, UNTIL_RESUMED };

static void last_for(enum lasts how)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };

	if (how == UNTIL_RESUMED)
		atomic_store(&lasting, 1);
	do
		nanosleep(&nap, NULL);
	while (how == UNTIL_RESUMED && !is_resumed());
}

long work(long number, enum lasts how);
__attribute__((noinline)) long work(long number, enum lasts how)
{
	long next = number + 1;

	__asm__ volatile("" : "+r"(next));
	MARK(number, next);
	if (how)
		last_for(how);
	return next;
}

long touch(long number, enum lasts how);
__attribute__((noinline)) long touch(long number, enum lasts how)
{
	static __thread volatile char *mine;

	if (!mine) {
		mine = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		madvise((void *)mine, PAGES * 4096, MADV_NOHUGEPAGE);
	}
	for (int i = 0; i < PAGES; i++)
		mine[i * 4096] = 1;
	madvise((void *)mine, PAGES * 4096, MADV_DONTNEED);
	if (how)
		last_for(how);
	return number + 1;
}

/*
 * With a stack that samples have much of. The clock goes on while a hypervisor runs somebody else, and no samples come then: of what lies
 * between two readings, as much counts as may lie between them where nothing stands still.
 */
static void burn(void)
{
	long long last = clock_ns(CLOCK_THREAD_CPUTIME_ID), left = 1000000, now;
	volatile char stack[8192];

	for (; left > 0; last = now) {
		stack[0] = stack[8191] = 1;
		now = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		left -= now - last < STEP_NS ? now - last : STEP_NS;
	}
}

static void do_work(long number, enum lasts how)
{
	if (work(number, how) != number + 1)
		abort();
}

static void do_touch(long number, enum lasts how)
{
	if (touch(number, how) != number + 1)
		abort();
}

long stored;

static void do_store(long number, enum lasts how)
{
#ifdef __x86_64__
	__asm__ volatile("movq %1, %0" : "=m"(stored) : "D"(number));
#else
	stored = number;
#endif
	if (how)
		last_for(how);
}

static void do_seek(long number, enum lasts how)
{
	static __thread int fd = -1;

	if (fd < 0)
		fd = open("/proc/self/mem", O_RDONLY);
	if (lseek(fd, number, SEEK_SET) != number)
		abort();
	if (how)
		last_for(how);
}

static void do_itimer(long number, enum lasts how)
{
	const struct itimerval timer = { .it_value = { .tv_sec = MOST + number } };

	if (setitimer(ITIMER_VIRTUAL, &timer, NULL))
		abort();
	if (how)
		last_for(how);
}

/* Nobody reads what comes: what finds no room is dropped behind the hooks. */
static void do_send(long number, enum lasts how)
{
	static __thread int fd = -1;
	struct sockaddr_in here = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(here);

	if (fd < 0) {
		fd = socket(AF_INET, SOCK_DGRAM, 0);
		if (bind(fd, (void *)&here, size) || getsockname(fd, (void *)&here, &size) || connect(fd, (void *)&here, size))
			abort();
	}
	if (send(fd, &number, sizeof(number), 0) != sizeof(number))
		abort();
	if (how)
		last_for(how);
}

static void do_burn(long number, enum lasts how)
{
	(void)number;
	if (how == UNTIL_RESUMED)
		last_for(how);
	else
		burn();
}

static void do_wait(long number, enum lasts how)
{
	const struct timespec ms = { .tv_nsec = 1000000 };

	(void)number;
	nanosleep(&ms, NULL);
	if (how == UNTIL_RESUMED)
		last_for(how);
}

static const struct what {
	const char *name;
	void (*one)(long number, enum lasts how);
} whats[] = {
	{ "work", do_work }, { "seek", do_seek }, { "itimer", do_itimer }, { "touch", do_touch }, { "burn", do_burn },
	{ "wait", do_wait }, { "send", do_send }, { "store", do_store },
};
static void (*one)(long number, enum lasts how);

static void event(enum lasts how)
{
	long number = atomic_fetch_add(&last, 1) + 1;
	long long began = one == do_touch ? faults(RUSAGE_THREAD) : clock_ns(CLOCK_MONOTONIC);

	if (number > MOST)
		abort();
	one(number, how);
	took[number] = (unsigned)((one == do_touch ? faults(RUSAGE_THREAD) : clock_ns(CLOCK_MONOTONIC)) - began);
}

static void part(int which)
{
	while (atomic_fetch_add(&claimed[which], 1) < wanted[which])
		event(SHORT);
	pthread_barrier_wait(&met);
}

/* On: this thread comes before its parent, on the one processor that both have. */
static void take_processor(int on)
{
	const struct sched_param first = { .sched_priority = 1 }, ordinary = { 0 };
	cpu_set_t all, one_cpu;
	int cpu = 0;

	if (sched_setscheduler(0, on ? SCHED_FIFO : SCHED_OTHER, on ? &first : &ordinary))
		abort();
	if (!on)
		return;
	sched_getaffinity(0, sizeof(all), &all);
	while (!CPU_ISSET(cpu, &all))
		cpu++;
	CPU_ZERO(&one_cpu);
	CPU_SET(cpu, &one_cpu);
	if (sched_setaffinity(getppid(), sizeof(one_cpu), &one_cpu) || sched_setaffinity(0, sizeof(one_cpu), &one_cpu))
		abort();
}

static void *run(void *unused)
{
	part(BEFORE);
	pthread_barrier_wait(&met);	/* until the second may begin */
	if (is_alone)
		take_processor(1);
	part(DURING);
	if (is_alone)
		take_processor(0);
	while (!is_resumed())
		event(NAP);
	part(AFTER);
	return unused;
}

static void *run_lasting(void *unused)
{
	event(UNTIL_RESUMED);
	return unused;
}

static void say(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		abort();
	close(fd);
}

static void hold(void)
{
	char byte;
	int fd;

	say("ready", "ready\n");
	fd = open("go", O_RDONLY);
	if (fd < 0 || read(fd, &byte, 1) != 1)
		abort();
	close(fd);
}

static void tell(long long began)
{
	FILE *f = fopen("truth", "w"), *each = fopen("took", "w");
	unsigned longest = 0;

	if (!f || !each)
		abort();
	for (long i = 1; i <= last; i++) {
		fprintf(each, "%u\n", took[i]);
		longest = took[i] > longest ? took[i] : longest;
	}
	fprintf(f, "%ld %u %lld %lld %lld %ld %ld\n", (long)last, longest, clock_ns(CLOCK_PROCESS_CPUTIME_ID),
		began, clock_ns(CLOCK_MONOTONIC), faults(RUSAGE_SELF), sysconf(_SC_NPROCESSORS_ONLN));
	if (fclose(f) || fclose(each))
		abort();
}

/* Two processors at most, so that it is known how many rings the events go to. */
static void keep_to_two(void)
{
	cpu_set_t all, two;
	int cpu = 0, n = 0;

	sched_getaffinity(0, sizeof(all), &all);
	CPU_ZERO(&two);
	for (; cpu < CPU_SETSIZE && n < 2; cpu++)
		if (CPU_ISSET(cpu, &all)) {
			CPU_SET(cpu, &two);
			n++;
		}
	sched_setaffinity(0, sizeof(two), &two);
}

/* The parts, each begun and ended by all threads. */
static void lead(void)
{
	pthread_t lasts;

	pthread_barrier_wait(&met);
	if (is_held) {
		if (pthread_create(&lasts, NULL, run_lasting, NULL))
			abort();
		while (!atomic_load(&lasting))
			sched_yield();
		hold();
	}
	pthread_barrier_wait(&met);
	pthread_barrier_wait(&met);
	if (is_held)
		say("done", "done\n");
	pthread_barrier_wait(&met);
	if (is_held)
		pthread_join(lasts, NULL);
}

int main(int argc, char **argv)
{
	long long began = clock_ns(CLOCK_MONOTONIC);
	long threads = argc > 5 ? atol(argv[2]) : 0;
	pthread_t thread[THREADS];

	for (size_t i = 0; threads && i < sizeof(whats) / sizeof(whats[0]); i++)
		if (!strcmp(argv[1], whats[i].name))
			one = whats[i].one;
	if (!one || threads < 1 || threads > THREADS)
		return 2;
	is_held = argc > 6 && !strcmp(argv[6], "hold");
	is_alone = argc > 6 && !strcmp(argv[6], "alone");
	for (int i = 0; i < PARTS; i++)
		wanted[i] = atol(argv[3 + i]);
	keep_to_two();
	pthread_barrier_init(&met, NULL, (unsigned)threads + 1);
	for (long i = 0; i < threads; i++)
		if (pthread_create(&thread[i], NULL, run, NULL))
			return 1;
	lead();
	for (long i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	tell(began);
	return 0;
}
