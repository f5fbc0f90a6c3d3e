/* SPDX-License-Identifier: GPL-2.0-or-later */
/* status.h - what a store has, what it cost, and what is not known of it. */
#ifndef LAPWING_WATCH_STATUS_H
#define LAPWING_WATCH_STATUS_H

#include "lib/data.h"

/* Prints it for people, or as JSON. The exit status; errors are reported for `who`. */
int status_print(const char *who, const char *path, enum data_form form);

#endif
