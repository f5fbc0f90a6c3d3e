/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userexits.c - see userexits.h.
 *
 * Code is followed from where the function begins along all of its jumps. What is then not
 * accounted for must be padding, or begin where a table says that a jump may lead, or that an
 * exception is handled. Call frame information tells jumps that end a call from those that do not:
 * where the stack pointer is not what it was at the entry, none can.
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
#define ROUNDS_MAX	16		/* code that tables name has tables that name more */
/* x86-64's prefix; in arm64 code no jump leads behind such a byte */
#define LOCK		0xf0

enum {
	BEGINS = 1,			/* an instruction that is executed */
	GOES_ON = 2,			/* such an instruction, begun before */
	IS_NAMED = 4,			/* in a table, or as a handler */
};

/* The function, or a part that is elsewhere. */
struct piece {
	guint64	address, size;
	guint8	*bytes;
	guint8	*marks;			/* of each byte */
};

/* Where code is to be followed. */
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
	GArray	*called;		/* guint64; 0: it is not known what */
	GArray	*ends;			/* struct end */
	guint64	instructions;		/* that have been followed */
	const char *why;		/* the search has failed */
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

/* Whatever has no size as a symbol may have one as an entry of .eh_frame. */
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

/* Is it a name of the function, or of a part of it? */
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

/* Adds the part of the function that an address is in. 0: it is in none. */
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
 * The same where names have been stripped: a jump whose frame stays on the stack leads to a part,
 * and not to where another function is entered.
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
 * Does it lead to a single instruction, and back behind itself? So linkers replace what a processor
 * would execute wrongly where it is (erratum 843419 of Cortex-A53).
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

/* What an instruction does, behind one that has put something onto the stack. */
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

/* Decodes what begins there, where nothing is that has been followed. 0: the search has failed. */
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
 * Is it known what begins there? What is behind a lock prefix is the same without it, and jumps of
 * libc's skip the prefix.
 */
static int is_known(struct piece *p, guint64 i)
{
	if (p->bytes[i] == LOCK && i + 1 < p->size && p->marks[i + 1] & BEGINS)
		p->marks[i] |= BEGINS;
	return p->marks[i] & BEGINS ||
	       (i && p->marks[i] & GOES_ON && p->bytes[i - 1] == LOCK && p->marks[i - 1] & BEGINS);
}

/*
 * Along instructions that are behind each other, up to those that are known. Called functions may
 * not return, so code may end behind a call, or behind padding there.
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
 * A call amidst its own code is how compilers write a jump that processors must not guess
 * (retpolines), or ask where code is.
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

/* ---- what has not been reached -----------------------------------------------------*/

/* Where a value cannot be, clang has what is behind the function. */
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
 * How far it is from there, where nothing has been reached, to the next instruction, or to what has
 * been reached.
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
 * Follows code that has been named. A loop may be named in its midst: where instructions begin is
 * clear from where the loop does. How many bytes nothing leads to.
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
 * Where a function of Go's goes on behind a panic: in what nothing leads to, behind what has been
 * reached.
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

/* Where tables, and lists of handlers, say that code may be reached. */
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

/* ---- the answer --------------------------------------------------------------------*/

static enum userexit_how how_of(const struct end *e)
{
	return e->flow == DISASM_RETURN ? USEREXIT_RETURNS
	       : e->flow == DISASM_JUMP ? USEREXIT_LEAVES
	       : USEREXIT_MAY_LEAVE;
}

/* Does a call end there? A return that is none is a failure. */
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
