/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * skips.h - warnings about probes that are left out: of hundreds with one reason the first is shown,
 * and how many there are.
 */
#ifndef LAPWING_RUN_SKIPS_H
#define LAPWING_RUN_SKIPS_H

/*
 * True for a warning "probe POINT skipped: REASON" whose reason was shown already: it is counted.
 * Not with -v, and not once the run has started.
 */
int skips_take(const char *text);
/* Says how many were counted. Called when the run has started, or has failed to. */
void skips_report(void);

#endif
