/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * privilege.h - what --privilege=stapusr leaves out.
 */
#ifndef LAPWING_PRIVILEGE_H
#define LAPWING_PRIVILEGE_H

#include "translator/program/program.h"

/* Nonzero where the script may use only what an ordinary user may know. */
int privilege_is_user(const struct program *prog);
/* Nonzero when such a script may not call it. */
int privilege_refuses(const struct program *prog, const struct builtin *b);
/* The same of a function whose body is embedded C: its pragmas say whether anybody may call it. */
int privilege_refuses_embedded(const struct program *prog, const char *text);
/* Nonzero when it may be called for processes of the script's user only, which is asked at each call. */
int privilege_is_own_only(const struct program *prog, const char *text);

#endif
