/* SPDX-License-Identifier: GPL-2.0-or-later */
/* privilege.h - restrictions of --privilege=stapusr. */
#ifndef LAPWING_PRIVILEGE_H
#define LAPWING_PRIVILEGE_H

#include "translator/program/program.h"

/* Nonzero if the script may only read what an ordinary user can. */
int privilege_is_user(const struct program *prog);
/* Nonzero if such a script must not call the builtin. */
int privilege_refuses(const struct program *prog, const struct builtin *b);
/* The same for a function whose body is embedded C: its pragmas say whether anyone may call it. */
int privilege_refuses_embedded(const struct program *prog, const char *text);
/*
 * Nonzero if it may be called only for processes of the script's user, which is checked at each
 * call.
 */
int privilege_is_own_only(const struct program *prog, const char *text);

#endif
