/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usernop.c - see usernop.h.
 *
 * A nop changes nothing. So the instruction after it can be probed instead if it is reached only
 * through the nop, and a one-byte nop before it if the 5-byte nop is reached only through that one:
 * that is, if no branch leads to the second of the two. The whole function is decoded, with the
 * parts that the compiler has moved elsewhere (NAME.cold), and all code close enough for a short
 * branch; long branches are searched in the whole file. With a jump through a register or a table,
 * nothing is proven.
 */
#include "translator/debuginfo/usernop.h"

#include "translator/debuginfo/debuginfo.h"
#include "translator/debuginfo/userbranch.h"

#include <gelf.h>
#include <string.h>

#define NOP5	5
#define REACH	120		/* bytes examined after the nop: more nops may follow */
#define SHORT	130		/* bytes that an 8-bit branch reaches, its own included */

/* ---- recognizing nops -------------------------------------------------------------*/

static const guint8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };

static int has_sib(const guint8 *p)
{
	return *p >> 6 != 3 && (*p & 7) == 4;
}

/* Bytes of ModRM, SIB and displacement. */
static gsize modrm_bytes(const guint8 *p)
{
	guint mod = *p >> 6, base = has_sib(p) ? p[1] & 7 : *p & 7;

	if (mod == 3)
		return 1;
	return 1u + (gsize)has_sib(p) + (mod == 1 ? 1 : mod == 2 || base == 5 ? 4 : 0);
}

/* The instruction's prefixes. */
struct prefixes {
	guint8	rex;			/* 0: none */
	int	half, address;		/* 0x66, 0x67 */
};

/* A 32-bit operation would clear the upper half of the register. */
static int keeps_register(const struct prefixes *x)
{
	return x->rex & 8 || x->half;
}

/* mov or xchg of a register with itself; rex: 0 or the byte. */
static int is_same(const guint8 *p, guint8 rex)
{
	return *p >> 6 == 3 && (*p >> 3 & 7) == (*p & 7) && !(rex >> 2 & 1) == !(rex & 1);
}

/* lea 0(%reg),%reg */
static int is_itself(const guint8 *p, guint8 rex)
{
	guint mod = *p >> 6, base = has_sib(p) ? p[1] & 7 : *p & 7;
	gsize n = modrm_bytes(p), at = 1 + (gsize)has_sib(p);

	if (mod == 0 || mod == 3 || (*p >> 3 & 7) != base || !(rex >> 2 & 1) != !(rex & 1) ||
	    (has_sib(p) && (p[1] & 0x38) != 0x20))
		return 0;
	while (at < n && !p[at])
		at++;
	return at == n;
}

/*
 * Kernels recognize more kinds of nops from release to release: this covers all instructions
 * without effect, including the jump to the next one. It does not check whether they are in one
 * page, as the kernel's CALL requires today. EXCHANGE: Linux 6.18 treats it as a nop, but it is
 * not: xchg %ax,%r8w.
 */
enum kind { NO_NOP, NOP, EXCHANGE };

static enum kind is_nop5(struct userfile *f, guint64 address)
{
	static const char before[] = "\x26\x2e\x36\x3e\x64\x65\x66\x67\xf2\xf3";
	guint8 code[16] = { 0 }, *p = code;
	struct prefixes x = { 0 };
	gsize left;

	if (userfile_bytes(f, address, code, sizeof(code)) < NOP5)
		return NO_NOP;
	for (; p < code + NOP5 - 1 && memchr(before, *p, sizeof(before) - 1); p++) {
		x.half |= *p == 0x66;
		x.address |= *p == 0x67;
	}
	if (p < code + NOP5 - 1 && (*p & 0xf0) == 0x40)
		x.rex = *p++;
	left = (gsize)(code + NOP5 - p);
	switch (*p) {
	case 0x0f:
		return left > 2 && p[1] == 0x1f && left == 2 + modrm_bytes(p + 2);
	case 0x87:
	case 0x89:
	case 0x8b:
		return left == 2 && keeps_register(&x) && is_same(p + 1, x.rex);
	case 0x8d:
		return left > 1 && left == 1 + modrm_bytes(p + 1) && keeps_register(&x) &&
		       !x.address && is_itself(p + 1, x.rex);
	case 0x90:
		return left > 1 ? NO_NOP : x.rex & 1 ? EXCHANGE : NOP;
	case 0xeb:
		return left == 2 && !p[1];
	default:
		return left == NOP5 && !memcmp(p, "\xe9\0\0\0", NOP5);
	}
}

/* ---- the proof --------------------------------------------------------------------*/

struct proof {
	struct userfile *file;
	guint64	nop;
	GPtrArray *around;		/* struct userfile_function: those that contain the nop */
	const struct userfile_function *walked;	/* the one being decoded */
	int	is_part;		/* it contains the nop, or is a part of such a function */
	/* indexed from the byte before the nop: */
	guint8	begins[REACH + 16];	/* length of the instruction that begins there; 0: none */
	guint8	led[REACH + 16];	/* a branch targets it */
	/* indexed from the farthest byte that a short branch to the nop can come from: */
	guint8	decoded[REACH + 2 * SHORT];
	const char *why;
};

static const struct userfile_function *function_of(const GArray *all, guint i)
{
	return &g_array_index(all, struct userfile_function, i);
}

static int covers(const struct userfile_function *f, guint64 address)
{
	return address - f->address < f->size;
}

/* True if it is, or is a part of, a function that contains the nop. */
static int is_part(const struct proof *p, const struct userfile_function *f)
{
	for (guint i = 0; i < p->around->len; i++) {
		const struct userfile_function *g = p->around->pdata[i];

		if (g->address == f->address || debuginfo_is_same(f->name, g->name))
			return 1;
	}
	return 0;
}

static void note_begin(void *data, guint64 address, guint size)
{
	struct proof *p = data;
	guint64 at = address - (p->nop - 1);

	if (covers(p->walked, p->nop) && at < sizeof(p->begins))
		p->begins[at] = (guint8)size;
}

/* True if a known function begins there, or a stub that calls one. */
static int is_known_entry(const struct proof *p, guint64 address)
{
	static const char *const stubs[] = { ".plt", ".plt.sec", ".plt.got" };
	const GArray *all = userfile_all(p->file);
	GElf_Shdr header;

	for (guint i = 0; i < all->len; i++)
		if (function_of(all, i)->address == address)
			return 1;
	for (guint i = 0; i < G_N_ELEMENTS(stubs); i++)
		if (userfile_section(p->file, stubs[i], &header) &&
		    address - header.sh_addr < header.sh_size)
			return 1;
	return 0;
}

/*
 * Code without a symbol may be a part of the function that jumps back, possibly through a table.
 * Compilers also write indirect jumps as thunks.
 */
static int is_part_unknown(const struct proof *p, guint64 target)
{
	struct userfile_function to;

	return !covers(p->walked, target) && !is_known_entry(p, target) &&
	       !(userfile_function_at(p->file, target, &to) && is_part(p, &to));
}

static int is_thunk(const struct proof *p, guint64 target)
{
	const GArray *all = userfile_all(p->file);

	for (guint i = 0; i < all->len; i++) {
		const struct userfile_function *f = function_of(all, i);

		if (f->address == target &&
		    (strstr(f->name, "indirect_thunk") || strstr(f->name, "retpoline")))
			return 1;
	}
	return 0;
}

static void note_branch(void *data, guint64 target, int is_call)
{
	struct proof *p = data;
	guint64 at = target - (p->nop - 1);

	if (target && at < sizeof(p->led))
		p->led[at] = 1;
	if (!p->is_part || p->why || is_call)
		return;
	if (!target || is_thunk(p, target))
		p->why = "an indirect jump of its function may lead anywhere in it";
	else if (is_part_unknown(p, target))
		p->why = "its function jumps to code without a name, which may be a part of it";
}

/* True if one of the function's short branches could reach the examined range. */
static int is_near(const struct proof *p, const struct userfile_function *f)
{
	return f->address < p->nop + REACH + SHORT && f->address + f->size + SHORT > p->nop;
}

/*
 * If no function is known there, or it cannot be decoded, all bytes that could be a short branch
 * (jcc, loop, jrcxz, jmp) count as one.
 */
static void note_undecoded(struct proof *p)
{
	guint8 code[2];

	for (guint i = 0; i < sizeof(p->decoded); i++) {
		guint64 at = p->nop - SHORT + i;

		if (p->decoded[i] ||
		    userfile_bytes(p->file, at, code, sizeof(code)) != sizeof(code))
			continue;
		if ((*code & 0xf0) == 0x70 || (*code & 0xfc) == 0xe0 || *code == 0xeb)
			note_branch(p, at + sizeof(code) + (guint64)(gint64)(gint8)code[1], 0);
	}
}

static void walk_one(struct proof *p, const struct userfile_function *f)
{
	const struct userbranch_visit visit = { note_begin, note_branch, p };
	guint64 at = f->address - (p->nop - SHORT), led = f->address - (p->nop - 1);
	const char *why;

	if (led < sizeof(p->led))
		p->led[led] = 1;		/* its callers may be in other files */
	p->walked = f;
	p->is_part = is_part(p, f);
	if (!f->size || (!p->is_part && !is_near(p, f)))
		return;
	if (!userbranch_walk(p->file, f, &visit, &why)) {
		for (guint64 i = 0; i < f->size; i++)
			if (at + i < sizeof(p->decoded))
				p->decoded[at + i] = 1;
	} else if (p->is_part) {
		p->why = why;
	}
}

static void walk_all(struct proof *p)
{
	const GArray *all = userfile_all(p->file);

	for (guint i = 0; i < all->len; i++)
		if (covers(function_of(all, i), p->nop))
			g_ptr_array_add(p->around, (void *)function_of(all, i));
	for (guint i = 0; i < all->len && !p->why; i++)
		walk_one(p, function_of(all, i));
	p->is_part = 0;
	note_undecoded(p);
}

static int is_led_to(const struct proof *p, guint64 address)
{
	return p->led[address - (p->nop - 1)] || userbranch_may_lead(p->file, address);
}

/* True if there is a single nop before it, and no other path to the nop. */
static int serves_before(const struct proof *p)
{
	guint8 code = 0;

	return p->begins[0] == 1 && userfile_bytes(p->file, p->nop - 1, &code, 1) && code == 0x90 &&
	       !is_led_to(p, p->nop);
}

/* Distance from the nop to a usable instruction after it, past further 5-byte nops; 0: none. */
static int serves_behind(const struct proof *p)
{
	for (int at = NOP5; at < REACH && p->begins[1 + at]; at += NOP5) {
		guint64 address = p->nop + (guint64)at;

		if (is_led_to(p, address))
			return 0;
		switch (is_nop5(p->file, address)) {
		case NO_NOP:
			return at;
		case EXCHANGE:
			return 0;
		case NOP:
			break;
		}
	}
	return 0;
}

static enum usernop prove(struct proof *p, int *aside, const char **why)
{
	walk_all(p);
	if (!p->why && p->begins[1] != NOP5)
		p->why = "its function is not known by name and size: install its symbols";
	*why = p->why;
	if (p->why)
		return USERNOP_STUCK;
	*aside = serves_before(p) ? -1 : serves_behind(p);
	*why = "a branch leads to what follows it, or its function ends there";
	return *aside ? USERNOP_BESIDE : USERNOP_STUCK;
}

/* ---- entries ----------------------------------------------------------------------*/

struct again {
	guint64	from, to;	/* the start of a function, with its endbr64 */
	int	jumps;
};

static void note_again(void *data, guint64 target, int is_call)
{
	struct again *a = data;

	a->jumps |= !is_call && target >= a->from && target <= a->to;
}

/* True if a function begins there that is only called, and never jumps back to its beginning. */
static int begins_function(struct userfile *f, guint64 address)
{
	const GArray *all = userfile_all(f);
	guint8 code[sizeof(endbr64)] = { 0 };
	struct again again = { address, address, 0 };
	const struct userbranch_visit visit = { NULL, note_again, &again };
	int begins = 0;
	const char *why;

	if (userfile_bytes(f, address - sizeof(code), code, sizeof(code)) == sizeof(code) &&
	    !memcmp(code, endbr64, sizeof(code)))
		again.from -= sizeof(endbr64);
	for (guint i = 0; i < all->len; i++) {
		const struct userfile_function *one = function_of(all, i);

		if (one->address != address && one->address != again.from) {
			if (covers(one, again.from))
				return 0;	/* inside another function: may be jumped to */
			continue;
		}
		if (debuginfo_is_part(one->name))
			return 0;
		begins = 1;
		/*
		 * Functions that cannot be decoded or have no size are assumed to keep to the ABI.
		 */
		userbranch_walk(f, one, &visit, &why);
	}
	return begins && !again.jumps;
}

enum usernop usernop_find(struct userfile *f, guint64 address, int is_entry, int *aside,
			  const char **why)
{
	struct proof proof = { .file = f, .nop = address };
	struct userfile_function function;
	enum usernop found;
	enum kind kind;

	kind = strcmp(userfile_arch(f), "x86_64") ? NO_NOP : is_nop5(f, address);
	if (kind == NO_NOP || begins_function(f, address) ||
	    (is_entry && !userfile_function_at(f, address, &function)))
		return USERNOP_SAFE;
	*why = "it exchanges registers, and this kernel takes it for a nop";
	if (kind == EXCHANGE)
		return USERNOP_STUCK;
	proof.around = g_ptr_array_new();
	found = prove(&proof, aside, why);
	g_ptr_array_free(proof.around, TRUE);
	return found;
}
