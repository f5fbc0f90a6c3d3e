/* SPDX-License-Identifier: GPL-2.0-or-later */
/* background.h - -F: the session continues in another process. */
#ifndef LAPWING_RUN_BACKGROUND_H
#define LAPWING_RUN_BACKGROUND_H

#include "runtime/run/run.h"

int background_start(void);		/* -F: continues in a new process; -1, reported */
void background_armed(void);		/* lets the first process exit */
void background_end(void);

#endif
