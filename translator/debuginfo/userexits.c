/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userexits.c - see userexits.h.
 *
 * Code is followed from the function's entry along all of its jumps. Code not reached that way must
 * be padding, or begin at an entry of a jump table or at an exception's landing pad. Call frame
 * information distinguishes jumps that end a call from those that do not: a jump cannot end a call
 * where the stack pointer differs from that at the entry.
 */
#include "translator/debuginfo/userexits.h"

#include "translator/debuginfo/debuginfo.h"
#include "translator/debuginfo/disasm.h"
#include "translator/debuginfo/userfde.h"
#include "translator/debuginfo/userframe.h"
#include "translator/debuginfo/usergo.h"
#include "translator/debuginfo/usertable.h"

#define BYTES_MAX	(4u << 20)	/* of a function with its parts */
#define PIECES_MAX	64
#define ROUNDS_MAX	16		/* code reached through tables may use more tables */
/* x86-64's lock prefix; in arm64 code, no jump leads to the byte after such a byte */
#define LOCK		0xf0

enum {
	BEGINS = 1,			/* first byte of a reached instruction */
	GOES_ON = 2,			/* another byte of a reached instruction */
	IS_NAMED = 4,			/* target in a table, or a landing pad */
};

/* The function, or a part of it that is elsewhere. */
struct piece {
	guint64	address, size;
	guint8	*bytes;
	guint8	*marks;			/* BEGINS ..., per byte */
};

/* An address from which code has yet to be followed. */
struct lead {
	guint64	address;
	struct usertable_bound bound;
};

/* An instruction that may be an exit. */
struct end {
	guint64	address, target;
	enum disasm_flow flow;
};

struct search {
	struct userfile *file;
	const struct userfile_function *function;
	struct userexit_entry entry;
	const struct disassembler *decoder;
	struct usertable *tables;
	GPtrArray *pieces;		/* struct piece */
	GArray	*todo;			/* struct lead */
	GArray	*called;		/* guint64, call targets; 0: unknown target */
	GArray	*ends;			/* struct end */
	guint64	instructions;		/* number of reached instructions */
	const char *why;		/* not NULL: the search has failed */
};

/* ---- pieces ------------------------------------------------------------------------*/

static void free_piece(void *data)
{
	struct piece *p = data;

	g_free(p->bytes);
	g_free(p->marks);
	g_free(p);
}

static struct piece *piece_at(const struct search *s, guint64 address)
{
	for (guint i = 0; i < s->pieces->len; i++) {
		struct piece *p = s->pieces->pdata[i];

		if (address - p->address < p->size)
			return p;
	}
	return NULL;
}

/* A symbol without a size may have one in its .eh_frame entry (FDE). */
static guint64 size_of(struct userfile *f, const struct userfile_function *function)
{
	struct userfde fde;

	if (!function->size && userfde_at(f, function->address, &fde) &&
	    fde.address == function->address)
		return fde.size;
	return function->size;
}

static const char *piece_problem(const struct search *s, guint64 address, guint64 size)
{
	guint64 all = size;

	for (guint i = 0; i < s->pieces->len; i++) {
		const struct piece *p = s->pieces->pdata[i];

		all += p->size;
		if (address < p->address + p->size && p->address < address + size)
			return "a part of it overlaps it";
	}
	if (!size)
		return "its size is not known";
	if (size > BYTES_MAX || all > BYTES_MAX || s->pieces->len == PIECES_MAX)
		return "it is too large";
	return NULL;
}

static void add_lead(struct search *s, guint64 address)
{
	const struct lead lead = { address, usertable_bound(s->tables) };

	g_array_append_val(s->todo, lead);
}

static void add_piece(struct search *s, guint64 address, guint64 size)
{
	struct piece *p;

	s->why = piece_problem(s, address, size);
	if (s->why)
		return;
	p = g_new0(struct piece, 1);
	*p = (struct piece){ address, size, g_malloc(size), g_malloc0(size) };
	g_ptr_array_add(s->pieces, p);
	if (!userfile_is_code(s->file, address) ||
	    userfile_bytes(s->file, address, p->bytes, size) != size)
		s->why = "its code cannot be read";
	/* jumps that seemed to leave the function */
	for (guint i = 0; i < s->ends->len; i++) {
		const struct end *e = &g_array_index(s->ends, struct end, i);

		if (e->target && e->target - address < size)
			add_lead(s, e->target);
	}
}

/* True if it is a name of the function or of a part of it. */
static int is_own_name(const struct search *s, const char *name)
{
	const struct userfile_function *f = NULL;

	if (debuginfo_is_same(name, s->function->name))
		return 1;
	while ((f = userfile_around(s->file, s->function->address, f)))
		if (f->address == s->function->address && debuginfo_is_same(name, f->name))
			return 1;
	return 0;
}

/* Adds the part of the function that contains an address. 0: none does. */
static int add_part(struct search *s, guint64 address)
{
	const struct userfile_function *f = NULL;

	while (userfile_is_code(s->file, address) && (f = userfile_around(s->file, address, f)))
		if (f->size && debuginfo_is_part(f->name) && is_own_name(s, f->name)) {
			add_piece(s, f->address, f->size);
			return 1;
		}
	return 0;
}

/*
 * The same for stripped files: a jump that leaves its frame on the stack leads to a part of the
 * function, not to another function's entry.
 */
static int add_nameless_part(struct search *s, guint64 address)
{
	struct userfde fde;

	if (!userfde_at(s->file, address, &fde) ||
	    userframe_stack_at(s->file, address) != USERFRAME_USED)
		return 0;
	add_piece(s, fde.address, fde.size);
	return 1;
}

/* ---- following code ----------------------------------------------------------------*/

static void note_end(struct search *s, const struct disasm *in)
{
	const struct end end = { in->address, in->target, in->flow };

	g_array_append_val(s->ends, end);
}

/*
 * True if the jump leads to a single instruction, which is followed by a jump back to after this
 * one. Linkers replace an instruction this way that a processor would execute wrongly in its place
 * (erratum 843419 of Cortex-A53).
 */
static int is_detour(const struct search *s, const struct disasm *in)
{
	guint8 code[8];
	struct disasm first, back;

	return userfile_bytes(s->file, in->target, code, sizeof(code)) == sizeof(code) &&
	       disasm_one(s->decoder, in->target, code, 4, &first) && first.size == 4 &&
	       first.flow == DISASM_ON &&
	       disasm_one(s->decoder, in->target + 4, code + 4, 4, &back) &&
	       back.flow == DISASM_JUMP && back.target == in->address + in->size;
}

static void note_jump(struct search *s, const struct disasm *in)
{
	if (in->target == s->function->address && in->address == s->entry.again)
		return;
	if (in->target - s->function->address <= s->entry.address - s->function->address) {
		s->why =
			"it jumps back to where it begins, so that its calls cannot be told from its rounds";
		return;
	}
	if (piece_at(s, in->target)) {
		add_lead(s, in->target);
		return;
	}
	if (is_detour(s, in)) {
		add_lead(s, in->address + in->size);
		return;
	}
	note_end(s, in);
	if (add_part(s, in->target) || userframe_stack_at(s->file, in->address) != USERFRAME_USED)
		return;
	if (!add_nameless_part(s, in->target))
		s->why = "a jump leads out of it while its frame is on the stack";
}

/* Records what an instruction does. has_pushed: the instruction before it pushed a value. */
static void visit(struct search *s, const struct disasm *in, int has_pushed)
{
	usertable_note(s->tables, &in->step);
	if (in->memory && piece_at(s, in->memory))
		s->why = "there is data in its code";
	switch (in->flow) {
	case DISASM_CALL:
		g_array_append_val(s->called, in->target);
		break;
	case DISASM_JUMP:
	case DISASM_BRANCH:
		note_jump(s, in);
		break;
	case DISASM_RETURN:
		if (has_pushed)
			s->why = "a return instruction of it is used as a jump";
		note_end(s, in);
		break;
	case DISASM_ANYWHERE:
		note_end(s, in);
		break;
	default:
		break;
	}
}

static int is_reached(const struct piece *p, guint64 i)
{
	return p->marks[i] & (BEGINS | GOES_ON);
}

/* Decodes and marks the instruction at an address not reached before. 0: the search has failed. */
static int take(struct search *s, struct piece *p, guint64 at, struct disasm *in)
{
	guint64 i = at - p->address;

	s->why = "a jump leads into the midst of an instruction";
	if (p->marks[i] & GOES_ON)
		return 0;
	if (!disasm_one(s->decoder, at, p->bytes + i, p->size - i, in)) {
		s->why = "its code cannot be decoded";
		return 0;
	}
	for (guint k = 1; k < in->size; k++)
		if (is_reached(p, i + k))
			return 0;
	s->instructions++;
	p->marks[i] |= BEGINS;
	for (guint k = 1; k < in->size; k++)
		p->marks[i + k] |= GOES_ON;
	s->why = NULL;
	return 1;
}

/*
 * True if an instruction is known to begin there. An instruction with a lock prefix may also be
 * entered after the prefix, as jumps in libc do.
 */
static int is_known(struct piece *p, guint64 i)
{
	if (p->bytes[i] == LOCK && i + 1 < p->size && p->marks[i + 1] & BEGINS)
		p->marks[i] |= BEGINS;
	return p->marks[i] & BEGINS ||
	       (i && p->marks[i] & GOES_ON && p->bytes[i - 1] == LOCK && p->marks[i - 1] & BEGINS);
}

/*
 * Follows consecutive instructions up to known ones. A called function may not return, so code may
 * end after a call, or after padding that follows a call.
 */
static void follow(struct search *s, guint64 at)
{
	struct piece *p = piece_at(s, at);
	struct disasm in = { .flow = DISASM_ON };
	int may_end = 0;

	while (!s->why && in.flow < DISASM_JUMP) {
		int has_pushed = in.pushes;

		if (at == p->address + p->size) {
			if (!may_end)
				s->why = "its code goes on behind its end";
			return;
		}
		if (is_known(p, at - p->address) || !take(s, p, at, &in))
			return;
		visit(s, &in, has_pushed);
		may_end = in.flow == DISASM_CALL || in.flow == DISASM_TRAP ||
			  (may_end && in.is_padding);
		at += in.size;
	}
}

static void follow_all(struct search *s)
{
	while (s->todo->len && !s->why) {
		const struct lead lead = g_array_index(s->todo, struct lead, s->todo->len - 1);

		g_array_set_size(s->todo, s->todo->len - 1);
		usertable_assume(s->tables, lead.bound);
		follow(s, lead.address);
	}
}

/*
 * Compilers use a call into the middle of the function's own code for a jump that must not be
 * predicted (retpoline), or to get the code's address.
 */
static const char *call_problem(const struct search *s, guint64 target)
{
	return target && target != s->function->address && piece_at(s, target)
		       ? "it calls what is amidst its own code"
		       : usergo_call_problem(s->file, s->function->address, target);
}

static void judge_calls(struct search *s)
{
	for (guint i = 0; i < s->called->len && !s->why; i++)
		s->why = call_problem(s, g_array_index(s->called, guint64, i));
}

/* ---- unreached code ----------------------------------------------------------------*/

/* True for the end of a piece: clang uses it in tables as the target of impossible values. */
static int is_behind(const struct search *s, guint64 address)
{
	const struct piece *p = piece_at(s, address - 1);

	return p && address == p->address + p->size;
}

static int name_target(void *data, guint64 target)
{
	struct search *s = data;
	struct piece *p = piece_at(s, target);

	if (!p && add_part(s, target))
		p = piece_at(s, target);
	if (!p)
		return is_behind(s, target);
	p->marks[target - p->address] |= IS_NAMED;
	return 1;
}

/*
 * The distance from an unreached byte to the next instruction, or to the next reached byte.
 */
static guint64 step_over(const struct search *s, const struct piece *p, guint64 i, int *is_padding)
{
	struct disasm in = { 0 };
	guint64 room = p->size - i, n = disasm_zeros(s->decoder, p->bytes + i, room);
	int is_code = !n && disasm_one(s->decoder, p->address + i, p->bytes + i, room, &in);

	*is_padding = n != 0;
	if (*is_padding)
		return n;
	for (n = 1; n < room && !is_reached(p, i + n) && !(is_code && n == in.size);)
		n++;
	*is_padding = is_code && n == in.size && in.is_padding;
	return n;
}

/*
 * Follows code whose address a table names. A table may name an address in the middle of a loop:
 * instruction boundaries are known from the loop's start. Returns the number of bytes that
 * nothing leads to.
 */
static guint64 fill_piece(struct search *s, struct piece *p)
{
	guint64 unknown = 0, i = 0, n;
	int is_padding;

	while (i < p->size && !s->why) {
		if (p->marks[i] == IS_NAMED) {
			follow(s, p->address + i);
			follow_all(s);
		}
		if (p->marks[i]) {
			i++;
			continue;
		}
		n = step_over(s, p, i, &is_padding);
		unknown += is_padding ? 0 : n;
		i += n;
	}
	return unknown;
}

/*
 * Marks where a Go function resumes after a recovered panic: unreached code, directly after reached
 * code.
 */
static void name_recoveries(struct search *s, struct piece *p)
{
	struct disasm in;

	for (guint64 i = 1; i < p->size; i++)
		if (!is_reached(p, i) && is_reached(p, i - 1) &&
		    disasm_one(s->decoder, p->address + i, p->bytes + i, p->size - i, &in) &&
		    in.flow == DISASM_CALL && usergo_recovers(s->file, in.target))
			p->marks[i] |= IS_NAMED;
}

/* Marks the addresses that jump tables and lists of landing pads name. */
static void name_targets(struct search *s)
{
	struct userfde fde;

	usertable_read(s->tables, name_target, s);
	for (guint i = 0; i < s->pieces->len; i++) {
		struct piece *p = s->pieces->pdata[i];

		if (userfde_at(s->file, p->address, &fde))
			userfde_handlers(s->file, &fde, name_target, s);
		if (usergo_of(s->file, p->address) != USERGO_NONE)
			name_recoveries(s, p);
	}
}

static void fill(struct search *s)
{
	guint64 unknown, before;
	int rounds = 0;

	do {
		before = s->instructions;
		unknown = 0;
		if (rounds)
			name_targets(s);
		for (guint i = 0; i < s->pieces->len && !s->why; i++)
			unknown += fill_piece(s, s->pieces->pdata[i]);
	} while (unknown && !s->why && rounds++ < ROUNDS_MAX &&
		 (rounds == 1 || s->instructions > before));
	if (unknown && !s->why)
		s->why = "it is not known how some of its code is reached";
}

/* ---- the result --------------------------------------------------------------------*/

static enum userexit_how how_of(const struct end *e)
{
	return e->flow == DISASM_RETURN ? USEREXIT_RETURNS
	       : e->flow == DISASM_JUMP ? USEREXIT_LEAVES
	       : USEREXIT_MAY_LEAVE;
}

/* True if a call ends there. A return instruction with a frame on the stack is a failure. */
static int is_exit(struct search *s, const struct end *e)
{
	if (e->flow == DISASM_JUMP || e->flow == DISASM_BRANCH)
		return !piece_at(s, e->target);
	if (userframe_stack_at(s->file, e->address) != USERFRAME_USED)
		return 1;
	if (e->flow == DISASM_RETURN)
		s->why = "a return instruction of it is used as a jump";
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct userexit *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static GArray *list_exits(struct search *s)
{
	GArray *exits = g_array_new(FALSE, FALSE, sizeof(struct userexit));

	judge_calls(s);
	for (guint i = 0; i < s->ends->len && !s->why; i++) {
		const struct end *e = &g_array_index(s->ends, struct end, i);
		const struct userexit one = { e->address, how_of(e) };

		if (is_exit(s, e))
			g_array_append_val(exits, one);
	}
	if (s->why) {
		g_array_unref(exits);
		return NULL;
	}
	g_array_sort(exits, by_address);
	return exits;
}

GArray *userexits_find(struct userfile *f, const struct userfile_function *function,
		       struct userexit_entry entry, const char **why)
{
	struct search s = { .file = f,
			    .function = function,
			    .entry = entry,
			    .decoder = disasm_open(userfile_arch(f), why) };
	GArray *exits = NULL;

	if (!s.decoder)
		return NULL;
	s.tables = usertable_new(f);
	s.pieces = g_ptr_array_new_with_free_func(free_piece);
	s.todo = g_array_new(FALSE, FALSE, sizeof(struct lead));
	s.called = g_array_new(FALSE, FALSE, sizeof(guint64));
	s.ends = g_array_new(FALSE, FALSE, sizeof(struct end));
	add_piece(&s, function->address, size_of(f, function));
	add_lead(&s, function->address);
	follow_all(&s);
	judge_calls(&s);
	if (!s.why)
		fill(&s);
	if (!s.why)
		exits = list_exits(&s);
	*why = s.why;
	g_array_unref(s.ends);
	g_array_unref(s.called);
	g_array_unref(s.todo);
	g_ptr_array_unref(s.pieces);
	usertable_free(s.tables);
	return exits;
}
