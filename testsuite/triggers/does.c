// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * does.c - the trigger of the examples' tests: does each ACT COUNT times, one ACT after the other.
 * Usage: does [COUNT ACT]...    COUNT is a number of times, or what the act's comment says.
 * Files are made in the current directory and removed. Prints nothing; a failed act is named on
 * standard error, exit status 1. Links statically, with the C library.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DATA "does.data"

static char buffer[1 << 20] __attribute__((aligned(4096)));

static long long now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static void sleep_us(long us)
{
	struct timespec t = { us / 1000000, us % 1000000 * 1000 };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

/* ---- processes ---------------------------------------------------------------------*/

static int waits(pid_t pid, int status)
{
	int got = -1;

	return pid < 0 || waitpid(pid, &got, 0) != pid || got != status;
}

static int act_fork(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	return waits(pid, 0);
}

/* A child that executes this program, which has nothing to do then. */
static int act_exec(void)
{
	pid_t pid = fork();

	if (!pid) {
		execl("/proc/self/exe", "does", "0", "fork", (char *)NULL);
		_exit(1);
	}
	return waits(pid, 0);
}

static int act_badexec(void)
{
	return execl("/nowhere/absent", "absent", (char *)NULL) != -1;
}

/* A child that exits with status 3. */
static int act_fail(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(3);
	return waits(pid, 3 << 8);
}

/* A child that is killed by SIGSEGV, without a core dump. */
static int act_crash(void)
{
	pid_t pid = fork();

	if (!pid) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
		*(volatile int *)8 = 1;
	}
	return waits(pid, SIGSEGV);
}

/* A child that is waited for only after 20 ms. */
static int act_zombie(void)
{
	pid_t pid = fork();
	siginfo_t info;

	if (!pid)
		_exit(0);
	if (pid < 0 || waitid(P_PID, pid, &info, WEXITED | WNOWAIT))
		return 1;
	sleep_us(20000);
	return waits(pid, 0);
}

static void *idle(void *nothing) { return nothing; }

static int act_thread(void)
{
	pthread_t t;

	return pthread_create(&t, NULL, idle, NULL) || pthread_join(t, NULL);
}

static int act_signal(void)
{
	signal(SIGUSR1, SIG_IGN);
	return kill(getpid(), SIGUSR1);
}

static int act_setuid(void) { return setresuid(-1, -1, -1); }
static int act_nice(void) { return setpriority(PRIO_PROCESS, 0, 0); }
static int act_getppid(void) { return syscall(SYS_getppid) < 0; }

/* COUNT ms of CPU time. */
static int act_spin(void)
{
	struct timespec t;
	static long long from;
	volatile long n = 0;

	do {
		for (int i = 0; i < 10000; i++)
			n += i;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
		if (!from)
			from = t.tv_sec * 1000000000LL + t.tv_nsec;
	} while (t.tv_sec * 1000000000LL + t.tv_nsec < from + 1000000);
	from += 1000000;
	return 0;
}

/* Sleeps for 1 ms. */
static int act_sleep(void)
{
	sleep_us(1000);
	return 0;
}

/* Moves to the next CPU if there are several. */
static int act_move(void)
{
	static int cpu;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	cpu = (cpu + 1) % (int)sysconf(_SC_NPROCESSORS_ONLN);
	return sched_setaffinity(0, sizeof(set), &set);
}

/* ---- files -------------------------------------------------------------------------*/

/* The file of 1 MB that is read and written; it is unlinked. */
static int data(void)
{
	static int fd = -1;

	if (fd < 0) {
		fd = open(DATA, O_RDWR | O_CREAT | O_TRUNC, 0600);
		if (pwrite(fd, buffer, sizeof(buffer), 0) != sizeof(buffer) || unlink(DATA))
			fd = -1;
	}
	return fd;
}

static int act_open(void)
{
	int fd = open(DATA ".open", O_RDWR | O_CREAT, 0600);

	return fd < 0 || close(fd) || unlink(DATA ".open");
}

static int act_absent(void) { return open("/nowhere/absent", O_RDONLY) != -1; }
static int act_mkdir(void) { return mkdir(DATA ".dir", 0700) || rmdir(DATA ".dir"); }

static int act_rename(void)
{
	int fd = open(DATA ".old", O_RDWR | O_CREAT, 0600);

	return fd < 0 || close(fd) || rename(DATA ".old", DATA ".new") || unlink(DATA ".new");
}

static int act_stat(void)
{
	struct stat st;

	return stat(".", &st);
}

static int act_read(void) { return pread(data(), buffer, 100, 0) != 100; }
static int act_write(void) { return pwrite(data(), buffer, 100, 0) != 100; }
static int act_fsync(void) { return fsync(data()); }
static int act_badclose(void) { return close(-1) != -1; }
static int act_flock(void) { return flock(data(), LOCK_EX) || flock(data(), LOCK_UN); }

/* A child waits for the lock of a file for at least 20 ms. */
static int act_flockwait(void)
{
	int fd = open(DATA ".lock", O_RDWR | O_CREAT, 0600), ready[2];
	pid_t pid;
	char c;

	if (fd < 0 || flock(fd, LOCK_EX) || pipe(ready))
		return 1;
	pid = fork();
	if (!pid) {
		close(fd);	/* a copy that holds the lock too */
		fd = open(DATA ".lock", O_RDWR);
		_exit(write(ready[1], "", 1) != 1 || flock(fd, LOCK_EX));
	}
	if (read(ready[0], &c, 1) != 1)
		return 1;
	sleep_us(20000);
	return close(fd) || close(ready[0]) || close(ready[1]) || waits(pid, 0) ||
	       unlink(DATA ".lock");
}

/* Reads 4096 bytes past the page cache, at the next offset of a file of 1 MB below /var/tmp. */
static int act_direct(void)
{
	static int fd = -1;
	static off_t at;

	if (fd < 0) {
		char name[] = "/var/tmp/does.XXXXXX";

		fd = mkstemp(name);
		if (write(fd, buffer, sizeof(buffer)) != sizeof(buffer) || fsync(fd) ||
		    unlink(name) || fcntl(fd, F_SETFL, O_DIRECT))
			return 1;
	}
	at = (at + 4096) % (off_t)sizeof(buffer);
	return pread(fd, buffer, 4096, at) != 4096;
}

/* ---- memory ------------------------------------------------------------------------*/

static void *map(size_t size, int flags)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
}

static int act_mmap(void)
{
	void *at = map(1 << 20, 0);

	return at == MAP_FAILED || munmap(at, 1 << 20);
}

/* Touches a page for the first time. A kernel without huge pages refuses the advice. */
static int act_touch(void)
{
	static char *at, *end;

	if (at == end) {
		at = map(1 << 20, 0);
		if (at == MAP_FAILED || (madvise(at, 1 << 20, MADV_NOHUGEPAGE) && errno != EINVAL))
			return 1;
		end = at + (1 << 20);
	}
	*(volatile char *)at = 1;
	at += 4096;
	return 0;
}

/* Keeps the compiler from removing a pair of malloc() and free(). */
static void *volatile block;

__attribute__((noinline)) static void *get(size_t size) { return malloc(size); }

static int act_malloc(void)
{
	block = get(100);
	free(block);
	return !block;
}

static int act_leak(void)
{
	block = get(1000);
	return !block;
}

static int act_compact(void)
{
	int fd = open("/proc/sys/vm/compact_memory", O_WRONLY);

	return fd < 0 || write(fd, "1", 1) != 1 || close(fd);
}

/* ---- locks -------------------------------------------------------------------------*/

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static volatile pid_t waiter;
static int done;

static int act_mutex(void) { return pthread_mutex_lock(&mutex) || pthread_mutex_unlock(&mutex); }

/* True if the thread is asleep in the kernel. */
static int sleeps(pid_t tid)
{
	char name[64], text[256], *state;
	int fd;
	ssize_t n;

	snprintf(name, sizeof(name), "/proc/self/task/%d/stat", tid);
	fd = open(name, O_RDONLY);
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = 0;
	state = strrchr(text, ')');
	return state && state[2] == 'S';
}

static void *lock_wait(void *nothing)
{
	waiter = gettid();
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return nothing;
}

/* A thread waits for a mutex for at least 2 ms. */
static int act_contend(void)
{
	pthread_t t;

	waiter = 0;
	if (pthread_mutex_lock(&mutex) || pthread_create(&t, NULL, lock_wait, NULL))
		return 1;
	while (!waiter || !sleeps(waiter))
		sched_yield();
	sleep_us(2000);
	return pthread_mutex_unlock(&mutex) || pthread_join(t, NULL);
}

static void *condition_wait(void *nothing)
{
	pthread_mutex_lock(&mutex);
	waiter = gettid();
	while (!done)
		pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	return nothing;
}

/* A thread waits for a condition for at least 2 ms. */
static int act_condition(void)
{
	pthread_t t;

	waiter = done = 0;
	if (pthread_create(&t, NULL, condition_wait, NULL))
		return 1;
	while (!waiter || !sleeps(waiter))
		sched_yield();
	sleep_us(2000);
	pthread_mutex_lock(&mutex);
	done = 1;
	pthread_cond_signal(&condition);
	return pthread_mutex_unlock(&mutex) || pthread_join(t, NULL);
}

/* Waits for a futex whose value has already changed: EAGAIN. */
static int act_futex(void)
{
	static int word = 1;

	return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) != -1;
}

static volatile int populated;

/* Maps 64 MB of pages, with the memory map's lock held for reading. */
static void *populate(void *nothing)
{
	void *at = map(64 << 20, MAP_POPULATE);

	populated = 1;
	return at == MAP_FAILED || munmap(at, 64 << 20) ? &mutex : nothing;
}

/* One thread holds the memory map's lock for long, another one takes it all the time. */
static int act_together(void)
{
	pthread_t t;
	void *bad;

	populated = 0;
	if (pthread_create(&t, NULL, populate, NULL))
		return 1;
	while (!populated)
		if (act_mmap())
			return 1;
	return pthread_join(t, &bad) || bad;
}

/* ---- network -----------------------------------------------------------------------*/

/* Makes a network namespace of its own, with the loopback up: in guests it is down. */
static int network(void)
{
	static int there;
	struct ifreq lo = { .ifr_name = "lo" };
	int fd;

	if (there)
		return 0;
	if (unshare(CLONE_NEWNET))
		return -1;
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd < 0 || ioctl(fd, SIOCGIFFLAGS, &lo))
		return -1;
	lo.ifr_flags |= IFF_UP;
	there = 1;
	return ioctl(fd, SIOCSIFFLAGS, &lo) | close(fd);
}

enum { PORT = 4711 };

static struct sockaddr *self(void)
{
	static struct sockaddr_in s;

	s = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(PORT),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	return (struct sockaddr *)&s;
}

static int listener(int backlog)
{
	int fd = network() ? -1 : socket(AF_INET, SOCK_STREAM, 0), one = 1;

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    bind(fd, self(), sizeof(struct sockaddr_in)) || listen(fd, backlog))
		return -1;
	return fd;
}

/* A connection to port 4711 of 127.0.0.1, 1000 bytes to it, 10 back; the client closes it. */
static int act_tcp(void)
{
	static int in = -1;
	int out, got;
	long n = 0, m = 0;

	if (network() || (in < 0 && (in = listener(5)) < 0))
		return 1;
	out = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(out, self(), sizeof(struct sockaddr_in)) || (got = accept(in, NULL, NULL)) < 0)
		return 1;
	if (send(out, buffer, 1000, 0) != 1000)
		return 1;
	while (n < 1000 && (m = recv(got, buffer, sizeof(buffer), 0)) > 0)
		n += m;
	return n != 1000 || send(got, buffer, 10, 0) != 10 ||
	       recv(out, buffer, 10, MSG_WAITALL) != 10 || close(out) ||
	       recv(got, buffer, 1, 0) || close(got);
}

/* A connection that is refused: there is no listener on port 4712. */
static int act_refused(void)
{
	struct sockaddr_in s;
	int fd, bad;

	if (network())
		return 1;
	memcpy(&s, self(), sizeof(s));
	s.sin_port = htons(PORT + 1);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	bad = connect(fd, (struct sockaddr *)&s, sizeof(s)) != -1 || errno != ECONNREFUSED;
	return bad | close(fd);
}

/*
 * A connection that is not accepted, beyond the backlog: its SYN is sent twice, a second apart,
 * then it gives up.
 */
static int act_unheard(void)
{
	int in = listener(0), out, held;

	held = socket(AF_INET, SOCK_STREAM, 0);
	out = socket(AF_INET, SOCK_STREAM, 0);
	if (in < 0 || connect(held, self(), sizeof(struct sockaddr_in)) ||
	    setsockopt(out, IPPROTO_TCP, 18 /* TCP_USER_TIMEOUT */, &(int){ 1500 }, sizeof(int)))
		return 1;
	return connect(out, self(), sizeof(struct sockaddr_in)) != -1 || close(in) || close(held) ||
	       close(out);
}

/* A datagram of 100 bytes to port 4711. */
static int act_udp(void)
{
	static int in = -1, out = -1;

	if (in < 0) {
		if (network())
			return 1;
		in = socket(AF_INET, SOCK_DGRAM, 0);
		out = socket(AF_INET, SOCK_DGRAM, 0);
		if (bind(in, self(), sizeof(struct sockaddr_in)))
			return 1;
	}
	return sendto(out, buffer, 100, 0, self(), sizeof(struct sockaddr_in)) != 100 ||
	       recv(in, buffer, sizeof(buffer), 0) != 100;
}

/* ---- functions ---------------------------------------------------------------------*/

/* work(n) takes n us and returns n + 1; it calls step() three times. */
__attribute__((noinline)) long step(long us)
{
	long long until = now_us() + us;

	while (now_us() < until)
		;
	return us;
}

__attribute__((noinline)) long work(long us, const char *name)
{
	long sum = 0;

	for (int i = 0; i < 3; i++)
		sum += step(us / 3);
	return *name ? sum + 1 : sum;
}

static int act_work(void) { return work(300, "three") != 301; }

/* A request, identified by its number, that one thread begins and another one ends 1 ms later. */
__attribute__((noinline)) long request_begin(long number)
{
	__asm__ volatile("" : "+r"(number));
	return number;
}

__attribute__((noinline)) long request_end(long number)
{
	__asm__ volatile("" : "+r"(number));
	return number;
}

static void *answer(void *number)
{
	sleep_us(1000);
	return (void *)request_end((long)number);
}

static int act_request(void)
{
	static long number = 100;
	pthread_t t;
	void *result;

	number++;
	return request_begin(number) != number ||
	       pthread_create(&t, NULL, answer, (void *)number) || pthread_join(t, &result) ||
	       (long)result != number;
}

/* Returns an error: -2. */
__attribute__((noinline)) long refuse(long n)
{
	volatile long result = -n;

	return result;
}

static int act_refuse(void) { return refuse(2) != -2; }

static const struct act {
	const char	*name;
	int		(*once)(void);
} acts[] = {
	{ "absent", act_absent }, { "badclose", act_badclose }, { "badexec", act_badexec },
	{ "compact", act_compact }, { "condition", act_condition }, { "contend", act_contend },
	{ "crash", act_crash }, { "direct", act_direct }, { "exec", act_exec },
	{ "fail", act_fail }, { "flock", act_flock }, { "flockwait", act_flockwait },
	{ "fork", act_fork }, { "fsync", act_fsync }, { "futex", act_futex },
	{ "getppid", act_getppid }, { "leak", act_leak }, { "malloc", act_malloc },
	{ "mkdir", act_mkdir }, { "mmap", act_mmap }, { "move", act_move },
	{ "mutex", act_mutex }, { "nice", act_nice }, { "open", act_open },
	{ "read", act_read }, { "refuse", act_refuse }, { "refused", act_refused },
	{ "rename", act_rename }, { "request", act_request }, { "setuid", act_setuid },
	{ "signal", act_signal }, { "sleep", act_sleep }, { "spin", act_spin },
	{ "stat", act_stat }, { "tcp", act_tcp }, { "thread", act_thread },
	{ "together", act_together }, { "touch", act_touch }, { "udp", act_udp },
	{ "unheard", act_unheard }, { "work", act_work }, { "write", act_write },
	{ "zombie", act_zombie },
	{ NULL, NULL }
};

static const struct act *find(const char *name)
{
	const struct act *a = acts;

	while (a->name && strcmp(a->name, name))
		a++;
	return a;
}

int main(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		const struct act *a = find(argv[i + 1]);

		for (long n = atol(argv[i]); n > 0; n--)
			if (!a->name || a->once()) {
				fprintf(stderr, "does: %s: %s\n", argv[i + 1],
					a->name ? strerror(errno) : "no such act");
				return 1;
			}
	}
	return 0;
}
