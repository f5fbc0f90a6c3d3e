/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ctl.c - lapwing-ctl, which `lapwing ctl` runs: asks runs of this user to pause, to resume, to
 * write what they have, or to report their status.
 *
 * With --json or --csv the status is for programs (doc/formats.md, lapwing-ctl/1).
 *
 * Exit status: 0, 1 if there is no such run or it refuses, 2 for wrong usage.
 */
#include "lib/data.h"
#include "lib/option.h"
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

/* ms for an answer: a run that is busy symbolizing what it recorded does not answer */
#define PATIENCE	5000
#define RUNS		256

struct run {
	int	pid;
	const char *folder;
	struct control_answer status;
};
static struct run runs[RUNS];
static int nruns, silent[RUNS], nsilent;	/* silent: process ids of runs that do not answer */
static char own[FOLDER_SIZE];		/* folder of this user's runs */
/* The service's, which runs as a user of its own (lapwing-watch.service): root reaches it, too. */
static const char service[] = "/run/lapwing-watch/lapwing";

/* What another user's run says goes to root's terminal. */
static void make_plain(char *text, size_t size)
{
	text[size - 1] = 0;
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

/* 0, or -1: no answer (errno; ECONNREFUSED: what listened there is gone). */
static int ask(const char *folder, int pid, enum control_word word, struct control_answer *answer)
{
	struct control_request request = { CONTROL_MAGIC, word };
	struct sockaddr_un to = { .sun_family = AF_UNIX }, from = { .sun_family = AF_UNIX };
	struct pollfd fd = { .fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0),
			     .events = POLLIN };
	int rc = -1;

	snprintf(to.sun_path, sizeof(to.sun_path), "%s/%d" CONTROL_SUFFIX, folder, pid);
	if (fd.fd < 0)
		return -1;
	if (!bind(fd.fd, (struct sockaddr *)&from, sizeof(from.sun_family)) &&
	    !connect(fd.fd, (struct sockaddr *)&to, sizeof(to)) &&
	    send(fd.fd, &request, sizeof(request), 0) == sizeof(request)) {
		errno = ETIMEDOUT;
		if (poll(&fd, 1, PATIENCE) == 1 &&
		    recv(fd.fd, answer, sizeof(*answer), 0) == sizeof(*answer) &&
		    answer->magic == CONTROL_MAGIC)
			rc = 0;
	}
	make_plain(answer->name, sizeof(answer->name));
	make_plain(answer->text, sizeof(answer->text));
	make_plain(answer->file, sizeof(answer->file));
	close(fd.fd);
	return rc;
}

static void find_runs(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && nruns < RUNS && (entry = readdir(dir))) {
		struct run *r = &runs[nruns];
		char *end;

		r->folder = folder;
		r->pid = (int)strtol(entry->d_name, &end, 10);
		if (r->pid <= 0 || strcmp(end, CONTROL_SUFFIX))
			continue;
		if (!ask(folder, r->pid, CONTROL_STATUS, &r->status))
			nruns++;
		else if (errno == ECONNREFUSED && folder == own) /* it was killed: nothing else cleans up */
			unlinkat(dirfd(dir), entry->d_name, 0);
		else if (errno == ETIMEDOUT && nsilent < RUNS) {
			option_fail(FAILURE_RUN_NONE, "%d does not answer: it is ending, or busy",
				    r->pid);
			silent[nsilent++] = r->pid;
		}
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

static void write_number(struct data *d, unsigned long long n, int is_known)
{
	if (is_known)
		data_value(d, NULL, "%llu", n);
	else
		data_text(d, NULL, NULL);
}

static void write_run(struct data *d, const struct run *r)
{
	static const char *const kinds[CONTROL_KINDS] = { "script", "recording", "watch" };
	const struct control_answer *a = &r->status;

	data_row(d);
	data_value(d, NULL, "%d", r->pid);
	data_text(d, NULL, a->name);
	data_text(d, NULL, a->kind < CONTROL_KINDS ? kinds[a->kind] : NULL);
	data_value(d, NULL, a->paused ? "true" : "false");
	write_number(d, a->ran_ns, 1);
	write_number(d, a->count, a->kind != CONTROL_SCRIPT);
	write_number(d, a->count, a->kind == CONTROL_SCRIPT);
	write_number(d, a->lost, 1);
	data_text(d, NULL, *a->file ? a->file : NULL);
	write_number(d, a->bytes, a->kind != CONTROL_SCRIPT);
	data_close(d);
}

/* The runs that are meant, and those that did not answer, which may be meant too. */
static int write_runs(enum data_form form, const char *who)
{
	static const char *const columns[] = {
		"pid", "name", "kind", "paused", "ran_ns", "samples", "records", "lost", "file",
		"bytes", NULL,
	};
	struct data d;

	data_begin(&d, stdout, form, "lapwing-ctl/1");
	data_rows(&d, "rows", columns);
	for (int i = 0; i < nruns; i++)
		if (is_meant(&runs[i], who))
			write_run(&d, &runs[i]);
	data_close(&d);
	data_array(&d, "unanswered");
	for (int i = 0; i < nsilent; i++)
		data_value(&d, NULL, "%d", silent[i]);
	data_close(&d);
	return data_end(&d, "lapwing ctl", "stdout");
}

static int act(enum control_word word, const struct run *r)
{
	struct run now = *r;

	if (ask(r->folder, r->pid, word, &now.status)) {
		option_fail(FAILURE_RUN_NONE, "%d %s does not answer: %s", r->pid, r->status.name,
			    strerror(errno));
		return 1;
	}
	if (now.status.refused)
		fputs("lapwing ctl: ", stderr);
	print_run(&now, now.status.refused ? stderr : stdout);
	return (int)now.status.refused;
}

static int run(enum control_word word, const char *who, enum data_form form)
{
	const struct run *meant = NULL;
	int n = 0;

	find_runs(own);
	if (!geteuid())
		find_runs(service);
	for (int i = 0; i < nruns; i++) {
		if (!is_meant(&runs[i], who))
			continue;
		meant = &runs[i];
		n++;
		if (word == CONTROL_STATUS && !form)
			print_run(meant, stdout);
	}
	if (form && write_runs(form, who))
		return 1;
	if (n == 1 || (n && word == CONTROL_STATUS))
		return word == CONTROL_STATUS ? 0 : act(word, meant);
	if (n)
		option_fail(FAILURE_RUN_NONE, "%d runs could be meant: say which, by its number",
			    n);
	else if (who)
		option_fail(FAILURE_RUN_NONE, "there is no run '%s'%s", who,
			    nruns ? "; there are:" : ", nor any other");
	else
		option_fail(FAILURE_RUN_NONE,
			    "nothing runs: 'lapwing record', 'lapwing watch' and scripts of this user can be "
			    "controlled while they do");
	for (int i = 0; i < nruns; i++)
		if (!n || is_meant(&runs[i], who))
			print_run(&runs[i], stderr);
	return 1;
}

/* The word that says what to do; CONTROL_WORDS, reported: there is none. */
static unsigned find_word(const char *word)
{
	unsigned i = 0;

	while (i < CONTROL_WORDS && (!word || strcmp(word, control_words[i])))
		i++;
	if (i == CONTROL_WORDS && !word)
		option_fail(FAILURE_ARGUMENTS, "say what to do: on, off, flush or status");
	else if (i == CONTROL_WORDS)
		option_fail(FAILURE_OPTION_UNKNOWN,
			    "'%s' cannot be done: on, off, flush or status", word);
	return i;
}

int main(int argc, char **argv)
{
	enum data_form form = DATA_NONE;
	const struct option_table tables[] = { { data_options, &form }, { NULL, NULL } };
	const struct option_program program = {
		.name = "lapwing ctl",
		.usage = "on|off|flush [PID|NAME]\nstatus [options] [PID|NAME]",
		.what = "Asks a run that is under way:\n"
			"  off     it pauses: lapwing record and watch take no samples, a\n"
			"          script's probes run no handlers\n"
			"  on      it goes on\n"
			"  flush   what there is by now is written to the capture, the store,\n"
			"          or the script's output\n"
			"  status  how the run stands; of all runs without PID or NAME\n"
			"NAME is that of the script, or of the capture's file, or watch;\n"
			"without, there must be one run only.",
		.tables = tables,
		.anywhere = 1,
		.wrong = 2,
	};
	int status, i = option_parse(&program, argc, argv, &status);
	unsigned word;

	if (i < 0)
		return status;
	word = find_word(argv[i]);
	if (word == CONTROL_WORDS)
		return 2;
	if (i + 2 < argc) {
		option_fail(FAILURE_ARGUMENTS, "one run at a time: '%s' is one more", argv[i + 2]);
		return 2;
	}
	if (form && word != CONTROL_STATUS) {
		option_fail(FAILURE_OPTION_CONFLICT, "--json and --csv are of status");
		return 2;
	}
	if (folder_find(own) && errno != ENOENT) {
		option_fail(FAILURE_RUN_NONE, "runs of this user cannot be in '%s': %s", own,
			errno == EPERM ? "it must be this user's folder, and nobody else's to write"
			: strerror(errno));
		return 1;
	}
	leftovers_sweep();
	return run(word, argv[i + 1], form);
}
