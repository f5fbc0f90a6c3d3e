/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ctl.c - lapwing-ctl, run by `lapwing ctl`: pauses, resumes, flushes or queries runs of this user.
 *
 * Exit status: 0, 1 if there is no such run or it refuses, 2 for wrong usage.
 */
#include "lib/options.h"
#include "runtime/run/control.h"
#include "runtime/run/folder.h"
#include "runtime/run/leftovers.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define PATIENCE	5000	/* ms for an answer: a run that is symbolizing a recording does
				 * not answer */
#define RUNS		256

static const struct option_row rows[] = {
#include "cmd/ctl.def"
OPTIONS_END
};

static const struct option_program program = {
	.name = "lapwing ctl",
	.rows = rows,
	.usage_status = 2,
	.usage =
		"Usage: lapwing ctl on|off|flush|status [PID|NAME]\n"
		"  off     pause: lapwing record takes no samples, a script's probes run no handlers\n"
		"  on      resume\n"
		"  flush   write what has been collected so far to the capture or the script's output\n"
		"  status  print the state of the run, or of all runs without PID and NAME\n"
		"NAME is the name of the script or of the capture file; it may be left out if only one run exists.\n",
};

struct run {
	int	pid;
	struct control_answer status;
};
static struct run runs[RUNS];
static int nruns;
static char folder[FOLDER_SIZE];

/* 0, or -1: no answer (errno; ECONNREFUSED: the listener is gone). */
static int request(int pid, enum control_word word, struct control_answer *answer)
{
	struct control_request request = { CONTROL_MAGIC, word };
	struct sockaddr_un to = { .sun_family = AF_UNIX }, own = { .sun_family = AF_UNIX };
	struct pollfd fd = { .fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0),
			     .events = POLLIN };
	int rc = -1;

	snprintf(to.sun_path, sizeof(to.sun_path), "%s/%d" CONTROL_SUFFIX, folder, pid);
	if (fd.fd < 0)
		return -1;
	if (!bind(fd.fd, (struct sockaddr *)&own, sizeof(own.sun_family)) &&
	    !connect(fd.fd, (struct sockaddr *)&to, sizeof(to)) &&
	    send(fd.fd, &request, sizeof(request), 0) == sizeof(request)) {
		errno = ETIMEDOUT;
		if (poll(&fd, 1, PATIENCE) == 1 &&
		    recv(fd.fd, answer, sizeof(*answer), 0) == sizeof(*answer) &&
		    answer->magic == CONTROL_MAGIC)
			rc = 0;
	}
	answer->name[sizeof(answer->name) - 1] = answer->text[sizeof(answer->text) - 1] = 0;
	close(fd.fd);
	return rc;
}

static void find_runs(void)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && nruns < RUNS && (entry = readdir(dir))) {
		struct run *r = &runs[nruns];
		char *end;

		r->pid = (int)strtol(entry->d_name, &end, 10);
		if (r->pid <= 0 || strcmp(end, CONTROL_SUFFIX))
			continue;
		if (!request(r->pid, CONTROL_STATUS, &r->status))
			nruns++;
		else if (errno == ECONNREFUSED)		/* it was killed: nobody else will clean
							 * up */
			unlinkat(dirfd(dir), entry->d_name, 0);
		else if (errno == ETIMEDOUT)
			fprintf(stderr, "lapwing ctl: %d does not answer: it is ending, or busy\n",
				r->pid);
	}
	if (dir)
		closedir(dir);
}

static void print_run(const struct run *r, FILE *to)
{
	fprintf(to, "%d %s: %s\n", r->pid, r->status.name, r->status.text);
}

static int is_meant(const struct run *r, const char *who)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", r->pid);
	return !who || !strcmp(who, pid) || !strcmp(who, r->status.name);
}

static int act(enum control_word word, const struct run *r)
{
	struct run now = *r;

	if (request(r->pid, word, &now.status)) {
		fprintf(stderr, "lapwing ctl: %d %s does not answer: %s\n", r->pid, r->status.name,
			strerror(errno));
		return 1;
	}
	if (now.status.refused)
		fputs("lapwing ctl: ", stderr);
	print_run(&now, now.status.refused ? stderr : stdout);
	return (int)now.status.refused;
}

static int run(enum control_word word, const char *who)
{
	const struct run *meant = NULL;
	int n = 0;

	find_runs();
	for (int i = 0; i < nruns; i++) {
		if (!is_meant(&runs[i], who))
			continue;
		meant = &runs[i];
		n++;
		if (word == CONTROL_STATUS)
			print_run(meant, stdout);
	}
	if (n == 1 || (n && word == CONTROL_STATUS))
		return word == CONTROL_STATUS ? 0 : act(word, meant);
	if (n)
		fprintf(stderr, "lapwing ctl: %d runs match: give a process id\n", n);
	else if (who)
		fprintf(stderr, "lapwing ctl: no run '%s'%s\n", who,
			nruns ? "; runs:" : "; nothing is running");
	else
		fprintf(stderr,
			"lapwing ctl: nothing is running: only running scripts and 'lapwing record' of this user can be controlled\n");
	for (int i = 0; i < nruns; i++)
		if (!n || is_meant(&runs[i], who))
			print_run(&runs[i], stderr);
	return 1;
}

int main(int argc, char **argv)
{
	struct option_words words;
	unsigned word = 0;

	options_read_or_exit(&program, NULL, argc, argv, &words);
	while (word < CONTROL_WORDS && (!words.count || strcmp(words.word[0], control_words[word])))
		word++;
	if (word == CONTROL_WORDS || words.count > 2) {
		options_help(&program, stderr);
		return 2;
	}
	if (folder_find(folder) && errno != ENOENT) {
		fprintf(stderr, "lapwing ctl: cannot use '%s' for this user's runs: %s\n", folder,
			errno == EPERM ? "it must belong to this user and not be writable by others"
				       : strerror(errno));
		return 1;
	}
	leftovers_sweep();
	return run(word, words.word[1]);
}
