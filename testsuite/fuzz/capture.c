/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture.c - fuzz entry: any bytes as the frames of a capture (first its length, then its body,
 * lengths and sums made right), then every question about every sample. With bit 1 of the first byte
 * they are the columns and values of records instead, beside a process and places that are right.
 */
#include "report/records.h"
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

/* ---- records ----------------------------------------------------------------------------*/

static void add(GByteArray *file, Cap__Frame__WhatCase what, void *message)
{
	Cap__Frame frame = CAP__FRAME__INIT;
	guint8 *body;

	frame.what_case = what;
	frame.image = message;		/* all members of the union are pointers */
	body = g_malloc(cap__frame__get_packed_size(&frame));
	add_frame(file, body, (guint32)cap__frame__pack(&frame, body));
	g_free(body);
}

/* An image with two places and a stack of both; a thread of a process. */
static void add_things(GByteArray *file)
{
	Cap__Image image = CAP__IMAGE__INIT;
	Cap__Process process = CAP__PROCESS__INIT;
	Cap__Thread thread = CAP__THREAD__INIT;
	Cap__Places places = CAP__PLACES__INIT;
	Cap__Stacks stacks = CAP__STACKS__INIT;
	Cap__Texts texts = CAP__TEXTS__INIT;
	Cap__Probes probes = CAP__PROBES__INIT;
	Cap__Functions functions = CAP__FUNCTIONS__INIT;
	guint32 images[] = { 0, 0 }, parents[] = { 0, 1 }, place[] = { 0, 1 };
	guint64 offsets[] = { 16, 4096 }, start[] = { 0 }, size[] = { 64 };
	char *text[] = { (char *)"a text", (char *)"" }, *point[] = { (char *)"begin" },
	     *name[] = { (char *)"function;" };

	image.path = (char *)"/bin/x";
	add(file, CAP__FRAME__WHAT_IMAGE, &image);
	process.name = (char *)"x";
	add(file, CAP__FRAME__WHAT_PROCESS, &process);
	thread.name = (char *)"x";
	add(file, CAP__FRAME__WHAT_THREAD, &thread);
	places.n_image = places.n_offset = 2;
	places.image = images;
	places.offset = offsets;
	add(file, CAP__FRAME__WHAT_PLACES, &places);
	stacks.n_parent = stacks.n_place = 2;
	stacks.parent = parents;
	stacks.place = place;
	add(file, CAP__FRAME__WHAT_STACKS, &stacks);
	functions.n_start = functions.n_size = functions.n_name = 1;
	functions.start = start;
	functions.size = size;
	functions.name = name;
	add(file, CAP__FRAME__WHAT_FUNCTIONS, &functions);
	texts.n_text = 2;
	texts.text = text;
	add(file, CAP__FRAME__WHAT_TEXTS, &texts);
	probes.n_point = 1;
	probes.point = point;
	add(file, CAP__FRAME__WHAT_PROBES, &probes);
}

/* At most 8 columns, of the kinds and with the values that the bytes say, small ones mostly. */
static void add_records(GByteArray *file, const uint8_t *data, size_t size)
{
	static char *const names[] = { (char *)"a", (char *)"b", (char *)"time", (char *)"", (char *)"a",
				       (char *)"line", (char *)"2", (char *)"stack" };
	Cap__Columns columns = CAP__COLUMNS__INIT;
	Cap__Records records = CAP__RECORDS__INIT;
	Cap__Columns__Kind kinds[8];
	size_t n = MIN(size, data[0] % 9U + 1), left = size - n;
	guint32 *numbers = g_new0(guint32, left + 1);
	gint64 *values = g_new0(gint64, left + 1);

	columns.n_name = columns.n_kind = n - 1;
	columns.name = (char **)names;
	columns.kind = kinds;
	for (size_t i = 1; i < n; i++)
		kinds[i - 1] = data[i] % 12;
	add(file, CAP__FRAME__WHAT_COLUMNS, &columns);
	for (size_t i = 0; i < left; i++) {
		numbers[i] = data[n + i] > 250;
		values[i] = data[n + i] > 250 ? (gint64)((guint64)data[n + i] << 56) : data[n + i] % 2;
	}
	records.n_value = n > 1 ? left / (n - 1) * (n - 1) : 0;
	records.n_elapsed = records.n_thread = records.n_cpu = records.n_probe = n > 1 ? left / (n - 1) : left;
	records.value = records.elapsed = values;
	records.thread = records.cpu = records.probe = numbers;
	add(file, CAP__FRAME__WHAT_RECORDS, &records);
	g_free(numbers);
	g_free(values);
}

static void ask_record(const struct profile *p, const struct profile_record *r)
{
	static const char *const questions[] = { "time", "cpu", "tid", "pid", "program", "probe", "function",
						 "ip", "image", "line", "address", "1", "2", "3", "a", "stack" };
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < G_N_ELEMENTS(questions); i++) {
		struct record_key *key = record_key_new(p, questions[i], NULL);
		gint64 number = 0;

		if (!key)
			continue;
		record_text(text, p, r, key);
		if (record_number(p, r, key, &number) && !record_has(r, key))
			__builtin_trap();
		record_key_free(key);
	}
	for (guint32 i = 0; i < PROFILE_AT(p->calls, call, r->call)->n; i++)
		record_column_text(text, p, r, i);
	g_string_free(text, TRUE);
}

static void ask_records(struct profile *p)
{
	for (guint i = 0; i < p->records->len; i++)
		ask_record(p, PROFILE_AT(p->records, record, i));
	records_to_samples(p, NULL, NULL);
}

/* ---- all -------------------------------------------------------------------------------*/

static void ask(struct profile *p)
{
	const struct key *every[16] = { NULL };
	struct tally *t;
	guint n;

	ask_records(p);
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
	if (size && data[0] & 3)
		add_header(file);
	if (size > 1 && data[0] & 2) {
		add_things(file);
		add_records(file, data + 1, size - 1);
	}
	for (size_t at = size && data[0] & 2 ? size : 1; at < size; ) {
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
