/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * note.c - converts a datagram (runtime/lapwing-note.h) to the note for the runtimes. The bytes are
 * not trusted.
 */
#include "runtime/run/note.h"

#include "runtime/lapwing-note.h"

#define OLD_NS	1000000000ULL	/* a note may not date back further; older ones take effect now */

_Static_assert((int)WIRE_NOTE_CODE == LAPWING_NOTE_CODE &&
		       (int)WIRE_NOTE_IMAGE == LAPWING_NOTE_IMAGE &&
		       (int)WIRE_NOTE_PHASE == LAPWING_NOTE_PHASE && NOTE_NAME == LAPWING_NOTE_NAME,
	       "both sides agree");

u32 note_read(const void *datagram, size_t len, s32 pid, u64 now, struct note *out)
{
	struct lapwing_note in;
	size_t n;

	if (len <= offsetof(struct lapwing_note, name) || len > sizeof(in))
		return 0;
	memset(&in, 0, sizeof(in));
	memcpy(&in, datagram, len);
	n = strnlen(in.name, sizeof(in.name));
	if (in.magic != LAPWING_NOTE_MAGIC || n == sizeof(in.name) || pid <= 0)
		return 0;
	if (in.kind == LAPWING_NOTE_PHASE ? in.start || in.bytes
					  : !n || !in.bytes || in.start + in.bytes <= in.start)
		return 0;
	if (in.kind < LAPWING_NOTE_CODE || in.kind > LAPWING_NOTE_PHASE)
		return 0;
	out->head =
		(struct wire_note){ .time = in.time > now || now - in.time > OLD_NS ? now : in.time,
				    .start = in.start,
				    .bytes = in.bytes,
				    .pid = pid,
				    .kind = in.kind };
	/* No name reaches a terminal as a control sequence. */
	for (size_t i = 0; i <= n; i++)
		out->name[i] = i < n && ((unsigned char)in.name[i] < ' ' || in.name[i] == 0x7f)
				       ? '?'
				       : in.name[i];
	return (u32)(sizeof(out->head) + n + 1);
}
