/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target.h - where a script runs: in which runtime, on this machine or in a guest.
 */
#ifndef LAPWING_TARGET_H
#define LAPWING_TARGET_H

#include "translator/program/options.h"
#include "translator/program/program.h"

/*
 * Chooses opt->runtime if it is RUNTIME_AUTO (and prints the choice in one line), and the last pass
 * of a build for another kernel.
 */
void target_choose(struct options *opt);
/*
 * 0; -1 with a message: this machine lacks something that the guest needs, which is known before
 * its kernel is fetched.
 */
int target_check(const struct options *opt);
/*
 * Pass 5: executes lapwing-run, or lapwing-vm which runs it in a guest. Returns the exit status
 * of a failure, or of a run whose temporary folder had to be removed.
 */
int target_run(const struct program *prog);

#endif
