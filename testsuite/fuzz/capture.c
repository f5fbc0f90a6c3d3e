/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture.c - fuzz entry: any bytes as the frames of a capture (first its length, then its body,
 * lengths and sums made right), then every question about every sample.
 */
#include "report/tally.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add_frame(GByteArray *file, const guint8 *body, guint32 n)
{
	guint32 head[2] = { GUINT32_TO_LE(n), GUINT32_TO_LE((guint32)crc32(0, body, n)) };

	g_byte_array_append(file, (const guint8 *)head, sizeof(head));
	g_byte_array_append(file, body, n);
}

static void add_header(GByteArray *file)
{
	Cap__Event event = CAP__EVENT__INIT, *events[] = { &event };
	Cap__Header header = CAP__HEADER__INIT;
	Cap__Frame frame = CAP__FRAME__INIT;
	guint8 body[64];

	header.version = CAPTURE_VERSION;
	header.n_events = 1;
	header.events = events;
	frame.what_case = CAP__FRAME__WHAT_HEADER;
	frame.header = &header;
	add_frame(file, body, (guint32)cap__frame__pack(&frame, body));
}

static void ask(const struct profile *p)
{
	const struct key *every[16] = { NULL };
	struct tally *t;
	guint n;

	for (n = 0; keys[n].name; n++)
		every[n] = &keys[n];
	t = tally_make(p, every, &(struct sample_filter){ 0 });
	for (guint i = 0; i < t->rows->len; i++)
		if (strlen(tally_text(&g_array_index(t->rows, struct tally_row, i), n - 1)) >
		    G_MAXINT32)
			__builtin_trap();
	tally_free(t);
	for (guint i = 0; i < p->images->len; i++)
		profile_code_of(PROFILE_AT(p->images, image, i), i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	GByteArray *file = g_byte_array_new();
	struct profile *p;

	g_byte_array_append(file, (const guint8 *)"lapwing capture\n", 16);
	if (size && data[0] & 1)
		add_header(file);
	for (size_t at = 1; at < size; ) {
		guint32 n = (guint32)MIN(data[at], size - at - 1);

		add_frame(file, data + at + 1, n);
		at += n + 1;
	}
	p = profile_parse(file->data, file->len, NULL);
	if (p) {
		ask(p);
		profile_free(p);
	}
	g_byte_array_free(file, TRUE);
	return 0;
}
