/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lists.h - inventories: --dump-probe-types, --dump-probe-aliases, --dump-functions, -l and -L. */
#ifndef LAPWING_LISTS_H
#define LAPWING_LISTS_H

#include "translator/program/program.h"

#include <stdio.h>

void list_probe_types(FILE *to);
/*
 * opt->inventory: prints functions as "name:type (x:long)", or aliases as "name = point, point", of
 * the library and of the script.
 */
void list_inventory(const struct program *prog, FILE *to);
/*
 * Prints the matched probes by the names a script would use, each once, sorted; with -L followed by
 * the variables of their handlers: those that all probes of the name have. Returns their number.
 */
unsigned list_probes(struct program *prog, FILE *to);

#endif
