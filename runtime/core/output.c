// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * output.c - output of handlers: items for the reader (wire.h) in the hit's staging buffer,
 * sprintf, definitions for the reader.
 */
#include "runtime/core/output.h"

#include "runtime/core/backtrace.h"
#include "runtime/core/bytes.h"
#include "runtime/core/core.h"
#include "runtime/core/ctx.h"
#include "runtime/core/fmt.h"
#include "runtime/core/hist.h"
#include "runtime/core/num.h"
#include "runtime/core/port.h"
#include "runtime/core/stat.h"

#define MEMORY_MAX 4096		/* bytes of one %m: SystemTap's limit, a page */

/* Maximum bytes of a record. */
#define RECORD_MAX ((u32)sizeof(struct wire_record) + CTX_OUT)

/*
 * Room for an item of up to `want` bytes (a whole record at most); flushes earlier output if
 * necessary.
 */
static inline struct wire_item *item_begin(struct rt_ctx *c, u32 want)
{
	if (c->out_used && want > CTX_OUT - c->out_used)
		output_flush(c, 1);
	if (!c->out_used) {		/* in the ring itself, or in the staging buffer */
		u8 *place = ring_place(c->ring, RECORD_MAX);

		c->out = place ? place + sizeof(struct wire_record) : c->stage;
	}
	return (struct wire_item *)(c->out + c->out_used);
}

/* A failed hit prints nothing more: its values go to a scratch area. */
static __attribute__((__noinline__)) s64 *item_late(struct rt_ctx *c, u64 head)
{
	u64 *at = (u64 *)item_begin(c, (u32)head);

	*at = head;
	if (!c->failed)
		c->out_used += (u32)head;
	return (s64 *)(at + 1);
}

/* The common case: the first output of a hit, with room in the ring. NULL: another one. */
static inline s64 *item_place(struct rt_ctx *c, u64 head)
{
	u8 *place = c->ring->at + sizeof(struct wire_record);

	if (__builtin_expect(ctx_has_news(c) || !ring_is_safe(c->ring, RECORD_MAX), 0))
		return NULL;
	c->out = place;
	c->out_used = (u32)head;
	*(u64 *)place = head;
	return (s64 *)(place + sizeof(struct wire_item));
}

s64 *rt_item_of(struct rt_ctx *c, u64 head)
{
	s64 *item = item_place(c, head);

	return __builtin_expect(item != NULL, 1) ? item : item_late(c, head);
}

static inline s64 *record_begin(struct rt_ctx *c, s64 *item)
{
	item[0] = rt_thread(c);
	item[1] = rt_probe_row(c);
	return item;
}

static __attribute__((__noinline__)) s64 *record_late(struct rt_ctx *c, u64 head)
{
	return record_begin(c, item_late(c, head));
}

s64 *rt_record_of(struct rt_ctx *c, u64 head)
{
	s64 *item = item_place(c, head);

	return __builtin_expect(item != NULL, 1) ? record_begin(c, item) : record_late(c, head);
}

/* Truncates a string to room bytes, a multiple of 8. */
static inline u8 *item_text(u8 *at, u64 bytes, const char *p, u32 n)
{
	if (__builtin_expect(n + 4 > bytes, 0))
		n = (u32)bytes - 4;
	/* The length takes half of the first word. */
	if (n >= 4) {
		*(u64 *)at = n | (u64)bytes_load4(p) << 32;
		bytes_copy_padded((char *)at + 8, p + 4, n - 4);
	} else {
		*(u64 *)at = n | bytes_word(p, n) << 32;
	}
	return at + bytes;
}

/* Bytes of memory for the argument's directive: its precision, 1 by default. */
static s64 memory_size(const char *format, u32 wanted, const union rt_arg *args, int *user)
{
	struct fmt_directive d;
	u32 arg = 0;

	while (*format) {
		s64 size = 1;

		if (*format++ != '%')
			continue;
		format = fmt_parse(format, &d);
		if (d.conv == '%' || !d.conv)
			continue;
		arg += d.width_arg;
		if (d.precision_arg)
			size = args[arg++].l;
		else if (d.precision >= 0)
			size = d.precision;
		*user = d.flag == '#';
		if (arg++ == wanted)
			return size;
	}
	return 1;
}

static u8 *item_memory(struct rt_ctx *c, u8 *at, const u8 *end, u16 format, u32 i,
		       const union rt_arg *args)
{
	const struct rt_format *f = &rt_script.formats[format];
	int user = 0;
	s64 n = memory_size(f->text, i, args, &user);
	u64 bytes;

	if (n < 0 || n > MEMORY_MAX) {
		char text[80];
		struct sink s = { .p = text, .size = sizeof(text) - 1 };

		fmt_decimal(&s, n);
		text[s.used] = 0;
		ctx_fail_with(c, RUN_DUMP, text);
		return at;
	}
	bytes = num_align8((u64)n + 4);
	if (bytes > (u64)(end - at))
		return at;
	memset(at, 0, bytes);
	*(u32 *)at = (u32)n;
	if (runtime_copy(c, at + 4, (u64)args[i].l, (u32)n, user))
		ctx_fault(c, RUN_FAULT, (u64)args[i].l);
	return at + bytes;
}

/*
 * Writes the values, and returns their end. Values that do not fit into the record are truncated if
 * `alone`; otherwise NULL: they need a record of their own.
 */
static inline u8 *item_values(struct rt_ctx *c, u8 *at, u16 format, const union rt_arg *args,
			      int alone)
{
	const char *kinds = rt_script.formats[format].kinds;
	const u8 *end = c->out + CTX_OUT;
	u32 i;

	for (i = 0; kinds[i]; i++) {
		u64 bytes = kinds[i] == 's' ? num_align8(args[i].s.len + 4ULL)
			    : kinds[i] == 'm' ? MEMORY_MAX + 8
			    : 8,
		    room = (u64)(end - at);

		if (__builtin_expect(bytes > room, 0)) {
			if (!alone)
				return 0;
			bytes = room;
			if (!bytes)
				continue;
		}
		if (kinds[i] == 's') {
			at = item_text(at, bytes, args[i].s.p, args[i].s.len);
		} else if (kinds[i] == 'm') {
			at = item_memory(c, at, end, format, i, args);
		} else if (kinds[i] == RT_COLUMN_STACK) {
			at = backtrace_value(c, args[i].l != 0, at, end, alone);
			if (!at)
				return 0;
		} else {
			*(s64 *)at = args[i].l;
			at += 8;
		}
	}
	((struct wire_item *)(c->out + c->out_used))->nargs = (u16)i;
	return at;
}

void rt_print_values(struct rt_ctx *c, u16 format, const union rt_arg *args)
{
	struct wire_item *item;
	u8 *end;

	if (c->failed)
		return;
	item = item_begin(c, sizeof(*item));
	end = item_values(c, (u8 *)(item + 1), format, args, !c->out_used);
	if (__builtin_expect(!end, 0)) {
		item = item_begin(c, CTX_OUT);
		end = item_values(c, (u8 *)(item + 1), format, args, 1);
	}
	if (c->failed)
		return;
	item->format = format;
	item->len = (u32)(end - (u8 *)item);
	c->out_used += item->len;
}

void output_text(struct rt_ctx *c, const char *p, u32 n)
{
	u64 bytes = num_align8(n + 4ULL), most = CTX_OUT - sizeof(struct wire_item);
	struct wire_item *item;

	bytes = bytes < most ? bytes : most;
	item = item_begin(c, (u32)(sizeof(*item) + bytes));
	item->format = WIRE_ITEM_TEXT;
	item->nargs = 1;
	item->len = (u32)(item_text((u8 *)(item + 1), bytes, p, n) - (u8 *)item);
	c->out_used += item->len;
}

void *output_item(struct rt_ctx *c, u16 format, u32 bytes)
{
	u32 len = (u32)num_align8(sizeof(struct wire_item) + (u64)bytes);
	struct wire_item *item;

	if (c->failed || len > CTX_OUT)
		return 0;
	item = item_begin(c, len);
	memset(item, 0, len);
	item->format = format;
	item->len = len;
	c->out_used += len;
	return item + 1;
}

void rt_print_hist(struct rt_ctx *c, const struct rt_statval *v)
{
	u32 n = hist_buckets(v->desc),
	    bytes = sizeof(struct wire_item) + sizeof(struct wire_hist) + 8 * n;
	struct wire_item *item;
	struct wire_hist *h;

	if (c->failed)
		return;
	if (agg_empty(v)) {
		ctx_fail(c, RUN_EMPTY);
		return;
	}
	item = item_begin(c, bytes);
	h = (struct wire_hist *)(item + 1);
	hist_describe(v->desc, &rt_script.limits, h);
	memcpy(h->count, v->bucket, 8ULL * n);
	item->format = WIRE_ITEM_HIST;
	item->nargs = 0;
	item->len = bytes;
	c->out_used += bytes;
}

/* ---- sprintf ---------------------------------------------------------------*/

struct arg_source {
	struct fmt_source source;
	struct rt_ctx	*c;
	u16		format;
	const union rt_arg *args;
	const char	*kinds;
	u32		i;
	char		*memory;	/* destination of %m bytes */
};

static int arg_next(struct fmt_source *from, char kind, struct fmt_value *value)
{
	struct arg_source *s = (struct arg_source *)from;
	const union rt_arg *arg = &s->args[s->i];

	memset(value, 0, sizeof(*value));
	if (!s->kinds[s->i])
		return 0;
	if (kind == 's') {
		value->p = arg->s.p;
		value->len = arg->s.len;
	} else if (kind == 'm') {
		u8 *end = item_memory(s->c, (u8 *)s->memory, (u8 *)s->memory + MEMORY_MAX + 8,
				      s->format, s->i, s->args);

		value->p = s->memory + 4;
		value->len = end > (u8 *)s->memory && !s->c->failed ? (s32)*(u32 *)s->memory : -1;
	} else {
		value->l = arg->l;
	}
	s->i++;
	return 1;
}

struct rt_str rt_sprint_values(struct rt_ctx *c, u16 format, const union rt_arg *args)
{
	const struct rt_format *f = &rt_script.formats[format];
	struct arg_source s = {
		.source.next = arg_next, .c = c, .format = format, .args = args, .kinds = f->kinds
	};
	struct sink out = { .p = c->arena + c->arena_used };
	u32 room = c->arena_size - c->arena_used;

	if (c->failed)
		return RT_STR("");
	/* Memory to dump is copied temporarily to the far end of the arena. */
	if (strchr(f->kinds, 'm')) {
		if (room < MEMORY_MAX + 8 + 64) {
			ctx_fail(c, RUN_STRINGS);
			return RT_STR("");
		}
		room -= MEMORY_MAX + 8;
		s.memory = c->arena + c->arena_used + (room & ~7U);
		room &= ~7U;
	}
	out.size = room < rt_script.maxstring - 1 ? room : rt_script.maxstring - 1;
	fmt_print(&out, f->text, &s.source);
	if (out.cut && out.size < rt_script.maxstring - 1)
		ctx_fail(c, RUN_STRINGS);
	for (room = 0; room < out.used && out.p[room]; room++)	/* no value contains a NUL */
		;
	c->arena_used += room;
	return (struct rt_str){ out.p, (u16)room };
}

struct rt_str rt_sprint_hist(struct rt_ctx *c, const struct rt_statval *v)
{
	u32 room = c->arena_size - c->arena_used;
	struct sink out = { .p = c->arena + c->arena_used };
	struct wire_hist h;

	if (c->failed)
		return RT_STR("");
	if (agg_empty(v)) {
		ctx_fail(c, RUN_EMPTY);
		return RT_STR("");
	}
	out.size = room < rt_script.maxstring - 1 ? room : rt_script.maxstring - 1;
	hist_describe(v->desc, &rt_script.limits, &h);
	hist_print(&out, &h, v->bucket);
	c->arena_used += out.used;
	return (struct rt_str){ out.p, (u16)out.used };
}

/* ---- definitions -----------------------------------------------------------*/

/* Two NUL-terminated texts as one message; truncated at the maximum length. */
static void describe(char *buffer, u16 type, u32 id, const char *a, const char *b)
{
	u64 n = strlen(a) + 1, k = strlen(b) + 1, room = WIRE_MSG_MAX - 64;

	if (n > room / 2)
		n = room / 2;
	if (k > room - n)
		k = room - n;
	memcpy(buffer, a, n);
	memcpy(buffer + n, b, k);
	buffer[n - 1] = buffer[n + k - 1] = 0;
	runtime_message(type, id, buffer, (u32)(n + k));
}

int core_describe(void)
{
	char *buffer = runtime_alloc(WIRE_MSG_MAX);
	u32 i;

	if (!buffer)
		return -1;
	for (i = 0; i < rt_script.nformats; i++)
		describe(buffer, WIRE_FORMAT, i, rt_script.formats[i].kinds,
			 rt_script.formats[i].text);
	for (i = 0; i < rt_script.nprobes; i++)
		describe(buffer, WIRE_PROBE, i, rt_script.probes[i].point,
			 rt_script.probes[i].where);
	runtime_free(buffer);
	return 0;
}
