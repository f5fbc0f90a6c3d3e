// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * relay.c - the host's side of lapwing-vm's guests: starts QEMU, has it run one command or a batch,
 * relays the results.
 *
 *   relay [-t SECS] [-k FILE] [-f FILE] [-b DIR [-T SECS]] -- QEMU ARGUMENT... [-- COMMAND ...]
 *
 * Input: a complete QEMU command line, which expects the link (see link.h) as file descriptor 3 and
 *         the serial console on its stdout; a command, or a directory of tests (-b).
 * Output: the command's stdout, stderr, descriptor 3 (-f) and status; the kernel log (-k); per test
 *         the files out, err, status and klog, and busy: a row per second, of how long QEMU has
 *         been running, how much CPU time it had (s), and the size of klog.
 *
 * Started only by lapwing-vm, whose --help explains the options and exit statuses. It does not
 * prepare what the guest boots from. However it ends, the kernel kills its QEMU
 * (PR_SET_PDEATHSIG).
 */
#include "link.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LINK_FD		3
/*
 * per boot in a batch: ten times what a loaded machine takes, three times what it takes with KASAN
 */
#define BOOT_SECONDS	600
#define STOP_MS		5000	/* the longest stop that a guest may request */
/* from asking the guest to kill a test until the guest is given up */
#define KILL_SECONDS	15
#define EXIT_TIMEOUT	124
#define EXIT_DIED	125
#define TAIL_LINES	60

#define TAIL_SIZE	65536u

/* The end of a text that may be long; text[size] is NUL. */
struct tail {
	char	text[TAIL_SIZE + 1];
	size_t	size;
};

/* Where the output of the running command goes; klog -1: only to the kernel log. */
struct sink {
	int	out;
	int	err;
	int	klog;
	int	more;		/* of the command's descriptor 3; -1: nowhere */
	int	busy;		/* of QEMU's CPU time; -1: nowhere */
};

static struct {
	int	seconds;		/* -t, total */
	int	test_seconds;		/* -T, one test of a batch */
	const char *batch;		/* -b, or NULL */
	int	more;			/* -f, open; -1: none */
	char	**qemu;			/* command lines, NULL-terminated */
	char	**command;
} option = { .seconds = 300, .test_seconds = 60, .more = -1 };

static struct {
	int	link;
	int	console;
	double	started;		/* in seconds_now() */
	bool	ready;			/* init has reported this */
	struct tail log;		/* kernel log sent by init */
	struct tail screen;		/* serial console: panics, and QEMU's own messages */
	char	bytes[2 * (sizeof(struct link_frame) + LINK_PAYLOAD_MAX)];
	size_t	size;
} guest;

static int log_file = -1;
static double deadline;		/* of the whole run, in seconds_now() */
static double busy_due;		/* the next row of `busy` */

/* Shared with the signal handlers, which must work while a write to our stdout blocks. */
static volatile sig_atomic_t qemu_pid, running, timed_out, stop_signal, test_killed, link_fd = -1;

static void say(const char *format, ...)
{
	va_list args;

	fputs("lapwing-vm: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Sets the alarm to `seconds`, or to the total deadline if that is sooner. */
static void limit_time(int seconds)
{
	double left = deadline - seconds_now();

	timed_out = test_killed = 0;
	alarm(left < 1 ? 1 : left < seconds ? (unsigned int)left : (unsigned int)seconds);
}

/* A closed or blocked reader must not outlive the time limit. */
static void write_all(int fd, const char *bytes, size_t size)
{
	while (size && fd >= 0) {
		ssize_t n = write(fd, bytes, size);

		if (n < 0 && errno == EINTR && !stop_signal && (option.batch || !timed_out))
			continue;
		if (n < 0)
			return;
		bytes += n;
		size -= (size_t)n;
	}
}

static void tail_append(struct tail *tail, const char *bytes, size_t size)
{
	if (size > TAIL_SIZE / 2) {
		bytes += size - TAIL_SIZE / 2;
		size = TAIL_SIZE / 2;
	}
	if (tail->size + size > TAIL_SIZE) {
		size_t drop = tail->size - TAIL_SIZE / 2;

		tail->size -= drop;
		memmove(tail->text, tail->text + drop, tail->size);
	}
	memcpy(tail->text + tail->size, bytes, size);
	tail->size += size;
	tail->text[tail->size] = '\0';
}

static void tail_show(const struct tail *tail)
{
	size_t at = tail->size;

	for (int lines = 0; at > 0; at--)
		if (tail->text[at - 1] == '\n' && at < tail->size && ++lines == TAIL_LINES)
			break;
	fwrite(tail->text + at, 1, tail->size - at, stderr);
}

static void kill_qemu(void)
{
	if (qemu_pid > 0)
		kill(qemu_pid, SIGKILL);
}

/*
 * Frames to a running command are short enough for the socket to take them whole; called by signal
 * handlers too.
 */
static void send_signal(uint32_t number)
{
	struct {
		struct link_frame frame;
		uint32_t number;
	} order = { { LINK_SIGNAL, sizeof(number) }, number };
	int saved = errno;
	ssize_t n = write(link_fd, &order, sizeof(order));

	(void)n;
	errno = saved;
}

static void on_signal(int number)
{
	if (running && !option.batch) {
		send_signal((uint32_t)number);
		return;
	}
	stop_signal = number;
	kill_qemu();
}

/* A test is first killed by the guest, which can then run the next one. */
static void on_alarm(int number)
{
	timed_out = 1;
	if (option.batch && running && !test_killed) {
		test_killed = 1;
		send_signal(SIGKILL);
		alarm(KILL_SECONDS);
		return;
	}
	kill_qemu();
}

static void set_handlers(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t none;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	action.sa_handler = on_alarm;
	sigaction(SIGALRM, &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* In the child: its own session keeps a terminal's ^C away from QEMU; it dies with the relay. */
static void become_qemu(pid_t parent, int link, int console)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	dup2(null, STDIN_FILENO);
	dup2(console, STDOUT_FILENO);
	dup2(console, STDERR_FILENO);
	if (link == LINK_FD)
		fcntl(link, F_SETFD, 0);
	else
		dup2(link, LINK_FD);
	execvp(option.qemu[0], option.qemu);
	dprintf(STDERR_FILENO, "%s: %s\n", option.qemu[0], strerror(errno));
	_exit(127);
}

static bool start_qemu(void)
{
	int link[2], console[2];
	pid_t parent = getpid(), pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, link) || pipe2(console, O_CLOEXEC)) {
		say("cannot start QEMU: %s", strerror(errno));
		return false;
	}
	pid = fork();
	if (pid == 0)
		become_qemu(parent, link[1], console[1]);
	close(link[1]);
	close(console[1]);
	guest.link = link_fd = link[0];
	guest.console = console[0];
	guest.started = seconds_now();
	guest.ready = false;
	guest.size = guest.log.size = guest.screen.size = 0;
	qemu_pid = pid;
	if (stop_signal)
		kill_qemu();
	return pid > 0;
}

/* Reads the rest of the console. */
static void stop_qemu(void)
{
	char bytes[4096];
	ssize_t n;

	if (qemu_pid <= 0)
		return;
	running = 0;
	kill_qemu();
	while (waitpid(qemu_pid, NULL, 0) < 0 && errno == EINTR)
		;
	qemu_pid = 0;
	while ((n = read(guest.console, bytes, sizeof(bytes))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0)
			tail_append(&guest.screen, bytes, (size_t)n);
	close(guest.console);
	close(guest.link);
	link_fd = -1;
}

/* A guest that reports stalled CPUs may just have had no CPU time. */
static void tell_busy(const struct sink *sink)
{
	double now = seconds_now();
	struct timespec had;
	clockid_t clock;

	if (sink->busy < 0 || now < busy_due || clock_getcpuclockid(qemu_pid, &clock) ||
	    clock_gettime(clock, &had))
		return;
	busy_due = now + 1;
	dprintf(sink->busy, "%.1f %.1f %ld\n", now - guest.started,
		(double)had.tv_sec + (double)had.tv_nsec / 1e9,
		(long)lseek(sink->klog, 0, SEEK_CUR));
}

static void take_log(const struct sink *sink, const char *text, size_t size)
{
	tail_append(&guest.log, text, size);
	write_all(log_file, text, size);
	write_all(sink->klog, text, size);
}

/* Returns the kind of the frame. */
static uint32_t take_frame(const struct link_frame *frame, const char *payload,
			   const struct sink *sink, uint32_t *status)
{
	switch (frame->kind) {
	case LINK_OUT:
		write_all(sink->out, payload, frame->size);
		break;
	case LINK_ERR:
		write_all(sink->err, payload, frame->size);
		break;
	case LINK_MORE:
		write_all(sink->more, payload, frame->size);
		break;
	case LINK_LOG:
		take_log(sink, payload, frame->size);
		break;
	case LINK_READY:
		guest.ready = true;
		break;
	case LINK_STATUS:
		memcpy(status, payload, sizeof(*status));
		break;
	}
	return frame->kind;
}

/*
 * Reads the link once and handles the complete frames so far; 1 if one of `kind` was among them,
 * -1: the end.
 */
static int read_link(uint32_t kind, const struct sink *sink, uint32_t *status)
{
	ssize_t n = read(guest.link, guest.bytes + guest.size, sizeof(guest.bytes) - guest.size);
	struct link_frame frame;
	size_t at = 0;
	int seen = 0;

	if (n <= 0)
		return n < 0 && (errno == EINTR || errno == EAGAIN) ? 0 : -1;
	guest.size += (size_t)n;
	while (guest.size - at >= sizeof(frame)) {
		memcpy(&frame, guest.bytes + at, sizeof(frame));
		if (frame.size > LINK_PAYLOAD_MAX)
			return -1;
		if (guest.size - at < sizeof(frame) + frame.size)
			break;
		seen |= take_frame(&frame, guest.bytes + at + sizeof(frame), sink, status) == kind;
		at += sizeof(frame) + frame.size;
	}
	guest.size -= at;
	memmove(guest.bytes, guest.bytes + at, guest.size);
	return seen;
}

/* Pauses the machine for that time, like a busy host. The guest is not notified. */
static void stop_for(int ms)
{
	struct timespec left = { ms / 1000, ms % 1000 * 1000000L };

	if (ms <= 0 || ms > STOP_MS || qemu_pid <= 0)
		return;
	kill(qemu_pid, SIGSTOP);
	while (nanosleep(&left, &left) && errno == EINTR && !stop_signal && !timed_out)
		;
	kill(qemu_pid, SIGCONT);
}

/*
 * A line of the console requests a stop: the CPU that prints it may do nothing else, with
 * interrupts off.
 */
static void take_console(const char *bytes, size_t size)
{
	static const char words[] = "lapwing-vm: stop for ";
	static char line[200];
	static size_t n;

	tail_append(&guest.screen, bytes, size);
	for (size_t i = 0; i < size; i++) {
		const char *at;

		if (bytes[i] != '\n') {
			n = n < sizeof(line) - 1 ? n : 0;
			line[n++] = bytes[i];
			continue;
		}
		line[n] = '\0';
		n = 0;
		at = strstr(line, words);
		if (at)
			stop_for(atoi(at + sizeof(words) - 1));
	}
}

/* Relays until a frame of `kind` arrives; false if the guest is gone first. */
static bool relay_until(uint32_t kind, const struct sink *sink, uint32_t *status)
{
	struct pollfd fds[] = {
		{ .fd = guest.link,	.events = POLLIN },
		{ .fd = guest.console,	.events = POLLIN },
	};
	char bytes[4096];

	for (;;) {
		if (poll(fds, 2, sink->busy < 0 ? -1 : 1000) < 0 && errno != EINTR)
			return false;
		tell_busy(sink);
		if (fds[1].revents) {
			ssize_t n = read(guest.console, bytes, sizeof(bytes));

			if (n > 0)
				take_console(bytes, (size_t)n);
			else if (n == 0)
				fds[1].fd = -1;
		}
		if (fds[0].revents) {
			int seen = read_link(kind, sink, status);

			if (seen)
				return seen > 0;
		}
	}
}

/* False if the command is too long, which is reported here. */
static bool send_command(const char *dir, char **argv)
{
	struct link_frame frame = { LINK_RUN, (uint32_t)strlen(dir) + 1 };
	size_t size = frame.size;

	for (char **arg = argv; *arg; arg++)
		size += strlen(*arg) + 1;
	if (size > LINK_RUN_MAX) {
		say("the command is too long: %zu bytes, at most %u", size, LINK_RUN_MAX);
		return false;
	}
	frame.size = (uint32_t)size;
	write_all(guest.link, (const char *)&frame, sizeof(frame));
	write_all(guest.link, dir, strlen(dir) + 1);
	for (char **arg = argv; *arg; arg++)
		write_all(guest.link, *arg, strlen(*arg) + 1);
	running = 1;
	return true;
}

static const struct sink no_sink = { -1, -1, -1, -1, -1 };

/* That takes seconds: a person is told meanwhile. */
static bool boot_guest(void)
{
	bool is_shown = isatty(STDERR_FILENO), is_ready;
	uint32_t unused;

	if (is_shown)
		fputs("lapwing-vm: booting the guest", stderr);
	is_ready = start_qemu() && relay_until(LINK_READY, &no_sink, &unused);
	if (is_shown)
		fputs("\r\033[K", stderr);
	return is_ready;
}

/* The console line that names the cause: the first with one of these words. */
static void find_cause(char *line, size_t room)
{
	static const char *const words[] = { "BUG: ", "Unable to handle", "Oops",
					     "general protection", "Kernel panic" };
	const char *found = NULL;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *at =
			memmem(guest.screen.text, guest.screen.size, words[i], strlen(words[i]));

		if (at && (!found || at < found))
			found = at;
	}
	*line = '\0';
	if (found)
		snprintf(line, room, ": %.*s", (int)strcspn(found, "\r\n"), found);
}

/* After stop_qemu: reports why there is no status, logs the console, returns our exit status. */
static int report_death(int klog)
{
	const struct tail *shown = guest.screen.size ? &guest.screen : &guest.log;
	static const char head[] = "---- serial console ----\n";
	char cause[200];
	int status = EXIT_DIED;

	if (stop_signal)
		return 128 + stop_signal;
	find_cause(cause, sizeof(cause));
	if (guest.screen.size) {
		write_all(log_file, head, sizeof(head) - 1);
		write_all(log_file, guest.screen.text, guest.screen.size);
		write_all(klog, head, sizeof(head) - 1);
		write_all(klog, guest.screen.text, guest.screen.size);
	}
	if (timed_out && !cause[0]) {
		say("%s after %.0f s, guest stopped; its last kernel messages:",
		    guest.ready ? "the command still ran" : "the guest had not booted",
		    seconds_now() - guest.started);
		status = EXIT_TIMEOUT;
	} else if (guest.ready) {
		say("the guest died%s; its last kernel messages:",
		    cause[0] ? cause : ": QEMU ended");
	} else {
		say("the guest could not boot%s; QEMU and the kernel said:", cause);
	}
	tail_show(shown);
	return status;
}

static int run_command(void)
{
	const struct sink sink = { STDOUT_FILENO, STDERR_FILENO, -1, option.more, -1 };
	uint32_t status;
	bool ended;

	limit_time(option.seconds);
	if (boot_guest()) {
		if (!send_command("/tmp", option.command)) {
			stop_qemu();
			return 2;
		}
		ended = relay_until(LINK_STATUS, &sink, &status);
		alarm(0);
		stop_qemu();
		if (ended)
			return (int)status;
	}
	alarm(0);
	stop_qemu();
	return report_death(-1);
}

static int open_result(const char *dir, const char *name)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s/%s", option.batch, dir, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0) {
		say("cannot write '%s': %s", path, strerror(errno));
		stop_qemu();
		exit(EXIT_DIED);
	}
	return fd;
}

/*
 * Runs one test in the booted guest; leaves the guest stopped if the test killed it or took too
 * long: what hung may hold locks of the kernel or keep a CPU busy, and the tests after it would
 * hang as well.
 */
static int run_test(const char *name)
{
	struct sink sink = { open_result(name, "out"), open_result(name, "err"),
			     open_result(name, "klog"), -1, open_result(name, "busy") };
	int status_file = open_result(name, "status"), result;
	char dir[300], *argv[] = { "./run", NULL };
	uint32_t status;

	snprintf(dir, sizeof(dir), "/batch/%s", name);
	limit_time(option.test_seconds);
	busy_due = 0;
	tell_busy(&sink);
	send_command(dir, argv);
	if (relay_until(LINK_STATUS, &sink, &status)) {
		busy_due = 0;
		tell_busy(&sink);
		result = test_killed ? EXIT_TIMEOUT : (int)status;
		if (test_killed)
			stop_qemu();
	} else {
		stop_qemu();
		result = report_death(sink.klog);
	}
	alarm(0);
	running = 0;
	dprintf(status_file, "%d\n", result);
	close(status_file);
	close(sink.out);
	close(sink.err);
	close(sink.klog);
	close(sink.busy);
	return result;
}

static int is_test(const struct dirent *entry)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s/run", option.batch, entry->d_name);
	return entry->d_name[0] >= '0' && entry->d_name[0] <= '9' && access(path, X_OK) == 0;
}

static int run_batch(void)
{
	struct dirent **tests;
	int n = scandir(option.batch, &tests, is_test, alphasort);

	if (n <= 0) {
		say("'%s' holds no test: NNN-name/run, executable, is expected", option.batch);
		return 2;
	}
	for (int i = 0; i < n; i++) {
		double start = seconds_now();
		int status;

		if (start > deadline) {
			say("no time is left for '%s' and what follows", tests[i]->d_name);
			stop_qemu();
			return EXIT_TIMEOUT;
		}
		limit_time(BOOT_SECONDS);
		if (qemu_pid <= 0 && !boot_guest()) {
			alarm(0);
			stop_qemu();
			report_death(-1);
			return stop_signal ? 128 + stop_signal : EXIT_DIED;
		}
		status = run_test(tests[i]->d_name);
		if (stop_signal)
			return 128 + stop_signal;
		printf("%s %d %.2f\n", tests[i]->d_name, status, seconds_now() - start);
		fflush(stdout);
	}
	stop_qemu();
	return 0;
}

static int open_file(const char *what, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0) {
		say("cannot write %s '%s': %s", what, path, strerror(errno));
		exit(2);
	}
	return fd;
}

int main(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "+t:T:k:b:f:")) != -1) {
		switch (opt) {
		case 't':
			option.seconds = atoi(optarg);
			break;
		case 'T':
			option.test_seconds = atoi(optarg);
			break;
		case 'k':
			log_file = open_file("the kernel log", optarg);
			break;
		case 'f':
			option.more = open_file("descriptor 3", optarg);
			break;
		case 'b':
			option.batch = optarg;
			break;
		default:
			return 2;
		}
	}
	option.qemu = argv + optind;
	for (char **arg = option.qemu; *arg; arg++) {
		if (strcmp(*arg, "--") == 0) {
			*arg = NULL;
			option.command = arg + 1;
			break;
		}
	}
	if (!option.qemu[0] || (!option.batch && (!option.command || !option.command[0]))) {
		say("relay is started by lapwing-vm, which see");
		return 2;
	}
	set_handlers();
	deadline = seconds_now() + option.seconds;
	return option.batch ? run_batch() : run_command();
}
