/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - progress of a long task on a terminal: a line on stderr that appears after half a
 * second and disappears when the task is over. A timer's signal (SIGALRM) writes it, so that it
 * also appears during one step that takes minutes. If stderr is not a terminal, nothing is written.
 * libc only.
 */
#ifndef LAPWING_PROGRESS_H
#define LAPWING_PROGRESS_H

void progress_begin(void);
/* Sets the text for the current step; truncated at the end of the terminal's line. */
void progress_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void progress_hide(void);	/* call before other text is written; the line reappears */
void progress_end(void);

#endif
