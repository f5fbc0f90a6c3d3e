/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * note.h - what a program told of itself, judged.
 */
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
 * A datagram that process pid sent, at `now` (ns, monotonic) at the latest. How many bytes of *out are the note; 0: it is none. Its name
 * ends with a NUL and has no control characters.
 */
u32 note_read(const void *datagram, size_t len, s32 pid, u64 now, struct note *out);

#endif
