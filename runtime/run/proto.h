/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proto.h - writes messages in the encoding of Protocol Buffers, for captures
 * (report/capture.proto). By hand, as static programs for other machines have no library for it.
 */
#ifndef LAPWING_RUN_PROTO_H
#define LAPWING_RUN_PROTO_H

#include "runtime/rt.h"

#include <stddef.h>

/* A message under construction; initially zero. free(->p) when it is done with. */
struct proto {
	u8	*p;
	size_t	used, room;
};

/* Members that are 0, or empty, are left out, as proto3 has it. */
void proto_uint(struct proto *m, u32 field, u64 value);
void proto_text(struct proto *m, u32 field, const char *text);
void proto_bytes(struct proto *m, u32 field, const void *bytes, size_t n);
/* One of a repeated string: also if it is empty. */
void proto_text_of(struct proto *m, u32 field, const char *text, size_t n);
/* Members of the same message that were written before. */
void proto_raw(struct proto *m, const void *bytes, size_t n);
/* Repeated numbers, packed; signed ones as sint64. */
void proto_uints(struct proto *m, u32 field, const u64 *values, size_t n);
void proto_sints(struct proto *m, u32 field, const s64 *values, size_t n);

#endif
