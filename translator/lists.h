/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lists.h - inventories for people: --dump-probe-types, --dump-functions, -l and -L.
 */
#ifndef LAPWING_LISTS_H
#define LAPWING_LISTS_H

#include "translator/program.h"

#include <stdio.h>

void list_probe_types(FILE *to);
void list_builtins(FILE *to);
/* The aliases of the parsed files, one a line. */
void list_aliases(const struct program *prog, FILE *to);
/* The matched probes' points as written, each once, sorted; how many. */
unsigned list_probes(struct program *prog, FILE *to);

#endif
