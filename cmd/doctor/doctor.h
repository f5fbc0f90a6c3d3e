/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor.h - what lapwing-doctor finds out about a machine, and its conclusions.
 */
#ifndef LAPWING_DOCTOR_H
#define LAPWING_DOCTOR_H

#include "lib/host.h"

#include <glib.h>

enum finding_state { STATE_OK, STATE_LIMITED, STATE_MISSING };

/* The machine under examination. Its strings live as long as it. */
struct machine {
	struct host	host;
	char		*release, *arch;	/* arch as kernels call it: x86_64, arm64 */
	char		*cache;			/* of the guest harness, a path within host.root */
	const char	*target;		/* a program to examine, or NULL */
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
	const char	*no_user;
	const char	*no_vm_x86, *no_vm_arm64;
	/* guest kernels, and which of them are installed already */
	char		*guests_x86, *guests_arm64;
	const char	*command;		/* the best command that works; NULL: none does */
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
