/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fmt.h - printf for scripts (as in SystemTap).
 *
 * Input: a format and a source of arguments. Output: text into a sink. Total on any format: text
 * that is not a directive prints as it is, a missing argument prints as 0 or nothing. Used in
 * handlers (sprintf) and by the reader.
 */
#ifndef LAPWING_CORE_FMT_H
#define LAPWING_CORE_FMT_H

#include "runtime/core/sink.h"
#include "runtime/wire.h"

/* One directive of a format. */
struct fmt_directive {
	char	flag;		/* one of 0 + - space #, or 0 */
	char	conv;		/* d i u x X o p s c b m M; 0: not a directive */
	s32	width;		/* -1: none */
	s32	precision;	/* -1: none */
	u8	width_arg, precision_arg;	/* '*': taken from an argument */
};

/* Parses the text after a '%'; returns the text after the directive. "%%" has conv '%'. */
const char *fmt_parse(const char *text, struct fmt_directive *d);

/* An argument: l, or len bytes at p; len < 0: memory that could not be read. */
struct fmt_value {
	s64		l;
	const char	*p;
	s32		len;
};

/*
 * A source of arguments. After the last one next() returns 0 and a zero value. kind: 'l', 's' or
 * 'm'.
 */
struct fmt_source {
	int	(*next)(struct fmt_source *from, char kind, struct fmt_value *value);
};

void fmt_print(struct sink *out, const char *text, struct fmt_source *from);
void fmt_decimal(struct sink *out, s64 v);
void fmt_unsigned(struct sink *out, u64 v);
void fmt_hex(struct sink *out, u64 v);		/* "0x..." */

/* Arguments of a WIRE_OUTPUT item; malformed lengths end them. */
struct fmt_item_source {
	struct fmt_source	source;
	const u8		*at, *end;
};
void fmt_item_source_init(struct fmt_item_source *s, const struct wire_item *item);

#endif
