/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * background.h - -F: continues the run in a new process.
 */
#ifndef LAPWING_RUN_BACKGROUND_H
#define LAPWING_RUN_BACKGROUND_H

int background_start(void);		/* 0, or -1 and reported */
void background_armed(void);		/* lets the first process exit */
void background_end(void);

#endif
