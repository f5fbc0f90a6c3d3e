/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child.c - the program of -c: started stopped, so that probes are armed before it runs; its end
 * ends the session. Also the commands of system(), which run in parallel.
 */
#include "runtime/run/child.h"

#include "lib/option.h"
#include "lib/procstat.h"
#include "runtime/run/facts.h"
#include "runtime/run/leftovers.h"
#include "runtime/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE 5000		/* ms for a command to end when it is asked to */
#define LOOK_MS 100

static pid_t child;
static int gate = -1, watch = -1, ended, status;

/* True if the first word of a command is a file to run, and not a shell keyword or builtin. */
static int is_program(const char *command)
{
	size_t len = strcspn(command, " \t"), at;
	char path[PATH_MAX];

	if (memchr(command, '/', len))
		return 1;
	for (const char *dir = getenv("PATH"); len && dir && *dir; dir += at + (dir[at] == ':')) {
		at = strcspn(dir, ":");
		if (snprintf(path, sizeof(path), "%.*s/%.*s", (int)at, dir, (int)len, command) <
			    PATH_MAX &&
		    !access(path, X_OK))
			return 1;
	}
	return 0;
}

/* Only words and blanks, which a shell would not change. */
static void run_words(const char *command)
{
	char *text = strdup(command), **words = calloc(strlen(command) / 2 + 2, sizeof(*words)),
	     *rest = NULL;
	size_t n = 0;

	if (!text || !words)
		return;
	for (char *word = strtok_r(text, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest))
		words[n++] = word;
	execvp(words[0], words);
}

/*
 * True for one command: no list, pipe, group or comment outside of quotes. Redirections are
 * allowed.
 */
static int is_one_command(const char *command)
{
	char quote = 0;

	for (const char *p = command; *p; p++) {
		if (*p == '\\' && quote != '\'' && p[1])
			p++;
		else if (quote)
			quote = *p == quote ? 0 : quote;
		else if (*p == '\'' || *p == '"')
			quote = *p;
		else if (strchr(";|()`\n{}!#", *p) ||
			 (*p == '&' && (p == command || !strchr("<>", p[-1]))))
			return 0;
	}
	return !quote && is_program(command);
}

/* A plain command replaces the shell, so that target() is the program and not a waiting shell. */
static void run_shell(const char *command)
{
	size_t room = strlen(command) + sizeof("exec ");
	char *text = malloc(room);

	if (is_program(command) && !strpbrk(command, ";&|<>()$`\\\n{}=!#~'\"*?["))
		run_words(command);			/* if that fails, the shell reports the
							 * error */

	if (text && is_one_command(command))
		snprintf(text, room, "exec %s", command);
	else
		text = (char *)command;
	execl("/bin/sh", "sh", "-c", text, (char *)NULL);
	option_fail(FAILURE_COMMAND_START, "cannot run /bin/sh: %s", strerror(errno));
	_exit(127);
}

pid_t child_start(const char *command)
{
	pid_t self = getpid();
	int pipe_ends[2];
	sigset_t none;
	char byte;

	if (pipe2(pipe_ends, O_CLOEXEC))
		return option_fail(FAILURE_RESOURCES, "pipe: %s", strerror(errno));
	child = fork();
	if (child < 0)
		return option_fail(FAILURE_RESOURCES, "fork: %s", strerror(errno));
	if (!child) {
		/*
		 * It must die with us: probes may no longer watch it. The exec of a setuid program
		 * cancels this.
		 */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != self)
			_exit(127);
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		close(pipe_ends[1]);
		if (read(pipe_ends[0], &byte, 1) != 1)
			_exit(127);
		run_shell(command);
	}
	close(pipe_ends[0]);
	gate = pipe_ends[1];
	leftovers_program(child);
	watch = (int)syscall(SYS_pidfd_open, child, 0);		/* since Linux 5.3; without it,
								 * poll */
	return child;
}

/* The letter of a process's state; 0: no such process. */
static char state_of(pid_t pid)
{
	char text[PROCSTAT_SIZE], *name;
	const char *rest = procstat_read(pid, 0, text, &name);

	return rest ? *rest : 0;
}

/* Before it waits to be released, it sleeps nowhere else. */
void child_settle(void)
{
	char state;

	while ((state = state_of(child)) && state != 'S' && state != 'Z' &&
	       asked_end() == ASKED_NOT)
		poll(NULL, 0, 1);
}

void child_release(void)
{
	if (gate < 0)
		return;
	if (write(gate, "", 1) != 1)
		option_fail(FAILURE_COMMAND_START, "cannot start the command: %s", strerror(errno));
	close(gate);
	gate = -1;
}

int child_ended(void)
{
	if (child > 0 && !ended && waitpid(child, &status, WNOHANG) == child)
		ended = 1;
	return ended;
}

int child_fd(void)
{
	return child_ended() ? -1 : watch;
}

const char *child_died(void)
{
	static const int faults[] = { SIGILL, SIGSEGV, SIGBUS, SIGTRAP, SIGFPE, SIGABRT };

	for (unsigned i = 0; ended && WIFSIGNALED(status) && i < sizeof(faults) / sizeof(faults[0]);
	     i++)
		if (WTERMSIG(status) == faults[i])
			return sigabbrev_np(faults[i]);
	return NULL;
}

int child_report(void)
{
	if (!ended)
		return 0;
	if (WIFSIGNALED(status)) {
		const char *name = sigabbrev_np(WTERMSIG(status));

		warn("Child process exited with signal %d (SIG%s)", WTERMSIG(status),
		     name ? name : "?");
		return 128 + WTERMSIG(status);
	}
	if (WEXITSTATUS(status)) {
		warn("Child process exited with status %d", WEXITSTATUS(status));
		return WEXITSTATUS(status);
	}
	return 0;
}

static pid_t *others;
static unsigned nothers;

void child_run(const char *command)
{
	pid_t *more = realloc(others, (nothers + 1) * sizeof(*more)), pid;

	if (!more)
		return;
	others = more;
	pid = fork();
	if (!pid) {
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	if (pid < 0)
		option_fail(FAILURE_RESOURCES, "'%s' is not run: fork: %s", command,
			    strerror(errno));
	else
		others[nothers++] = pid;
}

/* Waits up to that many ms for its exit. A signal shortens this by at most one check. */
static int ends_within(pid_t pid, int *how, int ms)
{
	struct pollfd end = { .fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN };
	int look = end.fd < 0 ? 10 : LOOK_MS;
	pid_t got;

	for (; !(got = waitpid(pid, how, WNOHANG)) && ms > 0; ms -= look)
		poll(&end, 1, look);
	if (end.fd >= 0)
		close(end.fd);
	return got != 0;
}

/* They print to our output, so waits for them; not for long once a signal has requested the end. */
void child_wait(void)
{
	int left = PATIENCE;

	while (nothers && left > 0) {
		if (ends_within(others[nothers - 1], NULL, LOOK_MS))
			nothers--;
		else if (asked_end() != ASKED_NOT)
			left -= LOOK_MS;
	}
	if (nothers)
		warn("%u commands of system() still run", nothers);
	free(others);
	others = NULL;
	nothers = 0;
}

void child_kill(void)
{
	if (child <= 0 || ended)
		return;
	if (gate >= 0) {		/* never released: its read fails and it leaves */
		close(gate);
		gate = -1;
	} else {
		kill(child, SIGTERM);
	}
	if (!ends_within(child, &status, PATIENCE)) {
		warn("the command (process %d) does not end by SIGTERM: it is killed", child);
		kill(child, SIGKILL);
		ends_within(child, &status, PATIENCE);
	}
	ended = 1;
	status = 0;
}
