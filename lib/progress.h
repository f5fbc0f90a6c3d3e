/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - progress of a long task on a terminal: a line on stderr that appears after half a
 * second and disappears at the end. A timer signal (SIGALRM) writes it, so that a single step that
 * takes minutes is shown too. Elsewhere nothing is written. libc only.
 */
#ifndef LAPWING_PROGRESS_H
#define LAPWING_PROGRESS_H

void progress_begin(void);
/* Sets the current step; the text is cut off at the terminal's width. */
void progress_show(const char *format, ...) __attribute__((format(printf, 1, 2)));
void progress_hide(void);	/* call before other text is written; the line reappears */
void progress_end(void);

#endif
