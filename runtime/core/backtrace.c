// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * backtrace.c - stacks and names of addresses for scripts. Walking stacks and finding symbol tables
 * is up to the runtime.
 */
#include "runtime/core/backtrace.h"

#include "runtime/core/caller.h"
#include "runtime/core/core.h"
#include "runtime/core/ctx.h"
#include "runtime/core/fmt.h"
#include "runtime/core/output.h"
#include "runtime/core/port.h"
#include "runtime/core/symbol.h"

/* distinct stacks that are kept; further ones are as correct, but cost time */
#define BACKTRACE_KEPT	4096
#define BACKTRACE_SHORT	32		/* strings too short to be kept by reference */

static struct stacks backtrace_kept;
/* atomic */
static u64 backtrace_deep, backtrace_users, backtrace_cut, backtrace_skip, backtrace_uncertain;

int backtrace_load(void)
{
	u32 depth = rt_script.limits.maxbacktrace, maxstring = rt_script.maxstring;
	void *memory;

	backtrace_deep = backtrace_users = backtrace_cut = backtrace_skip = backtrace_uncertain = 0;
	if (!(rt_script.capture & (RT_CAP_STACK | RT_CAP_USTACK)) || maxstring < BACKTRACE_SHORT)
		return 0;
	memory = runtime_alloc(stacks_bytes(BACKTRACE_KEPT, depth, maxstring));
	if (!memory)
		return -ENOMEM;
	stacks_init(&backtrace_kept, memory, BACKTRACE_KEPT, depth, maxstring);
	return 0;
}

void backtrace_unload(void)
{
	runtime_free(backtrace_kept.slot);
	memset(&backtrace_kept, 0, sizeof(backtrace_kept));
}

void backtrace_account(struct wire_summary *sum)
{
	sum->stacks_cut = __atomic_load_n(&backtrace_deep, __ATOMIC_RELAXED);
	sum->stacks = __atomic_load_n(&backtrace_users, __ATOMIC_RELAXED);
	sum->stacks_cut_off = __atomic_load_n(&backtrace_cut, __ATOMIC_RELAXED);
	sum->stacks_skip = __atomic_load_n(&backtrace_skip, __ATOMIC_RELAXED);
	sum->stacks_uncertain = __atomic_load_n(&backtrace_uncertain, __ATOMIC_RELAXED);
}

static void book_one(u64 *book, int condition)
{
	if (condition)
		__atomic_fetch_add(book, 1, __ATOMIC_RELAXED);
}

/* is_deep: it is longer than MAXBACKTRACE. */
static void book(int user, u32 flaws, int is_deep)
{
	book_one(&backtrace_deep, is_deep);
	book_one(&backtrace_users, user);
	book_one(&backtrace_cut, flaws & STACK_CUT && !is_deep);
	book_one(&backtrace_skip, flaws & STACK_SKIPS);
	book_one(&backtrace_uncertain, flaws & STACK_UNCERTAIN);
}

u32 backtrace_take(struct rt_ctx *c, int user)
{
	u16 took = user ? RT_TOOK_USTACK : RT_TOOK_STACK;
	u32 n, flaws = 0, max = rt_script.limits.maxbacktrace;

	if (!(c->taken & took)) {
		c->taken |= took;
		n = runtime_stack(c, user, c->frames[user], max, &flaws);
		if (n)
			book(user, flaws, n > max);
		c->depth[user] = (u16)(n > max ? max : n);
	}
	return c->depth[user];
}

struct stack *backtrace_keep(struct rt_ctx *c, int user)
{
	u32 n = backtrace_take(c, user);

	return n && backtrace_kept.slot ? stacks_keep(&backtrace_kept, c->frames[user], n) : 0;
}

struct stack *backtrace_ship(struct rt_ctx *c, int user)
{
	struct stack *k = backtrace_keep(c, user);

	if (!k || __atomic_load_n(&k->shipped, __ATOMIC_RELAXED))
		return k;
	if (c->level == RT_LEVEL_NMI ||
	    !runtime_message(WIRE_STACK, 0, &k->told, sizeof(k->told) + 8U * k->told.depth))
		return 0;
	__atomic_store_n(&k->shipped, 1, __ATOMIC_RELAXED);
	return k;
}

u8 *backtrace_value(struct rt_ctx *c, int user, u8 *at, const u8 *end, int anyway)
{
	u32 n = backtrace_take(c, user);
	const struct stack *k = backtrace_ship(c, user);
	struct wire_stack *s = (struct wire_stack *)at;
	u64 room = (u64)(end - at);

	if (k)
		n = 0;
	if (sizeof(*s) + 8ULL * n > room) {
		if (!anyway)
			return 0;
		book_one(&backtrace_deep, 1);
		if (room < sizeof(*s))
			return at;
		n = (u32)((room - sizeof(*s)) / 8);
	}
	*s = (struct wire_stack){ .number = k ? k->told.number : 0, .depth = (u16)n, .user = (u8)user,
				  .pid = user ? (s32)rt_pid(c) : 0 };
	memcpy(s->ip, c->frames[user], 8ULL * n);
	return (u8 *)(s->ip + n);
}

static void names_count(struct rt_ctx *c, int known)
{
	c->names++;
	c->names_unknown += !known;
}

/* ---- strings ------------------------------------------------------------------*/

/* A text under construction at the end of the arena; at most a string's length. */
static struct sink lines_begin(struct rt_ctx *c)
{
	u32 room = c->arena_size - c->arena_used;

	return (struct sink){ .p = c->arena + c->arena_used,
			      .size = room < rt_script.maxstring - 1 ? room
								     : rt_script.maxstring - 1 };
}

static struct rt_str lines_end(struct rt_ctx *c, const struct sink *s)
{
	if (s->cut && s->size < rt_script.maxstring - 1)
		ctx_fail(c, RUN_STRINGS);
	c->arena_used += s->used;
	return (struct rt_str){ s->p, (u16)s->used, 0 };
}

struct rt_str backtrace_hex(struct rt_ctx *c, const u64 *ip, u32 n)
{
	struct sink s = lines_begin(c);
	u32 i;

	for (i = 0; i < n; i++)
		symbol_print(&s, 0, 0, ip[i], SYMBOL_HEX);
	return lines_end(c, &s);
}

static struct rt_str stack_lines(struct rt_ctx *c, int user, u32 style)
{
	struct sink s = lines_begin(c);
	u32 i, n = backtrace_take(c, user);
	int called = 0;

	for (i = 0; i < n; i++) {
		u64 addr = c->frames[user][i], at = 0;
		const struct wire_symtab *t =
			style == SYMBOL_HEX ? 0 : runtime_symbols(c, user, addr, &at);

		symbol_print(&s, t, at, addr, called ? style | SYMBOL_RETURN : style);
		if (style != SYMBOL_HEX && addr != STACK_GAP)
			names_count(c,
				    t && (called ? symtab_find_return(t, at) : symtab_find(t, at)));
		called = !t || !symtab_interrupts(t, at);
	}
	return lines_end(c, &s);
}

static struct rt_str stack_string(struct rt_ctx *c, int user)
{
	const struct stack *k = backtrace_keep(c, user);

	if (!k)
		return stack_lines(c, user, SYMBOL_HEX);
	return (struct rt_str){ stack_text(k), (u16)k->len, k->text_hash };
}

/*
 * After a function's return the stack holds only its caller: the function itself is printed before
 * that, in SystemTap's words.
 */
static void print_kernel_stack(struct rt_ctx *c, u32 style)
{
	u64 from = backtrace_take(c, 0) ? runtime_returned(c) : 0;

	if (from) {
		output_text(c, "Returning from: ", 16);
		runtime_print_address(c, from, style);
		output_text(c, "Returning to  : ", 16);
	}
	runtime_print_stack(c, 0, style);
}

struct rt_str rt_backtrace(struct rt_ctx *c) { return stack_string(c, 0); }
struct rt_str rt_ubacktrace(struct rt_ctx *c) { return stack_string(c, 1); }
struct rt_str rt_sprint_backtrace(struct rt_ctx *c) { return stack_lines(c, 0, SYMBOL_SIMPLE); }
struct rt_str rt_sprint_ubacktrace(struct rt_ctx *c) { return stack_lines(c, 1, SYMBOL_SIMPLE); }
struct rt_str rt_sprint_backtrace_fileline(struct rt_ctx *c)
{
	return stack_lines(c, 0, SYMBOL_FILELINE);
}
struct rt_str rt_sprint_ubacktrace_fileline(struct rt_ctx *c)
{
	return stack_lines(c, 1, SYMBOL_FILELINE);
}
void rt_print_backtrace(struct rt_ctx *c) { print_kernel_stack(c, SYMBOL_LINE); }
void rt_print_ubacktrace(struct rt_ctx *c) { runtime_print_stack(c, 1, SYMBOL_LINE); }
void rt_print_backtrace_fileline(struct rt_ctx *c) { print_kernel_stack(c, SYMBOL_FILELINE); }
void rt_print_ubacktrace_fileline(struct rt_ctx *c) { runtime_print_stack(c, 1, SYMBOL_FILELINE); }
void rt_print_ubacktrace_brief(struct rt_ctx *c) { runtime_print_stack(c, 1, SYMBOL_BRIEF); }

static s64 stack_frame(struct rt_ctx *c, int user, s64 n)
{
	u32 depth = backtrace_take(c, user);

	if (n >= 0 && n < depth)
		return (s64)c->frames[user][n];
	ctx_fail(c, RUN_UNWIND);
	return 0;
}

s64 rt_called(struct rt_ctx *c, s64 frame, s64 n)
{
	return frame >= 0 && frame < backtrace_take(c, 0) &&
	       runtime_is_symbol(c, n, c->frames[0][frame]);
}

s64 rt_stack(struct rt_ctx *c, s64 n) { return stack_frame(c, 0, n); }
s64 rt_ustack(struct rt_ctx *c, s64 n) { return stack_frame(c, 1, n); }

/* ---- names --------------------------------------------------------------------*/

/* An interned text. */
static struct rt_str kept_text(const char *p)
{
	u64 len = strlen(p);

	return (struct rt_str){ p, (u16)(len < rt_script.maxstring ? len : rt_script.maxstring - 1),
				0 };
}

/*
 * True if addr is a return address in the stack that the hit has taken; `or` if addr is not in it.
 */
static int is_return(struct rt_ctx *c, int user, u64 addr, int or)
{
	u32 i, n = c->taken & (user ? RT_TOOK_USTACK : RT_TOOK_STACK) ? c->depth[user] : 0;
	const struct wire_symtab *t;
	u64 at = 0;

	for (i = 0; i < n && c->frames[user][i] != addr; i++)
		;
	if (i == n || !i)
		return i == n && or;
	t = runtime_symbols(c, user, c->frames[user][i - 1], &at);
	return !t || !symtab_interrupts(t, at);
}

static struct rt_str name_of(struct rt_ctx *c, int user, s64 addr, u32 style)
{
	u64 at = 0;
	const struct wire_symtab *t = runtime_symbols(c, user, (u64)addr, &at);
	int returns = is_return(c, user, (u64)addr, !!(style & SYMBOL_RETURN));
	const struct wire_symbol *sym = !t ? 0
					: returns ? symtab_find_return(t, at)
					: symtab_find(t, at);
	struct sink s;

	names_count(c, sym != 0);
	if (sym && style == SYMBOL_NAME)
		return kept_text(symtab_text(t, sym->name));
	s = lines_begin(c);
	symbol_print(&s, t, at, (u64)addr,
		     (style & ~(u32)SYMBOL_RETURN) | (returns ? SYMBOL_RETURN : 0));
	return lines_end(c, &s);
}

struct rt_str rt_symname(struct rt_ctx *c, s64 addr) { return name_of(c, 0, addr, SYMBOL_NAME); }
struct rt_str rt_symdata(struct rt_ctx *c, s64 addr) { return name_of(c, 0, addr, SYMBOL_DATA); }
struct rt_str rt_usymname(struct rt_ctx *c, s64 addr) { return name_of(c, 1, addr, SYMBOL_NAME); }
struct rt_str rt_usymdata(struct rt_ctx *c, s64 addr) { return name_of(c, 1, addr, SYMBOL_DATA); }
struct rt_str rt_symdata_return(struct rt_ctx *c, s64 addr)
{
	return name_of(c, 0, addr, SYMBOL_DATA | SYMBOL_RETURN);
}
struct rt_str rt_usymdata_return(struct rt_ctx *c, s64 addr)
{
	return name_of(c, 1, addr, SYMBOL_DATA | SYMBOL_RETURN);
}

/*
 * The source position of an address: "file", "line" or "file:line"; the address if it is not known.
 */
static struct rt_str place_of(struct rt_ctx *c, int user, s64 addr, u32 parts)
{
	u64 at = 0;
	const struct wire_symtab *t = runtime_symbols(c, user, (u64)addr, &at);
	const struct wire_line *l =
		t ? symtab_line(t, at - (u64)is_return(c, user, (u64)addr, 0)) : 0;
	struct sink s;

	names_count(c, l != 0);
	if (l && parts == SYMBOL_FILE)
		return kept_text(symtab_text(t, l->file));
	s = lines_begin(c);
	symbol_place(&s, t, l, (u64)addr, parts);
	return lines_end(c, &s);
}

struct rt_str rt_symfile(struct rt_ctx *c, s64 addr) { return place_of(c, 0, addr, SYMBOL_FILE); }
struct rt_str rt_symline(struct rt_ctx *c, s64 addr) { return place_of(c, 0, addr, SYMBOL_LINE_NUMBER); }
struct rt_str rt_symfileline(struct rt_ctx *c, s64 addr)
{
	return place_of(c, 0, addr, SYMBOL_FILE | SYMBOL_LINE_NUMBER);
}
struct rt_str rt_usymfile(struct rt_ctx *c, s64 addr) { return place_of(c, 1, addr, SYMBOL_FILE); }
struct rt_str rt_usymline(struct rt_ctx *c, s64 addr) { return place_of(c, 1, addr, SYMBOL_LINE_NUMBER); }
struct rt_str rt_usymfileline(struct rt_ctx *c, s64 addr)
{
	return place_of(c, 1, addr, SYMBOL_FILE | SYMBOL_LINE_NUMBER);
}

/* The module or image of an address; NULL: unknown. */
static const char *image_of(struct rt_ctx *c, int user, s64 addr)
{
	u64 at = 0;
	const struct wire_symtab *t = runtime_symbols(c, user, (u64)addr, &at);

	return symtab_image(t, at, user);
}

static struct rt_str image_or_fail(struct rt_ctx *c, int user, s64 addr, const char *what)
{
	const char *name = image_of(c, user, addr);

	if (!name)
		ctx_fail_with(c, RUN_IMAGE_NAME, what);
	return kept_text(name ? name : "");
}

struct rt_str rt_modname(struct rt_ctx *c, s64 addr)
{
	return image_or_fail(c, 0, addr, "kernel module");
}
struct rt_str rt_umodname(struct rt_ctx *c, s64 addr)
{
	return image_or_fail(c, 1, addr, "module");
}

/* Kernel addresses have the top bit set. */
struct rt_str rt_associate_image(struct rt_ctx *c, s64 addr)
{
	const char *name = image_of(c, addr >= 0, addr);

	return kept_text(name ? name : "");
}
