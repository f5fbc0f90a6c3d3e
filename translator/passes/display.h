/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * display.h - parts of passes that another pass starts.
 */
#ifndef LAPWING_PASSES_DISPLAY_H
#define LAPWING_PASSES_DISPLAY_H

#include "translator/program/program.h"

/* Adds a last `end` probe that prints user globals nobody reads (pass types calls it once types are known). */
void display_unread(struct program *prog);

#endif
