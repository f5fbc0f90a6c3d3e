/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event.h - translates the text of an event into the arguments of perf_event_open().
 *
 * 	EVENT[:MODIFIER]...[:PERIOD][,REGISTER=VALUE]...
 * 	EVENT		a preset (cpu_cycles), perf's generic and software names (branch-misses, page-faults),
 * 			PMU/term=value,.../ as in sysfs, libpfm4's [PMU::]EVENT[:UMASK]..., raw:0xN
 * 			(-g)
 * 	MODIFIER	u, k, h: only user, kernel, hypervisor code; p, pp, ppp: precise;
 * 			also u=1, period=N, freq=N, precise=N
 * 	REGISTER	config, config1, config2 (-g)
 *
 * Knows nothing of probes, and does not check whether the machine has a counter for it.
 */
#ifndef LAPWING_EVENT_H
#define LAPWING_EVENT_H

#include "lib/host.h"

#include <glib.h>

struct event {
	guint32		type;		/* PERF_TYPE_*, or a PMU's number */
	guint64		config[3];
	guint64		period, hertz;	/* as given in the text, or 0 */
	unsigned	precise;	/* 0 ... 3 */
	int		only_user, only_kernel, only_hypervisor;	/* none: all code */
	char		pmu[32], cpus[64];	/* for an event of one CPU type: its PMU and CPUs
						 * ("0-7"); "": all */
	/* "preset", "perf", "software", "sysfs", "libpfm4", "raw" */
	char		from[16];
};

/*
 * The target machine: tables depend on the architecture, and sysfs and libpfm4 are only available
 * on this machine.
 */
struct event_machine {
	struct host	host;
	const char	*arch;		/* "x86_64", "arm64" */
	int		is_here;	/* the target is this machine */
	int		guru;		/* -g */
	/*
	 * libpfm4: type, config, precise, pmu of a name; 0, or -1 with *why (caller frees). NULL:
	 * not available
	 */
	int		(*library)(const char *name, struct event *e, char **why);
};

/* 0, or -1 with *why (caller frees). */
int event_encode(const struct event_machine *m, const char *text, struct event *e, char **why);

/* The portable names. */
struct event_preset {
	const char	*name, *papi, *note;
	const char	*generic;	/* perf's name; NULL: none */
	int		arm64;		/* number of the architecture's common event; -1: none */
	const char	*x86_64;	/* libpfm4 names, separated by '|'; NULL: none */
};
extern const struct event_preset event_presets[];	/* ends with a NULL name */

/* perf's own names; a row without an alias has NULL. */
struct event_generic {
	const char	*name, *alias;
	guint32		type;
	guint64		config;
};
extern const struct event_generic event_generics[];	/* ends with a NULL name */

/* perf's name of this type and config; NULL: none. */
const char *event_generic_name(guint32 type, guint64 config);
/* The reply of lapwing-events to a query. event_parse() returns -1 for an invalid one. */
char *event_format(const struct event *e);
int event_parse(const char *line, struct event *e);

#endif
