/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass.h - the list of passes and the loop that runs them.
 */
#ifndef LAPWING_PASS_H
#define LAPWING_PASS_H

#include "translator/program/options.h"
#include "translator/program/program.h"

struct pass {
	const char	*name;
	int		stap_pass;	/* SystemTap's number, 1..4 */
	void		(*run)(struct program *prog);	/* errors go to prog->ast->diag */
	const char	*sentence;
};
extern const struct pass passes[];	/* from passes.def; ends with a NULL name */

#define PASS(name, stap_pass, sentence) void pass_##name(struct program *prog);
#include "translator/passes/passes.def"
#undef PASS

/*
 * Runs the passes up to opt->last_pass, or to the first that reports an error. 0 ok, 1 failed. -v:
 * "Pass N: ..." lines.
 */
int run_passes(struct program *prog);

/*
 * Reports types that disagree in prog->dropped. 1: there are such. For a script of which nothing is
 * left; otherwise what is dropped may be wrong, as in SystemTap. Needs pass names.
 */
int types_of_dropped(struct program *prog);

#endif
