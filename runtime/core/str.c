// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * str.c - strings: references into the arena, variables and literals; the string and time functions
 * of scripts.
 */
#include "runtime/core/str.h"

#include "runtime/core/core.h"
#include "runtime/core/ctx.h"
#include "runtime/core/num.h"
#include "runtime/core/port.h"
#include "runtime/core/sink.h"

static u32 str_max(void)
{
	return rt_script.maxstring - 1;
}

char *str_room(struct rt_ctx *c, u32 n)
{
	char *p = c->arena + c->arena_used;

	if (n > c->arena_size - c->arena_used) {
		ctx_fail(c, RUN_STRINGS);
		return 0;
	}
	c->arena_used += n;
	return p;
}

struct rt_str rt_return_str(struct rt_ctx *c, u32 mark, struct rt_str v)
{
	if (v.len > c->arena_size - mark)
		v.len = 0;
	memmove(c->arena + mark, v.p, v.len);
	c->arena_used = mark + v.len;
	return (struct rt_str){ c->arena + mark, v.len };
}

struct rt_strvar rt_strvar(struct rt_ctx *c)
{
	char *p = str_room(c, rt_script.maxstring);

	return (struct rt_strvar){ p, 0, p ? (u16)rt_script.maxstring : 0 };
}

void rt_set(struct rt_strvar *var, struct rt_str v)
{
	if (!var->size)
		return;
	var->len = v.len < var->size ? v.len : (u16)(var->size - 1);
	memmove(var->p, v.p, var->len);
}

struct rt_str rt_dup(struct rt_ctx *c, struct rt_str v)
{
	char *p = str_room(c, v.len);

	if (!p)
		return RT_STR("");
	memcpy(p, v.p, v.len);
	return (struct rt_str){ p, v.len };
}

struct rt_str rt_concat(struct rt_ctx *c, struct rt_str a, struct rt_str b)
{
	u32 n = (u32)a.len + b.len;
	char *p;

	if (n > str_max())
		n = str_max();
	if (a.len > n)
		a.len = (u16)n;
	p = str_room(c, n);
	if (!p)
		return RT_STR("");
	memcpy(p, a.p, a.len);
	memcpy(p + a.len, b.p, n - a.len);
	return (struct rt_str){ p, (u16)n };
}

int rt_cmp(struct rt_str a, struct rt_str b)
{
	int order = memcmp(a.p, b.p, a.len < b.len ? a.len : b.len);

	return order ? order : (a.len > b.len) - (a.len < b.len);
}

s64 rt_strlen(struct rt_str s)
{
	return s.len;
}

struct rt_str rt_substr(struct rt_ctx *c, struct rt_str s, s64 start, s64 len)
{
	if (start < 0 || start >= s.len || len <= 0)
		return RT_STR("");
	if (len > s.len - start)
		len = s.len - start;
	return (struct rt_str){ s.p + start, (u16)len };
}

s64 rt_isinstr(struct rt_str hay, struct rt_str needle)
{
	u32 i;

	for (i = 0; i + needle.len <= hay.len; i++)
		if (!memcmp(hay.p + i, needle.p, needle.len))
			return 1;
	return 0;
}

static s32 str_digit(char ch)
{
	if (ch >= '0' && ch <= '9')
		return ch - '0';
	if (ch >= 'a' && ch <= 'z')
		return ch - 'a' + 10;
	if (ch >= 'A' && ch <= 'Z')
		return ch - 'A' + 10;
	return 99;
}

/*
 * Like the kernel's simple_strtol: an optional minus, 0x and 0 prefixes, stops at the first other
 * byte, wraps on overflow.
 */
s64 rt_strtol(struct rt_ctx *c, struct rt_str s, s64 base)
{
	int negative = 0;
	u64 v = 0;
	u32 i = 0;

	if (s.len && s.p[0] == '-') {
		negative = 1;
		i = 1;
	}
	if ((base == 0 || base == 16) && i + 2 < s.len && s.p[i] == '0' &&
	    (s.p[i + 1] | 32) == 'x' && str_digit(s.p[i + 2]) < 16) {
		base = 16;
		i += 2;
	} else if (base == 0) {
		base = i < s.len && s.p[i] == '0' ? 8 : 10;
	}
	if (base < 2 || base > 36)
		return 0;
	for (; i < s.len && str_digit(s.p[i]) < base; i++)
		v = v * (u64)base + (u64)str_digit(s.p[i]);
	return negative ? num_neg((s64)v) : (s64)v;
}

/* Not for secrets: a counter whose bits are mixed, seeded by the time of the first draw. */
s64 rt_randint(struct rt_ctx *c, s64 n)
{
	u64 v;

	if (!c->random)
		c->random = runtime_clock() ^ (u64)c->cpu << 56;
	v = c->random += 0x9e3779b97f4a7c15ULL;
	v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9ULL;
	v = (v ^ v >> 27) * 0x94d049bb133111ebULL;
	v ^= v >> 31;
	return n > 0 ? (s64)(v % (u64)n) : 0;
}

s64 rt_gettimeofday_us(struct rt_ctx *c) { return rt_gettimeofday_ns(c) / 1000; }
s64 rt_gettimeofday_ms(struct rt_ctx *c) { return rt_gettimeofday_ns(c) / 1000000; }
s64 rt_gettimeofday_s(struct rt_ctx *c) { return rt_gettimeofday_ns(c) / 1000000000; }

static char *str_two(char *p, u32 v, char pad)
{
	*p++ = v >= 10 ? (char)('0' + v / 10) : pad;
	*p++ = (char)('0' + v % 10);
	return p;
}

/*
 * Days to a date: the civil calendar with 400-year eras and years that begin in March; day 0 is the
 * first day of year 0.
 */
struct rt_str rt_ctime(struct rt_ctx *c, s64 epoch)
{
	static const char days[] = "WedThuFriSatSunMonTue",
			  months[] = "MarAprMayJunJulAugSepOctNovDecJanFeb";
	u32 day, second, era_day, year_of_era, year_day, month, year;
	char *p, *at;

	if (epoch < -2147483648LL || epoch >= 253402300800LL) {	/* the range of 32 bits, and the
								 * year 10000 */
		ctx_fail_with(c, RUN_EPOCH, epoch < 0 ? "past" : "future");
		return RT_STR("");
	}
	day = (u32)((u64)(epoch + 719468 * 86400LL) / 86400);
	second = (u32)((u64)(epoch + 719468 * 86400LL) % 86400);
	era_day = day % 146097;
	year_of_era = (era_day - era_day / 1460 + era_day / 36524 - era_day / 146096) / 365;
	year_day = era_day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	month = (5 * year_day + 2) / 153;
	year = year_of_era + day / 146097 * 400 + (month >= 10);
	at = p = str_room(c, 24);
	if (!p)
		return RT_STR("");
	memcpy(p, days + 3 * (day % 7), 3);
	p[3] = ' ';
	memcpy(p + 4, months + 3 * month, 3);
	p[7] = ' ';
	p = str_two(p + 8, year_day - (153 * month + 2) / 5 + 1, ' ');
	*p = ' ';
	p = str_two(p + 1, second / 3600, '0');
	*p = ':';
	p = str_two(p + 1, second / 60 % 60, '0');
	*p = ':';
	p = str_two(p + 1, second % 60, '0');
	*p = ' ';
	p = str_two(p + 1, year / 100, '0');
	str_two(p, year % 100, '0');
	return (struct rt_str){ at, 24 };
}

static struct rt_str str_constant(const char *p)
{
	return (struct rt_str){ p, (u16)(strlen(p) > str_max() ? str_max() : strlen(p)) };
}

struct rt_str rt_pp(struct rt_ctx *c)
{
	return str_constant(c->probe->point);
}

struct rt_str rt_ppfunc(struct rt_ctx *c)
{
	const char *p = c->probe->function ? c->probe->function : "";

	return (struct rt_str){ p, (u16)strlen(p) };
}

struct rt_str rt_execname(struct rt_ctx *c)
{
	if (!(c->taken & RT_TOOK_COMM)) {
		c->taken |= RT_TOOK_COMM;
		runtime_comm(c);
	}
	return (struct rt_str){ c->comm, c->comm_len };
}

s64 rt_cpu(struct rt_ctx *c)
{
	return c->cpu;
}

void rt_abort(struct rt_ctx *c)
{
	runtime_exit_request();
	ctx_abort(c);
}

void rt_exit(struct rt_ctx *c)
{
	runtime_exit_request();
}

void core_message(u16 type, struct rt_str text)
{
	char copy[512];
	u32 n = text.len < sizeof(copy) ? text.len : sizeof(copy) - 1;

	memcpy(copy, text.p, n);
	copy[n] = 0;
	runtime_message(type, 1, copy, n + 1);
}

void rt_warn(struct rt_ctx *c, struct rt_str text)
{
	if (text.len && text.p[text.len - 1] == '\n')
		text.len--;
	core_message(WIRE_WARNING, text);
}
