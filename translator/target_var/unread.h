/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unread.h - unread values: those that a handler uses but that no event records in the user
 * runtime, by the names the script has for them.
 */
#ifndef LAPWING_TRANSLATOR_UNREAD_H
#define LAPWING_TRANSLATOR_UNREAD_H

#include "translator/program/program.h"

/* "filename, user_string()", in the arena; NULL: no unread values. After pass trim. */
const char *unread_names(struct program *prog, struct probe *probe);

#endif
