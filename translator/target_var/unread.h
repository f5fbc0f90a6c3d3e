/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unread.h - values that a handler uses and no event copies in the user runtime, by their names in
 * the script.
 */
#ifndef LAPWING_TRANSLATOR_UNREAD_H
#define LAPWING_TRANSLATOR_UNREAD_H

#include "translator/program/program.h"

/* "filename, user_string()", in the arena; NULL: none. After pass trim. */
const char *unread_names(struct program *prog, struct probe *probe);
/*
 * The local variables (struct var) of a probe to which the library's alias cannot give any value
 * here: each is set once, whatever happens at run time, to __unread() or to what is made of such
 * variables only (flags_str of flags). Caller frees. For pass fold, and between it and context.
 */
GHashTable *unread_variables(const struct program *prog, const struct probe *probe);

#endif
