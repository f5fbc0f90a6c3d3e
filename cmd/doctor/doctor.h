/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor.h - what lapwing-doctor finds out about a machine, and its conclusions.
 */
#ifndef LAPWING_DOCTOR_H
#define LAPWING_DOCTOR_H

#include "lib/host.h"

#include <glib.h>

/* ok is said of what was tried; untried: it does not matter here, or cannot be seen. */
enum finding_state { STATE_OK, STATE_LIMITED, STATE_MISSING, STATE_UNTRIED };

/* Things that are tried, as the user who asks. */
enum trial {
#define TRIAL(name, words) TRIAL_##name,
#include "cmd/doctor/trials.def"
#undef TRIAL
	TRIALS
};

/* The machine under examination. Its strings live as long as it. */
struct machine {
	struct host	host;
	char		*release, *arch;	/* arch as kernels call it: x86_64, arm64 */
	char		*cache;			/* of the guest harness, a path within host.root */
	const char	*target;		/* a program to examine, or NULL */
	char		*symbols;		/* /proc/kallsyms, or NULL */
	int		works[TRIALS];
	char		*no_script;		/* what the script that did not run said, or NULL */
};

struct finding {
	const char	*name;
	enum finding_state	state;
	char		*evidence;		/* the file and its contents */
	const char	*means;			/* for the user, in one sentence */
	/* a command, or what to do; NULL: nothing to fix */
	char		*fix;
};

/* What can be done here. */
struct doctor_verdict {
	const char	*no_kernel;		/* why not, or NULL: the kernel runtime works */
	const char	*no_user, *user_limits;	/* limits: NULL, or of what works */
	char		*no_vm_x86, *no_vm_arm64;
	char		*guests_x86, *guests_arm64;	/* the series that are here */
	/* what works, in words, and the first command to type; NULL: nothing does */
	char		*works, *command;
	const char	*next;			/* what to do first if nothing works */
};

/*
 * Fills one finding; f->name is set, and the state is STATE_OK until it is changed. One per row of
 * findings.def.
 */
#define FINDING(name) void find_##name(const struct machine *m, struct finding *f);
#include "cmd/doctor/findings.def"
#undef FINDING

/* Sets a finding (main.c); takes ownership of evidence and fix; means is static. */
void finding_set(struct finding *f, enum finding_state state, char *evidence, const char *means,
		 char *fix);

#endif
