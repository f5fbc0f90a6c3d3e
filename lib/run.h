/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.h - run a child program without a shell, capture its output.
 */
#ifndef LAPWING_RUN_H
#define LAPWING_RUN_H

#include <glib.h>

struct run_result {
	int		status;		/* exit status, or 128 + signal */
	char		*out, *err;	/* captured if requested, NUL terminated; else NULL */
};

/*
 * Runs argv (found on PATH) with extra environment "NAME=VALUE" strings (or NULL), in directory dir
 * (or NULL), and waits. capture: collect stdout and stderr instead of inheriting them.
 * 0, or -1 with *error set when it could not be started. run_result_clear() frees.
 */
int run_program(const char *const *argv, const char *const *env, const char *dir, int capture,
		struct run_result *result, GError **error);
void run_result_clear(struct run_result *result);

/*
 * Runs argv[0] (a path) with our streams until it ends, and passes on the signals that ask us to
 * end, those of a terminal excepted, which it gets itself. It is asked to end if we die. The exit
 * status (128 + signal), or 1, reported, when it could not be started. To be called once.
 */
int run_instead(char **argv);

#endif
