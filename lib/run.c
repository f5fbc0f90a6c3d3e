/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.c - runs a child program without a shell and waits for it.
 *
 * Input: an argument vector; output: its exit status and, if requested, its output. Does not
 * interpret either.
 */
#include "lib/run.h"

#include <string.h>
#include <sys/wait.h>

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
