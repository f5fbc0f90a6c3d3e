/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user.h - builds a shared object for the user runtime: the script's C and librt_user.a, in one run
 * of the compiler.
 */
#ifndef LAPWING_BUILD_USER_H
#define LAPWING_BUILD_USER_H

#include "translator/program/program.h"

int user_module(const struct program *prog, const char *dir, const char *name);

#endif
