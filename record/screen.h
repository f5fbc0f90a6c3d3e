/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen.h - a profile as a full-screen table, and the keys that change it. Knows nothing of where the profile comes from.
 */
#ifndef LAPWING_RECORD_SCREEN_H
#define LAPWING_RECORD_SCREEN_H

#include "report/profile.h"

enum screen_key { SCREEN_NOTHING, SCREEN_CHANGED, SCREEN_QUIT };

/* Takes the terminal; 0, or -1: it cannot be drawn on. screen_close() gives it back, and does nothing otherwise. */
int screen_open(void);
void screen_close(void);
/* over: nothing more will come. */
void screen_draw(const struct profile *p, int over);
/* Takes the keys that there are; a window of another size is SCREEN_CHANGED too. */
enum screen_key screen_key(void);

#endif
