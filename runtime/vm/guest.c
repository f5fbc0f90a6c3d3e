// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * guest.c - init of lapwing-vm's guests: mounts, loads the channel's modules, then runs commands
 * for the host.
 *
 * Input: frames of link.h on the virtio port, modules in /lib/lapwing, busybox. Output: the
 * commands' stdout, stderr and exit status and the kernel log, as frames on the same port.
 *
 * A static program. It never exits: the host kills the guest. It does not judge, limit or restart
 * commands; if the machine is unusable it says so on the console and exits, which is a kernel
 * panic.
 */
#include "link.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MODULE_DIR	"/lib/lapwing"
#define PORT_DIR	"/sys/class/virtio-ports"
#define PORT_WAIT_MS	20000

/* A command's descriptors from 1 on: stdout, stderr, and 3 for other output. */
#define PIPES		3
static const enum link_kind pipe_kinds[PIPES] = { LINK_OUT, LINK_ERR, LINK_MORE };

/* The running command; pid 0: none. A pipe that is -1 is closed. */
static struct {
	pid_t	pid;
	bool	ended;
	int	status;
	int	pipe[PIPES];
} command = { .pipe = { -1, -1, -1 } };

static int port, kernel_log, children;

/*
 * One outgoing frame; sources are read only while it is empty, so a slow host slows the command, as
 * with a pipe.
 */
static struct {
	struct link_frame frame;
	char	payload[LINK_PAYLOAD_MAX];
	size_t	sent;
	bool	full;
} outgoing;

static struct {
	char	bytes[sizeof(struct link_frame) + LINK_RUN_MAX];
	size_t	size;
} incoming;

static void die(const char *what)
{
	dprintf(STDERR_FILENO, "lapwing-vm init: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void mount_all(void)
{
	static const struct { const char *type, *where; } mounts[] = {
		{ "devtmpfs",	"/dev" },
		{ "proc",	"/proc" },
		{ "sysfs",	"/sys" },
		{ "tmpfs",	"/dev/shm" },
		{ "tracefs",	"/sys/kernel/tracing" },
		{ "debugfs",	"/sys/kernel/debug" },
		{ "bpf",	"/sys/fs/bpf" },
	};

	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		mkdir(mounts[i].where, 0755);
		if (mount(mounts[i].type, mounts[i].where, mounts[i].type, 0, NULL) && i < 3)
			die(mounts[i].where);
	}
	symlink("/proc/self/fd", "/dev/fd");
	symlink("/proc/self/fd/0", "/dev/stdin");
	symlink("/proc/self/fd/1", "/dev/stdout");
	symlink("/proc/self/fd/2", "/dev/stderr");
}

/* File names sort in loading order. A module that is already loaded is not an error. */
static void load_modules(void)
{
	struct dirent **names;
	char path[sizeof(MODULE_DIR) + 256];
	int n = scandir(MODULE_DIR, &names, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		int fd;

		if (names[i]->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), MODULE_DIR "/%s", names[i]->d_name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (syscall(SYS_finit_module, fd, "", 0) && errno != EEXIST)
			die(path);
		close(fd);
	}
}

static bool is_our_port(const char *name)
{
	char path[sizeof(PORT_DIR) + 300], text[64] = "";
	int fd;
	ssize_t n;

	snprintf(path, sizeof(path), PORT_DIR "/%s/name", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	return n > 0 && strcmp(strtok(text, "\n"), LINK_PORT) == 0;
}

/* The port appears a moment after its driver: device and driver exchange messages first. */
static int open_port(void)
{
	const struct timespec pause = { .tv_nsec = 2000000 };

	for (int waited = 0; waited < PORT_WAIT_MS; waited += 2) {
		DIR *dir = opendir(PORT_DIR);
		struct dirent *entry;

		while (dir && (entry = readdir(dir))) {
			char path[300];
			int fd;

			if (!is_our_port(entry->d_name))
				continue;
			snprintf(path, sizeof(path), "/dev/%s", entry->d_name);
			fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
			if (fd >= 0) {
				closedir(dir);
				return fd;
			}
		}
		if (dir)
			closedir(dir);
		nanosleep(&pause, NULL);
	}
	die("no port to the host");
	return -1;
}

static void install_busybox(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		int null = open("/dev/null", O_RDWR | O_CLOEXEC);

		/* busybox complains about names that already exist as files; they are kept */
		dup2(null, STDERR_FILENO);
		execl("/bin/busybox", "busybox", "--install", "-s", (char *)NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
}

static void queue_frame(enum link_kind kind, size_t size)
{
	outgoing.frame = (struct link_frame){ kind, (uint32_t)size };
	outgoing.sent = 0;
	outgoing.full = true;
}

static void send_frame(void)
{
	const char *bytes = (const char *)&outgoing.frame;
	size_t total = sizeof(outgoing.frame) + outgoing.frame.size;

	/* frame and payload are adjacent in the struct: 8 bytes, then char[] */
	_Static_assert(sizeof(outgoing.frame) == 8, "no padding before the payload");
	while (outgoing.sent < total) {
		ssize_t n = write(port, bytes + outgoing.sent, total - outgoing.sent);

		if (n <= 0)
			return;
		outgoing.sent += (size_t)n;
	}
	outgoing.full = false;
}

static bool take_output(int *fd, enum link_kind kind)
{
	ssize_t n;

	if (*fd < 0)
		return false;
	n = read(*fd, outgoing.payload, sizeof(outgoing.payload));
	if (n > 0) {
		queue_frame(kind, (size_t)n);
		return true;
	}
	if (n == 0) {
		close(*fd);
		*fd = -1;
	}
	return false;
}

/*
 * "prio,number,microseconds,flags;text\n key=value\n" becomes "[seconds] text\n", as dmesg prints
 * it
 */
static size_t format_log(char *to, size_t room, char *record)
{
	unsigned long long usec = 0;
	char *text = strchr(record, ';'), *end;
	int n;

	if (!text || sscanf(record, "%*u,%*u,%llu", &usec) != 1)
		return 0;
	text++;
	end = strchr(text, '\n');
	if (end)
		*end = '\0';
	n = snprintf(to, room, "[%5llu.%06llu] %s\n", usec / 1000000, usec % 1000000, text);
	return n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
}

/*
 * One read returns one record; EPIPE means that some were overwritten, and the next read continues
 * after them.
 */
static bool take_log(void)
{
	static char record[8192 + 1];
	size_t size = 0;

	while (size + sizeof(record) + 64 < sizeof(outgoing.payload)) {
		ssize_t n = read(kernel_log, record, sizeof(record) - 1);

		if (n < 0 && errno == EPIPE)
			continue;
		if (n <= 0)
			break;
		record[n] = '\0';
		size += format_log(outgoing.payload + size, sizeof(outgoing.payload) - size,
				   record);
	}
	if (size)
		queue_frame(LINK_LOG, size);
	return size > 0;
}

static bool take_status(void)
{
	uint32_t status = (uint32_t)command.status;

	if (!command.ended)
		return false;
	for (int i = 0; i < PIPES; i++) {
		if (command.pipe[i] >= 0)
			close(command.pipe[i]);
		command.pipe[i] = -1;
	}
	command.pid = 0;
	command.ended = false;
	memcpy(outgoing.payload, &status, sizeof(status));
	queue_frame(LINK_STATUS, sizeof(status));
	return true;
}

/*
 * The next frame for the host, if there is one. The status comes last: the command is dead by then,
 * so that an empty pipe means that all it wrote has been sent.
 */
static bool fill_frame(void)
{
	for (int i = 0; i < PIPES; i++)
		if (take_output(&command.pipe[i], pipe_kinds[i]))
			return true;
	return take_log() || take_status();
}

/* The child's side of start_command. */
static void become_command(const char *dir, char **argv, int pipes[PIPES][2])
{
	sigset_t none;
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	dup2(null, STDIN_FILENO);
	for (int i = 0; i < PIPES; i++)
		dup2(pipes[i][1], STDOUT_FILENO + i);
	if (chdir(dir)) {
		dprintf(STDERR_FILENO, "lapwing-vm: %s: %s\n", dir, strerror(errno));
		_exit(126);
	}
	execvp(argv[0], argv);
	dprintf(STDERR_FILENO, "lapwing-vm: %s: %s\n", argv[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/* Returns after the command's exec, so that a signal from the host cannot come too early. */
static void start_command(char *text, size_t size)
{
	int pipes[PIPES][2], executed[2];
	size_t n = 0;
	char **argv, byte;

	argv = calloc(size + 1, sizeof(*argv));
	if (!argv || pipe2(executed, O_CLOEXEC))
		die("cannot start a command");
	for (int i = 0; i < PIPES; i++)
		if (pipe2(pipes[i], O_CLOEXEC))
			die("cannot start a command");
	for (char *p = text + strlen(text) + 1; p < text + size; p += strlen(p) + 1)
		argv[n++] = p;
	command.pid = fork();
	if (command.pid < 0)
		die("fork");
	if (command.pid == 0)
		become_command(text, argv, pipes);
	free(argv);
	close(executed[1]);
	for (int i = 0; i < PIPES; i++) {
		close(pipes[i][1]);
		command.pipe[i] = pipes[i][0];
		fcntl(command.pipe[i], F_SETFL, O_NONBLOCK);
	}
	while (read(executed[0], &byte, 1) < 0 && errno == EINTR)
		;
	close(executed[0]);
}

static void deliver_signal(uint32_t number)
{
	if (command.pid && !command.ended)
		kill(number == SIGTERM ? command.pid : -command.pid, (int)number);
}

static void obey(const struct link_frame *frame, char *payload)
{
	uint32_t number;

	if (frame->kind == LINK_RUN && frame->size && !command.pid) {
		payload[frame->size - 1] = '\0';
		start_command(payload, frame->size);
	} else if (frame->kind == LINK_SIGNAL && frame->size == sizeof(number)) {
		memcpy(&number, payload, sizeof(number));
		deliver_signal(number);
	}
}

static void take_orders(void)
{
	ssize_t n =
		read(port, incoming.bytes + incoming.size, sizeof(incoming.bytes) - incoming.size);
	struct link_frame frame;

	if (n <= 0)
		return;
	incoming.size += (size_t)n;
	while (incoming.size >= sizeof(frame)) {
		memcpy(&frame, incoming.bytes, sizeof(frame));
		if (frame.size > LINK_RUN_MAX)
			die("the host sent nonsense");
		if (incoming.size < sizeof(frame) + frame.size)
			break;
		obey(&frame, incoming.bytes + sizeof(frame));
		incoming.size -= sizeof(frame) + frame.size;
		memmove(incoming.bytes, incoming.bytes + sizeof(frame) + frame.size, incoming.size);
	}
}

/* Kills processes that a command has left running: the next one starts on a clean machine. */
static void reap_children(void)
{
	struct signalfd_siginfo info;
	int status;
	pid_t pid;

	while (read(children, &info, sizeof(info)) > 0)
		;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != command.pid)
			continue;
		command.ended = true;
		command.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		kill(-1, SIGKILL);
	}
}

static void wait_for_something(void)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct pollfd fds[] = {
		{ .fd = port,		.events = POLLIN | (outgoing.full ? POLLOUT : 0) },
		{ .fd = children,	.events = POLLIN },
		{ .fd = outgoing.full ? -1 : kernel_log,	.events = POLLIN },
		{ .fd = outgoing.full ? -1 : command.pipe[0],	.events = POLLIN },
		{ .fd = outgoing.full ? -1 : command.pipe[1],	.events = POLLIN },
		{ .fd = outgoing.full ? -1 : command.pipe[2],	.events = POLLIN },
	};

	poll(fds, sizeof(fds) / sizeof(fds[0]), -1);
	if (fds[0].revents & POLLIN)
		take_orders();
	else if (fds[0].revents & POLLHUP)
		nanosleep(&pause, NULL);	/* the host has not opened its end yet */
	if (fds[1].revents)
		reap_children();
}

int main(void)
{
	sigset_t set;

	mount_all();
	load_modules();
	port = open_port();
	install_busybox();
	kernel_log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	children = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	sethostname("guest", 5);
	setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
	setenv("HOME", "/root", 1);
	setenv("TERM", "dumb", 1);
	queue_frame(LINK_READY, 0);
	for (;;) {
		if (outgoing.full)
			send_frame();
		if (outgoing.full || !fill_frame())
			wait_for_something();
	}
}
