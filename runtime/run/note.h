/* SPDX-License-Identifier: GPL-2.0-or-later */
/* note.h - a program's note about itself, validated. */
#ifndef LAPWING_RUN_NOTE_H
#define LAPWING_RUN_NOTE_H

#include "runtime/rt.h"
#include "runtime/wire.h"

#include <stddef.h>

#define NOTE_NAME 256

struct note {
	struct wire_note head;
	char		name[NOTE_NAME];
};

/*
 * Validates a datagram that process pid sent, not later than `now` (ns, monotonic). Returns the
 * bytes of the note in *out; 0: invalid. Its name ends with a NUL and has no control characters.
 */
u32 note_read(const void *datagram, size_t len, s32 pid, u64 now, struct note *out);

#endif
