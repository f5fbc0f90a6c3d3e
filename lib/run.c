/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.c - runs a child program without a shell and waits for it.
 *
 * Input: an argument vector; output: its exit status and, if requested, its output. Does not
 * interpret either.
 */
#include "lib/run.h"

#include "lib/option.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static gchar **environment_with(const char *const *extra)
{
	gchar **env = g_get_environ();

	for (; extra && *extra; extra++) {
		const char *equals = strchr(*extra, '=');
		gchar *name;

		if (!equals)
			continue;
		name = g_strndup(*extra, equals - *extra);
		env = g_environ_setenv(env, name, equals + 1, TRUE);
		g_free(name);
	}
	return env;
}

int run_program(const char *const *argv, const char *const *env, const char *dir, int capture,
		struct run_result *result, GError **error)
{
	GSpawnFlags flags = G_SPAWN_SEARCH_PATH | (capture ? 0 : G_SPAWN_CHILD_INHERITS_STDIN);
	gchar **full_env = environment_with(env);
	gint status = 0;
	gboolean ok;

	memset(result, 0, sizeof(*result));
	ok = g_spawn_sync(dir, (gchar **)argv, full_env, flags, NULL, NULL,
			  capture ? &result->out : NULL, capture ? &result->err : NULL, &status,
			  error);
	g_strfreev(full_env);
	if (!ok)
		return -1;
	result->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	return 0;
}

void run_result_clear(struct run_result *result)
{
	g_free(result->out);
	g_free(result->err);
	memset(result, 0, sizeof(*result));
}

static volatile sig_atomic_t child;

/* si_code is above 0 where the kernel sends it: to all processes at the terminal. */
static void pass_on(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (child > 0 && info->si_code <= 0)
		kill((pid_t)child, number);
}

static void become(char **argv, pid_t parent)
{
	/* if the parent dies, the run still ends in an orderly way */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);
	execv(argv[0], argv);
	option_fail(FAILURE_INSTALLATION, "cannot run %s: %s", argv[0], g_strerror(errno));
	_exit(1);
}

int run_instead(char **argv)
{
	static const int passed[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR2 };
	const struct sigaction action = { .sa_sigaction = pass_on, .sa_flags = SA_SIGINFO };
	pid_t parent = getpid(), pid = fork();
	int status = 0;

	if (!pid)
		become(argv, parent);
	if (pid < 0) {
		option_fail(FAILURE_RESOURCES, "no process for %s: %s", argv[0], g_strerror(errno));
		return 1;
	}
	child = pid;
	for (unsigned i = 0; i < G_N_ELEMENTS(passed); i++)
		sigaction(passed[i], &action, NULL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
