/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen.h - a profile as a full-screen table, and the keys that change it. Knows nothing of the
 * profile's source.
 */
#ifndef LAPWING_RECORD_SCREEN_H
#define LAPWING_RECORD_SCREEN_H

#include "report/profile.h"

enum screen_key { SCREEN_NOTHING, SCREEN_CHANGED, SCREEN_QUIT };

/*
 * Takes over the terminal; 0, or -1: it cannot be used. screen_close() restores it, if taken over.
 */
int screen_open(void);
void screen_close(void);
/* over: the recording has ended. */
void screen_draw(const struct profile *p, int over);
/* Handles pending keys; a resize also returns SCREEN_CHANGED. */
enum screen_key screen_key(void);

#endif
