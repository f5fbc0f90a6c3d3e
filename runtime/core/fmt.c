// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fmt.c - the printf engine; see fmt.h.
 */
#include "runtime/core/fmt.h"
#include "runtime/core/num.h"
#include "runtime/core/port.h"

#define FMT_WIDTH_MAX	65535	/* a wider field is probably a mistake, and would fill the disk */

static u32 fmt_digits(char *text, u64 v, u32 base, const char *digits)
{
	char back[24];
	u32 n = 0, i;

	do {
		back[n++] = digits[v % base];
		v /= base;
	} while (v);
	for (i = 0; i < n; i++)
		text[i] = back[n - 1 - i];
	return n;
}

void fmt_unsigned(struct sink *out, u64 v)
{
	char text[24];

	sink_put(out, text, fmt_digits(text, v, 10, "0123456789"));
}

void fmt_decimal(struct sink *out, s64 v)
{
	if (v < 0)
		sink_char(out, '-');
	fmt_unsigned(out, num_abs(v));
}

void fmt_hex(struct sink *out, u64 v)
{
	char text[24];

	sink_put(out, "0x", 2);
	sink_put(out, text, fmt_digits(text, v, 16, "0123456789abcdef"));
}

static const char *fmt_number(const char *p, s32 *v)
{
	*v = 0;
	for (; *p >= '0' && *p <= '9'; p++)
		if (*v <= FMT_WIDTH_MAX)
			*v = *v * 10 + (*p - '0');
	if (*v > FMT_WIDTH_MAX)
		*v = FMT_WIDTH_MAX;
	return p;
}

static int fmt_is_one_of(char ch, const char *set)
{
	for (; *set; set++)
		if (*set == ch)
			return 1;
	return 0;
}

const char *fmt_parse(const char *p, struct fmt_directive *d)
{
	d->flag = 0;
	d->width = d->precision = -1;
	d->width_arg = d->precision_arg = 0;
	if (fmt_is_one_of(*p, "0+- #"))
		d->flag = *p++;
	if (*p == '*') {
		d->width_arg = 1;
		p++;
	} else if (*p >= '0' && *p <= '9') {
		p = fmt_number(p, &d->width);
	}
	if (*p == '.') {
		p++;
		if (*p == '*') {
			d->precision_arg = 1;
			p++;
		} else if (*p >= '0' && *p <= '9') {
			p = fmt_number(p, &d->precision);
		}
	}
	if (*p == 'l')
		p++;
	d->conv = fmt_is_one_of(*p, "diuxXopscbmM%") ? *p : 0;
	return *p ? p + 1 : p;
}

/* Sign or prefix, zeros, digits in a field. */
static void fmt_field(struct sink *out, const struct fmt_directive *d, const char *prefix,
		      const char *digits, u32 n)
{
	u32 lead = (u32)strlen(prefix), zeros = 0, used, width = d->width > 0 ? (u32)d->width : 0;

	if (d->precision > (s32)n)
		zeros = (u32)d->precision - n;
	used = lead + zeros + n;
	if (d->flag == '0' && d->precision < 0 && width > used) {
		zeros += width - used;
		used = width;
	}
	if (d->flag != '-' && width > used)
		sink_fill(out, ' ', width - used);
	sink_put(out, prefix, lead);
	sink_fill(out, '0', zeros);
	sink_put(out, digits, n);
	if (d->flag == '-' && width > used)
		sink_fill(out, ' ', width - used);
}

static void fmt_integer(struct sink *out, const struct fmt_directive *d, s64 v)
{
	const char *prefix = "", *set = "0123456789abcdef";
	char text[24];
	u32 n;

	switch (d->conv) {
	case 'd':
	case 'i':
		prefix = v < 0 ? "-" : d->flag == '+' ? "+" : d->flag == ' ' ? " " : "";
		n = fmt_digits(text, num_abs(v), 10, set);
		break;
	case 'u':
		n = fmt_digits(text, (u64)v, 10, set);
		break;
	case 'o':
		prefix = d->flag == '#' ? "0" : "";
		n = fmt_digits(text, (u64)v, 8, set);
		break;
	case 'X':
		prefix = d->flag == '#' ? "0X" : "";
		n = fmt_digits(text, (u64)v, 16, "0123456789ABCDEF");
		break;
	default:
		prefix = d->conv == 'p' || d->flag == '#' ? "0x" : "";
		n = fmt_digits(text, (u64)v, 16, set);
	}
	fmt_field(out, d, prefix, text, n);
}

static void fmt_bytes(struct sink *out, const struct fmt_directive *d, const char *p, u32 n)
{
	u32 width = d->width > 0 ? (u32)d->width : 0,
	    shown = out->put_value ? out->put_value(0, p, n) : n;

	if (d->flag != '-' && width > shown)
		sink_fill(out, ' ', width - shown);
	sink_value(out, p, n);
	if (d->flag == '-' && width > shown)
		sink_fill(out, ' ', width - shown);
}

static void fmt_char(struct sink *out, const struct fmt_directive *d, u8 ch)
{
	static const char names[] = "\a\b\f\n\r\t\v'\\", letters[] = "abfnrtv'\\";
	char text[5] = { (char)ch };
	u32 n = 1, i;

	if (d->flag == '#') {
		for (i = 0; names[i] && (u8)names[i] != ch; i++)
			;
		if (names[i]) {
			text[0] = '\\';
			text[1] = letters[i];
			n = 2;
		} else if (ch < ' ' || ch > '~') {
			text[0] = '\\';
			text[1] = (char)('0' + (ch >> 6));
			text[2] = (char)('0' + (ch >> 3 & 7));
			text[3] = (char)('0' + (ch & 7));
			n = 4;
		}
	}
	fmt_bytes(out, d, text, n);
}

static void fmt_binary(struct sink *out, const struct fmt_directive *d, s64 v)
{
	s32 size = d->precision >= 0 ? d->precision : d->width;

	if (size != 1 && size != 2 && size != 4)
		size = 8;
	if (d->width > size)
		sink_fill(out, 0, (u32)(d->width - size));
	sink_value(out, (const char *)&v, (u32)size);
}

static void fmt_memory(struct sink *out, const struct fmt_directive *d, const struct fmt_value *v)
{
	u32 n = v->len > 0 ? (u32)v->len : 0, i;
	struct fmt_directive plain = *d;

	if (d->conv == 'm') {
		fmt_bytes(out, d, v->p, n);
		return;
	}
	plain.width = d->width > 0 && (u32)d->width > 2 * n ? d->width - (s32)(2 * n) : 0;
	if (d->flag != '-')
		sink_fill(out, ' ', (u32)plain.width);
	for (i = 0; i < n; i++) {
		sink_char(out, "0123456789abcdef"[(u8)v->p[i] >> 4]);
		sink_char(out, "0123456789abcdef"[(u8)v->p[i] & 15]);
	}
	if (d->flag == '-')
		sink_fill(out, ' ', (u32)plain.width);
}

static s32 fmt_star(struct fmt_source *from)
{
	struct fmt_value v = { 0 };

	from->next(from, 'l', &v);
	return v.l > FMT_WIDTH_MAX    ? FMT_WIDTH_MAX
	       : v.l < -FMT_WIDTH_MAX ? -FMT_WIDTH_MAX
	       : (s32)v.l;
}

static void fmt_one(struct sink *out, struct fmt_directive *d, struct fmt_source *from)
{
	struct fmt_value v = { 0 };

	if (d->width_arg) {
		d->width = fmt_star(from);
		if (d->width < 0) {		/* as in C: the minus flag */
			d->flag = '-';
			d->width = -d->width;
		}
	}
	if (d->precision_arg)
		d->precision = fmt_star(from);
	switch (d->conv) {
	case 's':
		from->next(from, 's', &v);
		if (v.len < 0)
			v.len = 0;
		fmt_bytes(out, d, v.p,
			  d->precision >= 0 && d->precision < v.len ? (u32)d->precision
								    : (u32)v.len);
		break;
	case 'm':
	case 'M':
		from->next(from, 'm', &v);
		fmt_memory(out, d, &v);
		break;
	case 'c':
		from->next(from, 'l', &v);
		fmt_char(out, d, (u8)v.l);
		break;
	case 'b':
		from->next(from, 'l', &v);
		fmt_binary(out, d, v.l);
		break;
	default:
		from->next(from, 'l', &v);
		fmt_integer(out, d, v.l);
	}
}

void fmt_print(struct sink *out, const char *text, struct fmt_source *from)
{
	struct fmt_directive d;

	while (*text) {
		const char *p = text;

		while (*p && *p != '%')
			p++;
		sink_put(out, text, (u32)(p - text));
		if (!*p)
			return;
		text = fmt_parse(p + 1, &d);
		if (d.conv == '%')
			sink_char(out, '%');
		else if (!d.conv)
			sink_put(out, p, (u32)(text - p));
		else
			fmt_one(out, &d, from);
	}
}

static int fmt_item_next(struct fmt_source *from, char kind, struct fmt_value *value)
{
	struct fmt_item_source *s = (struct fmt_item_source *)from;
	u64 left = (u64)(s->end - s->at), bytes;
	u32 len;

	memset(value, 0, sizeof(*value));
	if (left < 8)
		return 0;
	if (kind == 'l') {
		memcpy(&value->l, s->at, 8);
		s->at += 8;
		return 1;
	}
	memcpy(&len, s->at, 4);
	if ((s32)len < 0) {
		value->len = (s32)len;
		s->at += 8;
		return 1;
	}
	bytes = num_align8((u64)len + 4);
	if (bytes > left) {
		s->at = s->end;
		return 0;
	}
	value->p = (const char *)s->at + 4;
	value->len = kind == 's' ? (s32)strnlen(value->p, len) : (s32)len;
	s->at += bytes;
	return 1;
}

void fmt_item_source_init(struct fmt_item_source *s, const struct wire_item *item)
{
	s->source.next = fmt_item_next;
	s->at = (const u8 *)(item + 1);
	s->end = (const u8 *)item + item->len;
}
