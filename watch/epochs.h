/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * epochs.h - sampling in epochs, each of which goes to a store (keeper.h), under the control of
 * `lapwing ctl`, and at a rate that costs no more than it may.
 */
#ifndef LAPWING_WATCH_EPOCHS_H
#define LAPWING_WATCH_EPOCHS_H

#include "record/record.h"

#include <glib.h>

struct epochs_options {
	const char	*path;		/* the store's, for messages */
	int		seconds;	/* of an epoch */
	double		budget;		/* CPU time of this process and its children, in percent of one CPU; 0: any */
	int		quiet;
};

/*
 * Samples until a time (us, g_get_monotonic_time()) or until sampling_stopped, in epochs. events
 * (struct record_event): those that sampling_open() has; their periods change with the rate. 0, or -1
 * after a message: not all could be stored.
 */
int epochs_run(const struct epochs_options *o, GArray *events, gint64 until);

#endif
