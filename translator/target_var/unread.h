/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unread.h - what a handler asks for and no event takes along in the user runtime: how the script
 * calls it.
 */
#ifndef LAPWING_TRANSLATOR_UNREAD_H
#define LAPWING_TRANSLATOR_UNREAD_H

#include "translator/program/program.h"

/* "filename, user_string()", of the arena; NULL: there is nothing such. After pass trim. */
const char *unread_names(struct program *prog, struct probe *probe);

#endif
