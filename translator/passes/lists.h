/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lists.h - inventories: --dump-probe-types, --dump-probe-aliases, --dump-functions, -l and -L. */
#ifndef LAPWING_LISTS_H
#define LAPWING_LISTS_H

#include "translator/program/options.h"
#include "translator/program/program.h"

/* The patterns of all probe points. Returns the exit status, as list_show() does. */
int list_probe_types(enum data_form form);
/*
 * What opt->list_pattern or opt->inventory asks for, in opt->form: functions as "name:type
 * (x:long)", or aliases as "name = point, point", of the library and of the script; or the matched
 * probes by the names a script would use, each once, sorted; with -L followed by the variables of
 * their handlers: those that all probes of the name have. 1: no probe matches, or stdout cannot be
 * written.
 */
int list_show(struct program *prog);

#endif
