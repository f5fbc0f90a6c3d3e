/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * embed.h - what embedded C (%{ %}) may use besides its own arguments. Included by
 * runtime/kernel/embedded.h and runtime/user/embedded.h behind the headers of their world; never by
 * a script without embedded C.
 */
#ifndef LAPWING_EMBED_H
#define LAPWING_EMBED_H

#include "rt.h"

/*
 * CONTEXT of one call of an embedded function, or of one embedded statement; the label stap_out
 * ends both.
 */
struct rt_embed {
	struct rt_ctx	*c;
	const char	*last_error;	/* set by old code instead of STAP_ERROR(); NULL: none */
	int		next;		/* STAP_NEXT: the next overload has the word */
};

/* STAP_PRINT_FORMAT, the row of rt_script.formats that prints a string, is defined behind this. */
#define MAXSTRINGLEN		(rt_script.maxstring)

#define STAP_RETURN(...)	do { __VA_OPT__(STAP_RETVALUE = (__VA_ARGS__);) return; } while (0)
#define STAP_NEXT		do { CONTEXT->next = 1; return; } while (0)
#define STAP_ERROR(...)		do { rt_embed_error(CONTEXT->c, __VA_ARGS__); goto stap_out; } while (0)
#define STAP_PRINTF(...)	rt_embed_print(CONTEXT->c, STAP_PRINT_FORMAT, __VA_ARGS__)

/* A C string of at most maxstring - 1 bytes; NULL reads "<NULL>". Nothing is copied. */
static inline struct rt_str rt_from_c(const char *text)
{
	u16 len = 0;

	if (!text)
		return RT_STR("<NULL>");
	while (len < rt_script.maxstring - 1 && text[len])
		len++;
	return (struct rt_str){ text, len };
}

/* A NUL-terminated copy, in a buffer of maxstring bytes; NULL if the hit has failed. */
static inline char *rt_to_c(struct rt_ctx *c, struct rt_str text)
{
	struct rt_strvar copy = rt_strvar(c);

	if (c->failed)
		return 0;
	rt_set(&copy, text);
	copy.p[copy.len] = 0;
	return copy.p;
}

static inline __attribute__((unused, format(printf, 2, 3))) void rt_embed_error(struct rt_ctx *c,
										const char *format,
										...)
{
	char text[200];
	__builtin_va_list args;

	__builtin_va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	__builtin_va_end(args);
	rt_error(c, rt_from_c(text));
}

static inline __attribute__((unused, format(printf, 3, 4))) void rt_embed_print(struct rt_ctx *c,
										u16 row,
										const char *format,
										...)
{
	u32 mark = rt_mark(c);
	char *text = rt_to_c(c, RT_STR(""));
	__builtin_va_list args;

	if (!text)
		return;
	__builtin_va_start(args, format);
	vsnprintf(text, rt_script.maxstring, format, args);
	__builtin_va_end(args);
	rt_print(c, row, RT_S(rt_from_c(text)));
	rt_release(c, mark);
}

/* What such code says for a bounded copy, wherever its C library or kernel has it no more. */
#define strlcpy rt_strlcpy
static inline __attribute__((unused)) unsigned long rt_strlcpy(char *to, const char *from,
							       unsigned long size)
{
	unsigned long len = strlen(from), n = len < size ? len : size - 1;

	if (size) {
		memcpy(to, from, n);
		to[n] = 0;
	}
	return len;
}

/* After the embedded code: its error becomes the hit's. 1: leave. */
static inline int rt_embed_failed(struct rt_embed *context)
{
	if (context->last_error && !context->c->failed)
		rt_error(context->c, rt_from_c(context->last_error));
	return context->c->failed;
}

#endif
