/* SPDX-License-Identifier: GPL-2.0-or-later */
/* target.h - chooses the runtime, and this machine or a guest. */
#ifndef LAPWING_TARGET_H
#define LAPWING_TARGET_H

#include "translator/program/options.h"
#include "translator/program/program.h"

/*
 * Replaces RUNTIME_AUTO in opt->runtime by a runtime and prints which one; limits opt->last_pass
 * for a kernel that does not run here; finds the guest's release. Returns 0, or -1 after
 * lapwing-vm has reported that there is no such kernel.
 */
int target_choose(struct options *opt);
/*
 * Pass 5: executes lapwing-run, or lapwing-vm which runs it in a guest. Returns the exit status
 * of a failure, or of a run whose temporary folder had to be removed.
 */
int target_run(const struct program *prog);

#endif
