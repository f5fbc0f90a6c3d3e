/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture_ends.h - the frames at both ends of a capture: what was recorded where, and the books.
 */
#ifndef LAPWING_RECORD_CAPTURE_ENDS_H
#define LAPWING_RECORD_CAPTURE_ENDS_H

#include "record/record.h"
#include "record/rings.h"

/* Samples as they were handled. */
struct handled { guint64 received, idle, own, paused; };

/*
 * The header of this machine and moment, without a command and events: the caller may change it, and
 * frees nothing. Valid until the next call.
 */
Cap__Header *capture_header(void);
/* Writes it, with the events (struct record_event). */
void capture_put_header(struct capture_writer *w, Cap__Header *m, const GArray *events);
/*
 * Samples that had no room, and those that the kernel skipped: ticks that came too late, and those
 * beyond the time that it lets a CPU spend on them.
 */
guint64 capture_lost(const struct rings_books *r);
/* cpu_ns: what recording cost until `end`, a time of the capture. */
Cap__Books capture_books(const struct rings_books *r, const struct handled *k, guint64 end,
			 guint64 cpu_ns);
/* unnamed: names are still being looked up, and other books follow. */
void capture_put_books(struct capture_writer *w, Cap__Books *books, int unnamed);
/* CPU time of this process so far, ns, or of its children that have ended; who: as of getrusage(). */
guint64 capture_cpu(int who);

#endif
