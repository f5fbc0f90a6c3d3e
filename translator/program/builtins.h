/* SPDX-License-Identifier: GPL-2.0-or-later */
/* builtins.h - the table of builtins.def, and lookup in it. */
#ifndef LAPWING_PROGRAM_BUILTINS_H
#define LAPWING_PROGRAM_BUILTINS_H

#include "translator/program/program.h"

const struct builtin *builtin_find(const char *name, unsigned nargs);

#endif
