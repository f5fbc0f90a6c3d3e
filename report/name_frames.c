/* SPDX-License-Identifier: GPL-2.0-or-later */
/* name_frames.c - see name_frames.h. Each frame: u32 length, little endian, and that many bytes. */
#include "report/name_frames.h"

#include <string.h>

static int is_of_names(const Cap__Frame *frame)
{
	return frame->what_case == CAP__FRAME__WHAT_FUNCTIONS ||
	       frame->what_case == CAP__FRAME__WHAT_LINES || frame->what_case == CAP__FRAME__WHAT_CODE;
}

void name_frames_add(GByteArray *to, const Cap__Frame *frame)
{
	guint32 n = (guint32)cap__frame__get_packed_size(frame), length = GUINT32_TO_LE(n);
	guint at = to->len + (guint)sizeof(length);

	if (!is_of_names(frame))
		return;
	g_byte_array_append(to, (const guint8 *)&length, sizeof(length));
	g_byte_array_set_size(to, at + n);
	cap__frame__pack(frame, to->data + at);
}

static void set_image(Cap__Frame *frame, guint32 image)
{
	if (frame->what_case == CAP__FRAME__WHAT_FUNCTIONS)
		frame->functions->image = image;
	else if (frame->what_case == CAP__FRAME__WHAT_LINES)
		frame->lines->image = image;
	else
		frame->code->image = image;
}

int name_frames_each(GBytes *bytes, guint32 image,
		     void (*take)(void *data, const Cap__Frame *frame), void *data)
{
	gsize left;
	const guint8 *at = g_bytes_get_data(bytes, &left);

	while (left) {
		Cap__Frame *frame;
		guint32 length = 0;

		if (left < sizeof(length))
			return -1;
		memcpy(&length, at, sizeof(length));
		length = GUINT32_FROM_LE(length);
		if (length > left - sizeof(length))
			return -1;
		frame = cap__frame__unpack(NULL, length, at + sizeof(length));
		if (!frame || !is_of_names(frame)) {
			if (frame)
				cap__frame__free_unpacked(frame, NULL);
			return -1;
		}
		set_image(frame, image);
		take(data, frame);
		cap__frame__free_unpacked(frame, NULL);
		at += sizeof(length) + length;
		left -= sizeof(length) + length;
	}
	return 0;
}
