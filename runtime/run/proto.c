/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proto.c - see proto.h. The encoding: protobuf.dev/programming-guides/encoding.
 */
#include "runtime/run/proto.h"

#include <stdlib.h>
#include <string.h>

enum { WIRE_TYPE_VARINT = 0, WIRE_TYPE_LENGTH = 2 };

static void append(struct proto *m, const void *bytes, size_t n)
{
	if (m->used + n > m->room) {
		m->room = 2 * (m->used + n) + 256;
		m->p = realloc(m->p, m->room);
		if (!m->p)
			abort();
	}
	if (n)
		memcpy(m->p + m->used, bytes, n);
	m->used += n;
}

static void varint(struct proto *m, u64 v)
{
	u8 bytes[10];
	size_t n = 0;

	for (; v > 0x7f; v >>= 7)
		bytes[n++] = (u8)(v | 0x80);
	bytes[n++] = (u8)v;
	append(m, bytes, n);
}

static size_t varint_size(u64 v)
{
	size_t n = 1;

	for (; v > 0x7f; v >>= 7)
		n++;
	return n;
}

static u64 zigzag(s64 v)
{
	return (u64)v << 1 ^ (u64)(v >> 63);
}

static void tag(struct proto *m, u32 field, u32 type)
{
	varint(m, field << 3 | type);
}

void proto_uint(struct proto *m, u32 field, u64 value)
{
	if (!value)
		return;
	tag(m, field, WIRE_TYPE_VARINT);
	varint(m, value);
}

void proto_text_of(struct proto *m, u32 field, const char *text, size_t n)
{
	tag(m, field, WIRE_TYPE_LENGTH);
	varint(m, n);
	append(m, text, n);
}

void proto_raw(struct proto *m, const void *bytes, size_t n)
{
	append(m, bytes, n);
}

void proto_bytes(struct proto *m, u32 field, const void *bytes, size_t n)
{
	if (n)
		proto_text_of(m, field, bytes, n);
}

void proto_text(struct proto *m, u32 field, const char *text)
{
	proto_bytes(m, field, text, strlen(text));
}

void proto_uints(struct proto *m, u32 field, const u64 *values, size_t n)
{
	size_t bytes = 0;

	if (!n)
		return;
	for (size_t i = 0; i < n; i++)
		bytes += varint_size(values[i]);
	tag(m, field, WIRE_TYPE_LENGTH);
	varint(m, bytes);
	for (size_t i = 0; i < n; i++)
		varint(m, values[i]);
}

void proto_sints(struct proto *m, u32 field, const s64 *values, size_t n)
{
	size_t bytes = 0;

	if (!n)
		return;
	for (size_t i = 0; i < n; i++)
		bytes += varint_size(zigzag(values[i]));
	tag(m, field, WIRE_TYPE_LENGTH);
	varint(m, bytes);
	for (size_t i = 0; i < n; i++)
		varint(m, zigzag(values[i]));
}
