/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - how far something is that may take long, on a terminal: a line on stderr that is
 * there from half a second on, and goes when it is over. It is written by a timer's signal
 * (SIGALRM), so that one step that takes minutes is seen too. Elsewhere nothing is written. libc
 * only.
 */
#ifndef LAPWING_PROGRESS_H
#define LAPWING_PROGRESS_H

void progress_begin(void);
/* What is being done now; cut off where the terminal's line ends. */
void progress_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void progress_hide(void);	/* call before other text is written; the line reappears */
void progress_end(void);

#endif
