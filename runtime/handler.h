/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * handler.h - functions for handlers: strings, arrays, statistics, output, context, values. Part of
 * rt.h, which describes how it is used.
 */
#ifndef LAPWING_HANDLER_H
#define LAPWING_HANDLER_H

typedef unsigned char		u8;
typedef unsigned short		u16;
typedef unsigned int		u32;
typedef unsigned long long	u64;
typedef signed short		s16;
typedef signed int		s32;
typedef signed long long	s64;

#define RT_ABI		1	/* checked when a module is loaded */
#define RT_MAXKEYS	9	/* keys of one array */
#define RT_MAXARGS	32	/* values of one print statement */
#define RT_HIST_WIDTH_MAX 200	/* of a histogram's bar */
#define RT_HIST_LINEAR_MAX 1001	/* steps of a linear histogram: as fit into a record */
/* groups of a regular expression whose text is available, including the whole match */
#define RT_GROUPS	32
#define RT_MAXEVENTS	32	/* different events that a script counts */
/* arguments of a probed function or tracepoint that a handler can read */
#define RT_ARGS		12

/* ---- strings --------------------------------------------------------------
 *
 * A string value is a reference.  Its bytes live at least until the end of the statement: in a
 * literal, a variable's own buffer, or the arena. Bytes are copied only into variables, maps and
 * output.  Every string is shorter than rt_script.maxstring; producers truncate silently, as in
 * SystemTap.  No value holds a NUL byte; none needs one at its end.
 */
struct rt_str {
	const char	*p;
	u16		len;
	/*
	 * not 0: interned: the text stays until unload, is shorter than maxstring, and maps
	 * identify it by this hash and its address
	 */
	u32		hash;
};

/* A literal. The translator truncates it at maxstring. */
#define RT_STR(s)	((struct rt_str){ (s), sizeof(s) - 1 })

/* A string variable and the buffer it owns; size is rt_script.maxstring. */
struct rt_strvar {
	char		*p;
	u16		len;
	u16		size;
};

/*
 * A global's initialiser: static struct rt_strvar g_x = RT_STRVAR(g_x_text, "initial"), buffer
 * declared before.
 */
#define RT_STRVAR(buf, init)	{ (buf), sizeof(init) - 1, sizeof(buf) }

/* ---- the hit --------------------------------------------------------------
 *
 * Generated code and the inlines below use the first group; the rest belongs
 * to runtime/core and the runtimes.
 */
struct rt_probe;
/*
 * an aggregate merged over all CPUs: valid until the next rt_stat_read() or rt_map_stat() of this
 * hit
 */
struct rt_statval;
struct ring_writer;

enum rt_taken {
	RT_TOOK_COMM = 1, RT_TOOK_STAMP = 2, RT_TOOK_STACK = 4, RT_TOOK_USTACK = 8, RT_TOOK_MATCH = 16,
	RT_ASIDE = 32,	/* WIRE_ASIDE of all output of this hit */
};

#define RT_LEVEL_NMI	3	/* rt_ctx.level */

struct rt_ctx {
	int			failed;		/* leave the handler; see rt_failed() */
	u32			out_used;	/* of out */
	u16			nesting;	/* nested function calls, see rt_nest() */
	u16			catching;	/* open try blocks */
	/* enum rt_taken: which of comm, out_stamp, the stacks and group belong to this hit */
	u32			taken;
	s32			budget;		/* statements left (MAXACTION) */
	u32			arena_used;
	/*
	 * rows of rt_script.near of the failure and of the calls that led to it, 16 bits each, the
	 * outermost call lowest; of more than four the innermost. Set while failed is
	 */
	u64			near;

	const struct rt_probe	*probe;
	/* the runtime's own: registers at the hit, or NULL */
	void			*regs;
	/* the runtime's own: data captured at the hit, or NULL */
	void			*hit;
	/* ns, monotonic, of this hit; in the kernel runtime only with RT_CAP_HIT_TIME */
	u64			now;

	u32			cpu;
	/* index of per-CPU data: cpu, or 0 if there is one part */
	u32			part;
	u8			level;		/* 0 task, 1 softirq, 2 irq, RT_LEVEL_NMI */
	/* process context: output waits for the reader instead of being lost */
	u8			may_wait;
	u32			arena_size;
	char			*arena;		/* string memory */
	/* items printed by this hit (wire.h), not yet in the ring */
	u8			*out;
	/* memory for out if the ring cannot be written in place */
	u8			*stage;
	struct ring_writer	*ring;		/* the runtime's own: the ring */
	u8			comm_len;
	char			comm[16];	/* execname(), taken once per hit */
	/* time of the first item: orders this hit's output among CPUs */
	u64			out_stamp;
	struct rt_statval	*stat;		/* scratch of rt_stat_read() and friends */
	/* the string that tokenize() splits, and where it continues */
	struct rt_strvar	tokens;
	u16			token_at;
	/* number of groups of the last =~, with the whole match */
	u8			groups;
	/* position of each, in symbols of subject (regex.c) */
	u16			group[RT_GROUPS][2];
	struct rt_strvar	subject;	/* the string that was matched */
	u64			random;		/* state of randint(); 0: not drawn yet */
	/* kernel and user stack: limits.maxbacktrace addresses each */
	u64			*frames[2];
	u16			depth[2];	/* number of addresses */
	/* addresses looked up for their names, and those not found; over all hits */
	u64			names, names_unknown;
	/* statements beyond budget, granted in portions: ctx_begin_long() */
	u64			reserve;
	struct rt_str		message;	/* text of the pending error, in error[] */
	u32			error_row;	/* enum run_error of the pending error */
	char			error[512];
};

/* ---- errors and bounds ---------------------------------------------------*/

/*
 * After every statement that may fail:   if (rt_failed(c, N)) return;
 * (`break` instead of `return` inside the loop that implements a try block).
 * N indexes rt_script.near, the text SystemTap prints after "near", and for
 * the callers of a function that failed after "called from".
 */
static inline int rt_failed(struct rt_ctx *c, u16 near)
{
	if (__builtin_expect(!c->failed, 1))
		return 0;
	if (!(c->near >> 48))
		c->near = c->near << 16 | near;
	return 1;
}

/*
 * Slow paths of the inlines below: set the pending error. Each returns 1; rt_fail_budget() 0 if
 * there are statements in reserve.
 */
int rt_fail_budget(struct rt_ctx *c);		/* "MAXACTION exceeded", "time limit exceeded" */
int rt_fail_nesting(struct rt_ctx *c);		/* "MAXNESTING exceeded" */

/*
 * Charges n statements: at the top of a loop body, and once per handler that may exceed the budget.
 * 1: exceeded, leave.
 */
static inline int rt_charge(struct rt_ctx *c, s32 n)
{
	c->budget -= n;
	return __builtin_expect(c->budget < 0, 0) ? rt_fail_budget(c) : 0;
}

/* First thing in a recursive function; rt_unnest() before each return. 1: too deep, leave. */
int rt_nest(struct rt_ctx *c);
static inline void rt_unnest(struct rt_ctx *c) { c->nesting--; }

/* error("..."): pending, catchable. */
void rt_error(struct rt_ctx *c, struct rt_str message);
/* Every overload of a function said next: "all functions exhausted". */
void rt_exhausted(struct rt_ctx *c);

/*
 * try { A } catch (e) { B } is emitted as
 *	rt_try(c);
 *	do { A: each failing statement breaks } while (0);
 *	if (rt_catch(c, &e)) { B }
 * rt_catch() ends the try; 1 when A failed: the error is cleared and its text
 * (without the "near" part) stored in *e unless e is NULL.  An error that
 * cannot be caught (budget spent, abort) stays pending and gives 0.
 */
void rt_try(struct rt_ctx *c);
int rt_catch(struct rt_ctx *c, struct rt_strvar *e);

/* Division as in SystemTap: by 0 fails ("division by 0"); INT64_MIN / -1 wraps; x % -1 is 0. */
s64 rt_div(struct rt_ctx *c, s64 a, s64 b);
s64 rt_mod(struct rt_ctx *c, s64 a, s64 b);
/*
 * Shifts: C semantics for counts 0..63, any other count modulo 64 (as x86 does); rt_shr is
 * arithmetic.
 */
s64 rt_shl(s64 a, s64 n);
s64 rt_shr(s64 a, s64 n);
s64 rt_shru(s64 a, s64 n);	/* >>> */

/*
 * IEEE 754 doubles as 64-bit patterns; results are rounded to the nearest. mode: 0 nearest, 1 to 0,
 * 2 down, 3 up, 4 nearest away from 0.
 */
s64 rt_long_to_fp(s64 v);
s64 rt_fp32_to_fp64(s64 v);
s64 rt_fp_to_long(s64 v, s64 mode);
s64 rt_fp_to_long_short(s64 v);					/* towards 0 */
s64 rt_fp_add(s64 a, s64 b);
s64 rt_fp_sub(s64 a, s64 b);
s64 rt_fp_mul(s64 a, s64 b);
s64 rt_fp_div(s64 a, s64 b);
/* a - n * b, n the integer nearest to a / b */
s64 rt_fp_rem(s64 a, s64 b);
s64 rt_fp_sqrt(s64 v);
s64 rt_fp_eq(s64 a, s64 b);
s64 rt_fp_lt(s64 a, s64 b);
s64 rt_fp_le(s64 a, s64 b);
s64 rt_string_to_fp(struct rt_str s);
/* precision: number of decimals, at most 60 */
struct rt_str rt_fp_to_string(struct rt_ctx *c, s64 v, s64 precision);

/* ---- strings --------------------------------------------------------------
 *
 * The arena is a stack.  A function or loop body that creates strings takes a
 * mark and releases it at its end, so a loop needs no more than one iteration does.
 */
static inline u32 rt_mark(struct rt_ctx *c) { return c->arena_used; }
static inline void rt_release(struct rt_ctx *c, u32 mark) { c->arena_used = mark; }
/* A function's string result: moves v down to mark, releases the rest. */
struct rt_str rt_return_str(struct rt_ctx *c, u32 mark, struct rt_str v);

/*
 * A local string variable: a buffer of maxstring bytes from the arena; "string memory exhausted"
 * fails.
 */
struct rt_strvar rt_strvar(struct rt_ctx *c);
/* copy, truncating; v may overlap var */
void rt_set(struct rt_strvar *var, struct rt_str v);
static inline struct rt_str rt_get(const struct rt_strvar *var)
{
	return (struct rt_str){ var->p, var->len };
}
struct rt_str rt_dup(struct rt_ctx *c, struct rt_str v);		/* copy to the arena */
struct rt_str rt_concat(struct rt_ctx *c, struct rt_str a, struct rt_str b);
int rt_cmp(struct rt_str a, struct rt_str b);			/* byte order: <0, 0, >0 */
s64 rt_strlen(struct rt_str s);
struct rt_str rt_substr(struct rt_ctx *c, struct rt_str s, s64 start,
			s64 len); /* out of range: "" */
s64 rt_isinstr(struct rt_str hay, struct rt_str needle);		/* 0 or 1 */
s64 rt_strtol(struct rt_ctx *c, struct rt_str s, s64 base);
s64 rt_stringat(struct rt_ctx *c, struct rt_str s,
		s64 at); /* a byte, 0 ... 255; "Position out of bounds" */
s64 rt_strpos(struct rt_str hay, struct rt_str needle);		/* -1: not found */
s64 rt_isdigit(struct rt_str s);				/* 1: it begins with a digit */
struct rt_str rt_str_replace(struct rt_ctx *c, struct rt_str s, struct rt_str from,
			     struct rt_str to);
/*
 * Escapes bytes that are not printable ASCII; at most len bytes (<= 0: maxstring - 1); if quoted,
 * in quotes and with dots when truncated.
 */
struct rt_str rt_text_strn(struct rt_ctx *c, struct rt_str s, s64 len, s64 quoted);
struct rt_str rt_text_str(struct rt_ctx *c, struct rt_str s);
struct rt_str rt_string_quoted(struct rt_ctx *c, struct rt_str s);
struct rt_str rt_json_quoted(struct rt_ctx *c, struct rt_str s);
/*
 * The next non-empty token of s or, if s is empty, of the last string given in this context; "":
 * none is left.
 */
struct rt_str rt_tokenize(struct rt_ctx *c, struct rt_str s, struct rt_str delimiters);
struct rt_str rt_tokenize_on(struct rt_ctx *c, struct rt_str delimiters);

/* ---- regular expressions ---------------------------------------------------
 *
 * Automata over the symbols 256 (the text's beginning), its bytes, 257 (its end). State 0: a match
 * is no longer possible; 1: the start.
 */
struct rt_dfa {
	u16		nclasses;
	const u8	*classes;	/* of each symbol */
	const u16	*next;		/* [state][class] */
	const u8	*accepts;	/* of each state */
};

#define RT_REGEX_PARTS	64

enum rt_regex_kind { RT_REGEX_CAT, RT_REGEX_ALT, RT_REGEX_STAR, RT_REGEX_GROUP };

/* A part of a pattern that holds groups. */
struct rt_regex_part {
	u8			kind;
	u8			group;		/* GROUP: its number */
	s16			left, right;	/* parts below, -1: without groups */
	const struct rt_dfa	*first;		/* CAT, ALT: the left half; STAR: one iteration */
	/* CAT: the right half, STAR: more iterations; read backwards */
	const struct rt_dfa	*rest;
};

struct rt_regex {
	const struct rt_dfa	*start;		/* read backwards: where a match can start */
	const struct rt_dfa	*whole;		/* how long it can be */
	const struct rt_regex_part *parts;
	s16			root;		/* of parts, or -1 */
	u8			groups;
};

s64 rt_match(const struct rt_dfa *find, struct rt_str s);	/* s =~ pattern: 0 or 1 */
/* The same, and stores the position of the leftmost longest match and of its groups. */
s64 rt_match_keep(struct rt_ctx *c, const struct rt_regex *r, struct rt_str s);
struct rt_str rt_match_text(
	struct rt_ctx *c,
	s64 n); /* matched(n), 0: all; fails after a failed match; "" for an unused group */
struct rt_str rt_match_whole(struct rt_ctx *c);		/* matched_str() */
s64 rt_match_groups(struct rt_ctx *c);			/* ngroups(), with the whole */

/* ---- statistics -----------------------------------------------------------*/

enum rt_statop {		/* values to maintain, only if used */
	RT_COUNT = 1, RT_SUM = 2, RT_MIN = 4, RT_MAX = 8, RT_VARIANCE = 16,
	RT_HIST_LOG = 32, RT_HIST_LINEAR = 64, RT_QUANTILES = 128,
};

struct rt_stat_desc {
	u32		ops;		/* enum rt_statop, or-ed */
	s64		low, high, step; /* of RT_HIST_LINEAR */
};

/* A scalar statistic; impl is the runtime's. */
struct rt_stat {
	const struct rt_stat_desc *desc;
	void		*impl;
	u64		stride;		/* the runtime's: bytes from one CPU's part to the next */
};

void rt_stat_add(struct rt_ctx *c, struct rt_stat *s, s64 v);		/* s <<< v */
void rt_stat_clear(struct rt_ctx *c, struct rt_stat *s);			/* delete s */
const struct rt_statval *rt_stat_read(struct rt_ctx *c, struct rt_stat *s);

/* Extractors. For an empty aggregate count and sum are 0, the others fail ("empty aggregate"). */
s64 rt_count(struct rt_ctx *c, const struct rt_statval *v);
s64 rt_sum(struct rt_ctx *c, const struct rt_statval *v);
s64 rt_min(struct rt_ctx *c, const struct rt_statval *v);
s64 rt_max(struct rt_ctx *c, const struct rt_statval *v);
s64 rt_avg(struct rt_ctx *c, const struct rt_statval *v);
s64 rt_variance(struct rt_ctx *c, const struct rt_statval *v);
/* 0 .. 100; at most 6.25 % off */
s64 rt_percentile(struct rt_ctx *c, const struct rt_statval *v, s64 percent);
/* number of buckets; 0 without histogram */
s64 rt_hist_size(const struct rt_statval *v);
s64 rt_hist_bucket(struct rt_ctx *c, const struct rt_statval *v,
		   s64 i); /* "histogram index out of range" */
/*
 * The bucket that follows i in order of count, the fullest last if up, else first; equal ones by
 * index. i < 0: the first. -1: none.
 */
s64 rt_hist_next(const struct rt_statval *v, int up, s64 i);

/* ---- counters -------------------------------------------------------------
 *
 * A long global whose concurrent updates are only ++, -- and += with the value
 * unused: one slot per CPU, no shared cache line (locking tier i).
 */
struct rt_counter {
	s64		initial;
	void		*impl;
};

/* distance of a counter's parts: no cache line belongs to two CPUs */
#define RT_LINE		64

static inline void rt_counter_add(struct rt_ctx *c, struct rt_counter *k, s64 n)
{
	s64 *part = (s64 *)((char *)k->impl + (u64)c->part * RT_LINE);

	*part = (s64)((u64)*part + (u64)n);
}
s64 rt_counter_get(struct rt_ctx *c, struct rt_counter *k);
void rt_counter_set(struct rt_ctx *c, struct rt_counter *k, s64 v);

/* ---- arrays ----------------------------------------------------------------
 *
 * The translator declares a key struct per array, with one member per key in
 * order (k1, k2, ...), each s64 or struct rt_str; the core knows its layout
 * from desc.  `key` below always points to such a struct.
 */
enum rt_kind { RT_LONG, RT_STRING, RT_STAT };

struct rt_map_desc {
	const char	*name;
	u8		nkeys;
	u8		key[RT_MAXKEYS];	/* enum rt_kind: RT_LONG or RT_STRING */
	u8		value;			/* enum rt_kind */
	u8		wrap;			/* a full array recycles its oldest row */
	/* a full array drops new rows, and the handler continues */
	u8		drop;
	u8		percpu;			/* tier i: one map per CPU, merged for reading */
	/* foreach loops over it that may be active at once; at least 1 if any */
	u8		iterators;
	/* capacity was given in the script (text of the overflow error) */
	u8		sized;
	u32		capacity;		/* rows */
	struct rt_stat_desc stat;		/* for RT_STAT */
};

struct rt_map {
	const struct rt_map_desc *desc;
	void		*impl;
};

/* Reading a missing row gives 0, "" or an empty aggregate and creates nothing. */
s64 rt_map_get(struct rt_ctx *c, struct rt_map *m, const void *key);
/* the string is in the arena */
struct rt_str rt_map_get_str(struct rt_ctx *c, struct rt_map *m, const void *key);
const struct rt_statval *rt_map_stat(struct rt_ctx *c, struct rt_map *m, const void *key);
/*
 * A full array that neither wraps nor drops fails: "Array overflow, check MAXMAPENTRIES" or "Array
 * overflow, check size limit (N)".
 */
void rt_map_set(struct rt_ctx *c, struct rt_map *m, const void *key, s64 v);
void rt_map_set_str(struct rt_ctx *c, struct rt_map *m, const void *key, struct rt_str v);
/* returns the new value (of this CPU's part if percpu) */
s64 rt_map_add(struct rt_ctx *c, struct rt_map *m, const void *key, s64 n);
void rt_map_stat_add(struct rt_ctx *c, struct rt_map *m, const void *key, s64 v);
/* wild: bit i set = key i+1 is '*' and its member ignored. */
s64 rt_map_has(struct rt_ctx *c, struct rt_map *m, const void *key, u32 wild);
void rt_map_delete(struct rt_ctx *c, struct rt_map *m, const void *key, u32 wild);
void rt_map_clear(struct rt_ctx *c, struct rt_map *m);

/*
 * foreach:
 *	struct rt_iter it;
 *	struct g_a_key row;
 *
 *	for (rt_foreach(c, &it, &g_a, RT_BY_VALUE, RT_DOWN, limit); rt_next(c, &it, &row); ) { ... }
 * Without order: insertion order.  Strings in row and rt_iter_str() point into
 * the map, which the handler's lock keeps; the loop body must not change it
 * (the translator refuses).  limit < 0: none.  After a `break`, rt_foreach_end().
 */
enum rt_order {
	RT_BY_NONE,
	RT_BY_VALUE,			/* stat arrays: by @count */
	RT_BY_COUNT, RT_BY_SUM, RT_BY_MIN, RT_BY_MAX, RT_BY_AVG, RT_BY_VARIANCE,
	RT_BY_KEY,			/* RT_BY_KEY + i: by key i+1 */
};
enum rt_direction { RT_DOWN = -1, RT_UP = 1 };

struct rt_iter {
	struct rt_map	*map;
	s64		left;		/* rows of `limit` left; negative: no limit */
	u32		at, end;
	u32		slot;		/* which of the map's order buffers; ~0: none */
	u32		wild;		/* slice: keys that must not be compared */
	const void	*slice;		/* key struct to match, or NULL */
};

void rt_foreach(struct rt_ctx *c, struct rt_iter *it, struct rt_map *m, u32 order, s32 direction,
		s64 limit);
/*
 * The same over a slice: rows whose keys equal *slice except where wild has a bit. *slice must
 * outlive the loop.
 */
void rt_foreach_slice(struct rt_ctx *c, struct rt_iter *it, struct rt_map *m, u32 order,
		      s32 direction, s64 limit, const void *slice, u32 wild);
int rt_next(struct rt_ctx *c, struct rt_iter *it, void *row);	/* 0: done (and ended) */
void rt_foreach_end(struct rt_ctx *c, struct rt_iter *it);
s64 rt_iter_long(const struct rt_iter *it);
struct rt_str rt_iter_str(const struct rt_iter *it);
const struct rt_statval *rt_iter_stat(struct rt_ctx *c, const struct rt_iter *it);

/* ---- output ----------------------------------------------------------------
 *
 * The translator turns every print statement into a row of rt_script.formats
 * (print(a, b) is "%d%s").  rt_print() ships the row's number and the values;
 * the reader formats.  rt_sprint() formats here.  There is one value per
 * conversion and per '*', in order; the row's kinds say which member counts.
 */
union rt_arg {
	s64		l;
	struct rt_str	s;
};
#define RT_L(x)		((union rt_arg){ .l = (x) })
#define RT_S(x)		((union rt_arg){ .s = (x) })

struct rt_format {
	/* printf format, as in SystemTap; of a record: its columns' names, each with a tab behind */
	const char	*text;
	/*
	 * per argument: 'l' long, 's' string, 'm' address of memory to copy at the hit; of a record:
	 * THREAD, PROBE, then its columns
	 */
	const char	*kinds;
};

/*
 * The values of stp()'s records: typed, so that names are found later, by what was mapped at the
 * record's time. Those of an address say what is shown of it.
 */
enum rt_column {
	RT_COLUMN_THREAD = 'T',		/* rt_thread() */
	RT_COLUMN_PROBE = 'P',		/* rt_probe_row() */
	RT_COLUMN_LONG = 'l',
	RT_COLUMN_STRING = 's',
	RT_COLUMN_STACK = 'S',		/* 0: the kernel's; 1: the program's */
	RT_COLUMN_ADDRESS = 'a',	/* of the kernel if negative; else of the record's process */
	RT_COLUMN_RETURN = 'r',		/* a return address */
	RT_COLUMN_FUNCTION = 'f',
	RT_COLUMN_SYMBOL = 'd',		/* function, offset, size and image */
	RT_COLUMN_IMAGE = 'i',
	RT_COLUMN_FILE = 'F',		/* source file, line, and both */
	RT_COLUMN_LINE = 'L',
	RT_COLUMN_PLACE = 'p',
};

void rt_print_values(struct rt_ctx *c, u16 format, const union rt_arg *args);
struct rt_str rt_sprint_values(struct rt_ctx *c, u16 format, const union rt_arg *args);
/*
 * The values are in a scope of their own, so that all print statements of a handler share one place
 * on the stack.
 */
#define rt_print(c, format, ...)	({ const union rt_arg args_[] = { __VA_ARGS__ }; rt_print_values(c, format, args_); })
#define rt_sprint(c, format, ...)	({ const union rt_arg args_[] = { __VA_ARGS__ }; rt_sprint_values(c, format, args_); })
/*
 * A short path for a print statement whose values are longs and execname(), which are fast to get:
 *	item = rt_item(c, FORMAT, VALUES, WORDS);
 *	item[0] = A LONG; rt_item_execname(c, item + 1); ...
 * A long takes one word, execname() RT_EXECNAME_WORDS. Expressions that are computed meanwhile must
 * neither print nor fail.
 */
#define RT_EXECNAME_WORDS 3
/* head: the first word of struct wire_item */
s64 *rt_item_of(struct rt_ctx *c, u64 head);
static inline s64 *rt_item(struct rt_ctx *c, u16 format, u16 nargs, u32 words)
{
	return rt_item_of(c, (u64)nargs << 48 | (u64)format << 32 | (8 + 8 * words));
}
/* The same for a record of stp(), whose first two words are set. */
s64 *rt_record_of(struct rt_ctx *c, u64 head);
static inline s64 *rt_record(struct rt_ctx *c, u16 format, u16 nargs, u32 words)
{
	return rt_record_of(c, (u64)nargs << 48 | (u64)format << 32 | (8 + 8 * words));
}
/* 15 bytes; the reader stops at their first NUL */
void rt_item_execname(struct rt_ctx *c, s64 *to);
void rt_print_hist(struct rt_ctx *c, const struct rt_statval *v); /* "empty aggregate" */
struct rt_str rt_sprint_hist(struct rt_ctx *c, const struct rt_statval *v);

/* ends the session, and this handler at once; try does not catch it */
void rt_abort(struct rt_ctx *c);
void rt_exit(struct rt_ctx *c);				/* ends the session; this handler goes on */
/* for timer.profile, pmu.profile and perf probes: samples are hits from the next one on */
void rt_profile_on(struct rt_ctx *c);
/* samples are not hits, and counted as off */
void rt_profile_off(struct rt_ctx *c);
/* WARNING: on stderr, at once; one line, with or without \n at its end */
void rt_warn(struct rt_ctx *c, struct rt_str text);

/* a shell command, run by the consumer while the script goes on */
void rt_system(struct rt_ctx *c, struct rt_str command);
/* output continues in the next file of -S */
void rt_switch_file(struct rt_ctx *c);
/* a line in the kernel's log */
void rt_printk(struct rt_ctx *c, s64 level, struct rt_str text);
/* a line in the kernel's trace buffer */
void rt_ftrace(struct rt_ctx *c, struct rt_str text);
void rt_raise(struct rt_ctx *c, s64 signal);			/* to the current thread */
/* busy-waits: the CPU, or the user runtime, does nothing else */
void rt_mdelay(struct rt_ctx *c, s64 ms);
void rt_udelay(struct rt_ctx *c, s64 us);
void rt_panic(struct rt_ctx *c, struct rt_str text);		/* the machine stops */
void rt_dump_stack(struct rt_ctx *c);				/* to the kernel's log */

/* ---- information for handlers (builtins.def) --------------------------------*/

struct rt_str rt_execname(struct rt_ctx *c);
s64 rt_pid(struct rt_ctx *c);
s64 rt_tid(struct rt_ctx *c);
s64 rt_thread(struct rt_ctx *c);			/* pid << 32 | tid */
s64 rt_ppid(struct rt_ctx *c);
s64 rt_uid(struct rt_ctx *c);
s64 rt_gid(struct rt_ctx *c);
s64 rt_euid(struct rt_ctx *c);
s64 rt_egid(struct rt_ctx *c);
/* process group and session, by their leaders' ids */
s64 rt_pgrp(struct rt_ctx *c);
s64 rt_sid(struct rt_ctx *c);
/* 1: pid is the target, or in its process tree */
s64 rt_target_set_pid(struct rt_ctx *c, s64 pid);
/* The same as the process itself sees them, in its innermost namespaces. */
s64 rt_ns_pid(struct rt_ctx *c);
s64 rt_ns_tid(struct rt_ctx *c);
s64 rt_ns_ppid(struct rt_ctx *c);
s64 rt_ns_pgrp(struct rt_ctx *c), rt_ns_sid(struct rt_ctx *c);
s64 rt_ns_uid(struct rt_ctx *c), rt_ns_gid(struct rt_ctx *c), rt_ns_euid(struct rt_ctx *c),
	rt_ns_egid(struct rt_ctx *c);
s64 rt_probing_32bit_app(struct rt_ctx *c);
/* 1: the thread is in a system call with a 32-bit program's numbers */
s64 rt_compat_call(struct rt_ctx *c);
struct rt_str rt_pid2execname(struct rt_ctx *c, s64 pid);	/* "": no such process */
/* 0, 1: start and end of the arguments; 2, 3: of the environment */
s64 rt_mm_address(struct rt_ctx *c, s64 which);
s64 rt_cpu(struct rt_ctx *c);
s64 rt_target(struct rt_ctx *c);
/* wall clock; in the user runtime at the hit, not at the call */
s64 rt_gettimeofday_ns(struct rt_ctx *c);
s64 rt_gettimeofday_us(struct rt_ctx *c);
s64 rt_gettimeofday_ms(struct rt_ctx *c);
s64 rt_gettimeofday_s(struct rt_ctx *c);
s64 rt_get_cycles(struct rt_ctx *c);
s64 rt_local_clock_ns(struct rt_ctx *c);			/* this CPU's scheduler clock */
/* another CPU's; 0: there is no such CPU */
s64 rt_cpu_clock_ns(struct rt_ctx *c, s64 cpu);
/* monotonic; rt_hit_ns(): before the handler waited for its locks */
s64 rt_ktime_get_ns(struct rt_ctx *c), rt_hit_ns(struct rt_ctx *c);
s64 rt_jiffies(struct rt_ctx *c);
s64 rt_HZ(void);						/* jiffies in a second */
struct rt_str rt_ctime(struct rt_ctx *c, s64 epoch);		/* 24 characters, UTC */
struct rt_str rt_errno_str(struct rt_ctx *c,
			   s64 number); /* "ENOENT" for 2 and -2; "E#3333" where there is none */
/* its absolute value if it is an error number, else 0 */
s64 rt_errno_p(s64 number);
s64 rt_randint(struct rt_ctx *c, s64 n);			/* 0 ... n - 1; 0 for n below 1 */
/* PID of the process that runs the script */
s64 rt_stp_pid(void);
/* 1: the current process belongs to the user that runs the script */
s64 rt_is_myproc(struct rt_ctx *c);
void rt_own_process_only(struct rt_ctx *c);			/* an error if it does not */
/* that user's local time: seconds west of UTC */
s64 rt_tz_gmtoff(void);
struct rt_str rt_tz_name(void);
struct rt_str rt_module_name(void);
struct rt_str rt_machine(void);					/* from struct wire_about */
/* this probe's point, as written in the script */
struct rt_str rt_pn(struct rt_ctx *c);
struct rt_str rt_pp(struct rt_ctx *c);				/* this probe's point, resolved */
struct rt_str rt_ppfunc(struct rt_ctx *c);			/* its function part, or "" */
/* interrupted or probed kernel address; 0 without registers */
s64 rt_addr(struct rt_ctx *c);
/* user address at which the thread was; 0: unknown */
s64 rt_uaddr(struct rt_ctx *c);
/* 1: the registers are those of user mode */
s64 rt_user_mode(struct rt_ctx *c);
struct rt_str rt_phase(struct rt_ctx *c); /* the phase that the current process reports; "": none */
s64 rt_registers_valid(struct rt_ctx *c);			/* 1: register() has registers */
/*
 * Kernel runtime only (RT_CAP_KERNEL). Registers by name; u_: as user code left them. Fail: unknown
 * name, no registers here.
 */
s64 rt_register(struct rt_ctx *c, struct rt_str name);
s64 rt_u_register(struct rt_ctx *c, struct rt_str name);
s64 rt_stack_size(struct rt_ctx *c);				/* bytes of kernel stack */
s64 rt_stack_used(struct rt_ctx *c);
/* address of the script's struct module */
s64 rt_this_module(void);
/* address of a struct task_struct */
s64 rt_task_current(struct rt_ctx *c);
struct rt_str rt_task_backtrace(
	struct rt_ctx *c,
	s64 task); /* kernel runtime only; "" for no task, or one that runs elsewhere */
s64 rt_pid2task(struct rt_ctx *c, s64 pid);			/* 0: no such process */
struct rt_str rt_symname(struct rt_ctx *c, s64 addr); /* "vfs_read"; unknown: "0xffff..." */
struct rt_str rt_symdata(struct rt_ctx *c, s64 addr);		/* "vfs_read+0x12/0x340 [kernel]" */
struct rt_str rt_modname(struct rt_ctx *c,
			 s64 addr); /* "kernel" or the module's name; else fails */
struct rt_str rt_usymname(struct rt_ctx *c, s64 addr);		/* in the current process */
struct rt_str rt_usymdata(struct rt_ctx *c, s64 addr);		/* "main+0x8/0x40 [/usr/bin/xz]" */
struct rt_str rt_symdata_return(struct rt_ctx *c, s64 addr),
	rt_usymdata_return(struct rt_ctx *c, s64 addr); /* of the call */
/* With DWARF; otherwise the address. */
struct rt_str rt_symfile(struct rt_ctx *c, s64 addr);		/* "/src/fs/read_write.c" */
struct rt_str rt_symline(struct rt_ctx *c, s64 addr);		/* "457" */
struct rt_str rt_symfileline(struct rt_ctx *c, s64 addr);	/* "/src/fs/read_write.c:457" */
struct rt_str rt_usymfile(struct rt_ctx *c, s64 addr);
struct rt_str rt_usymline(struct rt_ctx *c, s64 addr);
struct rt_str rt_usymfileline(struct rt_ctx *c, s64 addr);
/* the image that contains the address: kernel, a module or a file's path; else "" */
struct rt_str rt_associate_image(
	struct rt_ctx *c,
	s64 addr);
struct rt_str rt_umodname(struct rt_ctx *c, s64 addr);		/* the image's path; else fails */

/* ---- stacks -------------------------------------------------------------------
 *
 * A stack is walked once per hit, when it is first used; innermost first: where the thread was,
 * then return addresses.
 */
struct rt_str rt_backtrace(struct rt_ctx *c); /* "0x... 0x... ", an interned string */
struct rt_str rt_ubacktrace(struct rt_ctx *c);
/* address n, from 0; fails beyond the end */
s64 rt_stack(struct rt_ctx *c, s64 n);
s64 rt_ustack(struct rt_ctx *c, s64 n);
/*
 * One line per frame: " 0xADDR : symbol+0xOFF/0xSIZE [image]"; the reader finds the names of
 * printed stacks if it can.
 */
void rt_print_backtrace(struct rt_ctx *c);
void rt_print_ubacktrace(struct rt_ctx *c);
void rt_print_backtrace_fileline(
	struct rt_ctx *c); /* with " at FILE:LINE", and lines for inlined calls */
void rt_print_ubacktrace_fileline(struct rt_ctx *c);
void rt_print_ubacktrace_brief(struct rt_ctx *c);		/* "symbol+0xOFF" */
struct rt_str rt_sprint_backtrace(struct rt_ctx *c);		/* lines "symbol+0xOFF [image]" */
struct rt_str rt_sprint_ubacktrace(struct rt_ctx *c);
/* what rt_print_backtrace_fileline() prints */
struct rt_str rt_sprint_backtrace_fileline(struct rt_ctx *c);
struct rt_str rt_sprint_ubacktrace_fileline(struct rt_ctx *c);

/* ---- values: the code for $x->y ----------------------------------------------
 *
 * kind is a size in bytes, 1 2 4 8, negative for signed types: the value is extended from it to 64
 * bits.  Reads never fault: a bad address fails with "read fault [man error::fault] at 0x...".  n
 * counts from 0 in rt_arg(), from 1 in the functions that scripts call.
 */
/* argument n of the probed function by the ABI, or of the tracepoint */
s64 rt_arg(struct rt_ctx *c, s64 n, s64 kind);
/*
 * @entry: values of the call that ends here, in the call's own memory. The keeper, at the entry,
 * sets them and calls rt_keep() last: without that the call's return is no hit. The member is the
 * value's kind.
 */
union rt_kept {
	s64		l;
	struct rt_strvar s;
};
struct rt_keeping {		/* c->hit begins with it in a probe with RT_CAP_KEPT */
	union rt_kept	*kept;
	int		done;
};
static inline union rt_kept *rt_kept(struct rt_ctx *c)
{
	return ((struct rt_keeping *)c->hit)->kept;
}
static inline void rt_keep(struct rt_ctx *c) { ((struct rt_keeping *)c->hit)->done = 1; }
s64 rt_returned(struct rt_ctx *c, s64 kind);			/* only in a probe at a return */
s64 rt_returned_high(struct rt_ctx *c);				/* the second 8 bytes of a struct */
/* by DWARF number; for a probe inside a function */
s64 rt_dwarf_register(struct rt_ctx *c, s64 n);
/*
 * Kernel runtime only, with -g. A bad address fails with "write fault [man error::fault] at 0x...".
 */
void rt_store(struct rt_ctx *c, s64 at, s64 kind, s64 value);
/* field: size << 16 | shift << 8 | width, in bytes and bits */
void rt_store_bits(struct rt_ctx *c, s64 at, s64 field, s64 value);
/* n from 1; an argument in a register */
void rt_set_arg(struct rt_ctx *c, s64 n, s64 value);
void rt_set_returnval(struct rt_ctx *c, s64 value);
void rt_set_dwarf_register(struct rt_ctx *c, s64 n, s64 value);
s64 rt_load(struct rt_ctx *c, s64 at, s64 kind);			/* kernel memory */
/* the current process's memory; the user runtime reads it late */
s64 rt_user_load(struct rt_ctx *c, s64 at, s64 kind);
/* the same, and 0 where it cannot be read, which is then no error */
s64 rt_load_or_zero(struct rt_ctx *c, s64 at, s64 kind);
s64 rt_user_load_or_zero(struct rt_ctx *c, s64 at, s64 kind);
void rt_user_store(struct rt_ctx *c, s64 at, s64 kind, s64 value);	/* kernel runtime only */
/* user runtime only: a field of a tracepoint's record, by tracefs */
s64 rt_field(struct rt_ctx *c, s64 offset, s64 kind);
/* an array of `bytes` char; 0: __data_loc, -1: __rel_loc */
struct rt_str rt_field_string(struct rt_ctx *c, s64 offset, s64 bytes);
/* argument n, from 1, of the system call that the task is in */
s64 rt_syscall_arg(struct rt_ctx *c, s64 n);
s64 rt_syscall_number(struct rt_ctx *c);			/* number of that system call */
/* in a uprobe: the address in this process of a link-time address of the probed file */
s64 rt_user_address(struct rt_ctx *c, s64 linked);
s64 rt_narrow(s64 value, s64 kind);
/* address of rt_script.symbols[n] */
s64 rt_symbol(struct rt_ctx *c, s64 n);
/* 1: that address of the kernel's stack, from 0, is rt_script.symbols[n] */
s64 rt_called(struct rt_ctx *c, s64 frame, s64 n);
/* a bitfield of a loaded value; width negative: signed */
s64 rt_bits(s64 value, s64 shift, s64 width);
s64 rt_int_arg(struct rt_ctx *c, s64 n);
s64 rt_uint_arg(struct rt_ctx *c, s64 n);
s64 rt_long_arg(struct rt_ctx *c, s64 n);
s64 rt_returnval(struct rt_ctx *c);
s64 rt_kernel_char(struct rt_ctx *c, s64 at);
s64 rt_kernel_short(struct rt_ctx *c, s64 at);
s64 rt_kernel_int(struct rt_ctx *c, s64 at);
s64 rt_kernel_long(struct rt_ctx *c, s64 at);
/*
 * Up to the first NUL, at most maxstring - 1 (or n) bytes, in the arena. A bad address fails, or
 * gives `instead`.
 */
struct rt_str rt_kernel_string(struct rt_ctx *c, s64 at);
struct rt_str rt_kernel_string_n(struct rt_ctx *c, s64 at, s64 n);
struct rt_str rt_kernel_string_or(struct rt_ctx *c, s64 at, struct rt_str instead);
struct rt_str rt_user_string(struct rt_ctx *c, s64 at);
struct rt_str rt_user_string_n(struct rt_ctx *c, s64 at, s64 n);
struct rt_str rt_user_string_or(struct rt_ctx *c, s64 at, struct rt_str instead);
/*
 * n bytes, or up to the first NUL when n < 0, escaped and in quotes; the text is at most `room`
 * long (0: maxstring - 1).
 */
struct rt_str rt_kernel_quoted(struct rt_ctx *c, s64 at, s64 n, s64 room);
struct rt_str rt_user_quoted(struct rt_ctx *c, s64 at, s64 n, s64 room);
/*
 * Names of a number: table is "A=1 B=2 C=0/3 ..." (core/names.c). "A|C", or "0x40" if it has no
 * name.
 */
struct rt_str rt_decode_flags(struct rt_ctx *c, s64 value, struct rt_str table);
struct rt_str rt_decode_value(struct rt_ctx *c, s64 value, struct rt_str table);
/* name to number; -1: not in the table */
s64 rt_encode_value(struct rt_str name, struct rt_str table);

/* ---- counters of the PMU: $pmu[i] ---------------------------------------------
 *
 * Counts of rt_script.events[event], 64 bits, from 0: of the current thread, while it was on a CPU
 * since its first query; of this CPU since the start.  Fail: more threads than can be counted, a
 * CPU without that counter, a hit without counts (begin and end probes of the user runtime).
 */
s64 rt_pmu(struct rt_ctx *c, s64 event);
s64 rt_pmu_system(struct rt_ctx *c, s64 event);
/*
 * Counts a thread from its start. thread: a task_struct, in the user runtime a thread ID; it has
 * not run yet. Fails for more threads than can be counted.
 */
void rt_count_thread(struct rt_ctx *c, s64 thread);
/*
 * "exact", or "partial": on some CPU, or for some of the time, the event was not counted. Counts
 * are not scaled up.
 */
struct rt_str rt_pmu_quality(s64 event);

/*
 * Data of a PMU sample, if the hardware provides it; 0: it does not, or there are fewer branches.
 */
enum rt_sampled { RT_SAMPLED_ADDR, RT_SAMPLED_LATENCY, RT_SAMPLED_INSTRUCTION, RT_SAMPLED_RETIRE,
		  RT_SAMPLED_SOURCE };
#define RT_BRANCHES 32
/*
 * the address of the data that was accessed; the latency of that, in cycles; cycles from when the
 * instruction was issued to its result, and from then to its retirement (union perf_sample_weight);
 * where the data was (union perf_mem_data_src)
 */
s64 rt_sampled(struct rt_ctx *c, s64 what);
/* That in words: "load L3 hit, snoop hitm, dTLB L2 hit, locked"; "": nothing is known. */
struct rt_str rt_mem_source(struct rt_ctx *c, s64 source);
/* the n-th last branch that was taken, from 0 */
s64 rt_branch_from(struct rt_ctx *c, s64 n);
s64 rt_branch_to(struct rt_ctx *c, s64 n);
s64 rt_branch_missed(struct rt_ctx *c, s64 n);		/* 1: it was predicted wrongly */
s64 rt_branch_cycles(struct rt_ctx *c, s64 n);		/* since the branch before; 0: not known */

/* ---- floors: what a stopwatch reads for an empty function ----------------------
 *
 * Empty functions of ours are called when a run starts, with the same probes and handlers as each
 * stopwatch has. Their readings are kept here: rt_script.nfloors of them, one for the time and one
 * for each counter of a stopwatch.
 */
/* functions of a kind: one per stopwatch, so that they do not measure each other */
#define RT_EMPTIES	8
/* reached by the kernel fast or slowly; both again with instructions that return probed */
#define RT_EMPTY_KINDS	4
/* the call ends in another thread than it began in, or that is not known */
enum rt_mixed { RT_MIXED_TIME = 1, RT_MIXED_COUNTS = 2 };
#define RT_EMPTY_CALLS	255	/* readings of each */
#define RT_EMPTY_AT_ONCE 3	/* calls of a module's function in one system call */

/* owner of the function: the module, or the consumer */
enum rt_calibrates { RT_EMPTY_KERNEL = 1, RT_EMPTY_PROGRAM };

/* 1: this hit is of such a function; stopwatch: the translator's number */
s64 rt_calibrating(struct rt_ctx *c, s64 stopwatch);
/* 1: the kernel reaches this probe slowly (core/floor.c) */
s64 rt_is_slow(struct rt_ctx *c, s64 stopwatch);
s64 rt_instructions(struct rt_ctx *c, s64 stopwatch);		/* 1: RT_WAY_INSTRUCTIONS */
/* enum rt_mixed: readings that are not of the call's thread alone */
s64 rt_mixed(struct rt_ctx *c, s64 stopwatch);
/*
 * The same for what the current thread counted since `ns`, a time of rt_ktime_get_ns(). Before its
 * first query in this handler: all of it, if the thread was not counted then.
 */
s64 rt_mixed_since(struct rt_ctx *c, s64 ns);
void rt_floor_take(struct rt_ctx *c, s64 floor, s64 value);	/* in a calibrating hit only */
/*
 * For `calls` calls, of which `slow` and `instructions` are of these kinds: the median of one call,
 * and the maximum distance of 9 of 10 from it. 0: nothing was measured.
 */
s64 rt_floor(s64 floor, s64 calls, s64 slow, s64 instructions);
s64 rt_floor_spread(s64 floor, s64 calls, s64 slow, s64 instructions);
/*
 * Calls of a stopwatch's probes: pending at the end; missed; never to return (their thread ended,
 * or longjmp() skipped them); begun. In end and error probes.
 */
s64 rt_calls_in_flight(s64 stopwatch);
s64 rt_calls_missed(s64 stopwatch);
s64 rt_calls_left(s64 stopwatch);
s64 rt_calls_entered(s64 stopwatch);
/*
 * 1: hits were lost since `ns`, a time of rt_ktime_get_ns(), in a script with joins set. 0 in the
 * kernel runtime, which only counts them.
 */
s64 rt_lost_since(s64 ns);

/* ---- $value of procfs probes ---------------------------------------------------*/

struct rt_str rt_procfs_value(void);		/* the text that was written */
void rt_procfs_set(struct rt_str v);		/* the text to be read; truncated at maxsize */
void rt_procfs_append(struct rt_str v);
/* ---- netfilter probes, with -g: what becomes of the packet, NF_DROP 0, NF_ACCEPT 1 ... ------*/
void rt_netfilter_verdict(s64 verdict);

#endif
