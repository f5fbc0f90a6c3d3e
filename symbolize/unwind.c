/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unwind.c - see unwind.h.
 */
#include "symbolize/unwind.h"

#include "symbolize/callers.h"
#include "symbolize/cfi.h"
#include "symbolize/process.h"

#include <string.h>

#define EXPRESSION_DEPTH 32
#define EXPRESSION_STEPS 256

struct frame {
	u64		reg[CFI_REGS];
	u64		ip;
	int		exact;		/* ip is not a return address: execution was interrupted
					 * there */
	u32		sp, fp;		/* their register numbers */
	int		sp_is_bound;	/* the stack pointer is not known, only that it is no lower:
					 * on arm64, after a step along a frame pointer */
	u64		base;		/* address of the copied stack */
	const u8	*stack;
	u32		bytes;
	int		beyond;		/* an access outside the copy was needed */
	int		ends;		/* it has no caller */
	int		uncertain;	/* no rule covers the interrupted location */
};

static int read_stack(struct frame *f, u64 at, u64 *value)
{
	if (f->bytes < 8 || at - f->base > f->bytes - 8) {
		f->beyond |= at >= f->base;
		return -1;
	}
	memcpy(value, f->stack + (at - f->base), 8);
	return 0;
}

/* ---- DWARF expressions, the subset used in call frame information ------------------ */

struct evaluation {
	struct frame	*f;
	const u8	*at, *end;
	u64		stack[EXPRESSION_DEPTH];
	u32		n;
	int		failed;
};

static void push(struct evaluation *e, u64 v)
{
	if (e->n < EXPRESSION_DEPTH)
		e->stack[e->n++] = v;
	else
		e->failed = 1;
}

static u64 pop(struct evaluation *e)
{
	if (e->n)
		return e->stack[--e->n];
	e->failed = 1;
	return 0;
}

static u64 operand(struct evaluation *e, u32 n, int is_signed)
{
	u64 v = 0;

	if ((u64)(e->end - e->at) < n) {
		e->failed = 1;
		return 0;
	}
	memcpy(&v, e->at, n);
	e->at += n;
	return is_signed ? (u64)((s64)(v << (64 - 8 * n)) >> (64 - 8 * n)) : v;
}

static u64 operand_leb(struct evaluation *e, int is_signed)
{
	u64 v = 0, byte = 0x80;
	u32 shift = 0;

	for (; byte & 0x80 && !e->failed && shift < 64; shift += 7) {
		byte = operand(e, 1, 0);
		v |= (byte & 0x7f) << shift;
	}
	return is_signed && shift < 64 && byte & 0x40 ? v | ~0ULL << shift : v;
}

/* flat switch */
static void two_operands(struct evaluation *e, u8 op)
{
	u64 b = pop(e), a = pop(e);

	switch (op) {
	case 0x1a: push(e, a & b); break;
	case 0x1c: push(e, a - b); break;
	case 0x1e: push(e, a * b); break;
	case 0x21: push(e, a | b); break;
	case 0x22: push(e, a + b); break;
	case 0x24: push(e, b < 64 ? a << b : 0); break;
	case 0x25: push(e, b < 64 ? a >> b : 0); break;
	case 0x29: push(e, a == b); break;
	case 0x2a: push(e, (s64)a >= (s64)b); break;
	case 0x2b: push(e, (s64)a > (s64)b); break;
	case 0x2c: push(e, (s64)a <= (s64)b); break;
	case 0x2d: push(e, (s64)a < (s64)b); break;
	case 0x2e: push(e, a != b); break;
	default: e->failed = 1;
	}
}

static void step_expression(struct evaluation *e, u8 op)
{
	/* DW_OP_const1u, const1s, const2u ... */
	static const u8 width[] = { 1, 1, 2, 2, 4, 4, 8, 8 };
	u64 v;

	if (op >= 0x30 && op < 0x50) {
		push(e, op - 0x30);
	} else if (op >= 0x70 && op < 0x90) {
		push(e, e->f->reg[op - 0x70] + operand_leb(e, 1));
	} else if (op >= 0x08 && op < 0x10) {
		push(e, operand(e, width[op - 8], op & 1));
	} else if (op == 0x06) {
		if (read_stack(e->f, pop(e), &v))
			e->failed = 1;
		else
			push(e, v);
	} else if (op == 0x10 || op == 0x11) {
		push(e, operand_leb(e, op & 1));
	} else if (op == 0x12) {
		v = pop(e);
		push(e, v);
		push(e, v);
	} else if (op == 0x23) {
		push(e, pop(e) + operand_leb(e, 0));
	} else {
		two_operands(e, op);
	}
}

static int evaluate(struct frame *f, const struct cfi_rule *rule, int start, u64 first, u64 *value)
{
	struct evaluation e = { .f = f, .at = rule->at, .end = rule->end };

	if (start)
		push(&e, first);
	for (u32 steps = 0; e.at < e.end && !e.failed && steps < EXPRESSION_STEPS; steps++)
		step_expression(&e, *e.at++);
	*value = pop(&e);
	return e.failed || e.at < e.end ? -1 : 0;
}

/* ---- frames -----------------------------------------------------------------------------*/

/* True if it saves frame pointer and return address side by side, as frame records are. */
static int saves_record(const struct frame *f, const struct cfi_row *row)
{
	return row->reg[f->fp].how == CFI_OFFSET && row->reg[row->ra].how == CFI_OFFSET &&
	       row->reg[row->ra].n == row->reg[f->fp].n + 8;
}

static int find_cfa(struct frame *f, const struct cfi_row *row, u64 *cfa)
{
	if (row->cfa.how == CFI_VALUE_EXPRESSION)
		return evaluate(f, &row->cfa, 0, 0, cfa);
	if (row->cfa.how != CFI_REGISTER || row->cfa.n >= CFI_REGS)
		return -1;
	if (row->cfa.n == f->sp && f->sp_is_bound) {
		if (!saves_record(f, row))
			return -1;
		*cfa = f->reg[f->fp] - (u64)row->reg[f->fp].n;
		return 0;
	}
	*cfa = f->reg[row->cfa.n] + (u64)row->cfa_offset;
	return 0;
}

static int find_register(struct frame *f, const struct cfi_rule *rule, u64 cfa, u64 old, u64 *value)
{
	u64 at = cfa + (u64)rule->n;

	switch (rule->how) {
	case CFI_SAME: *value = old; return 0;
	case CFI_OFFSET: return read_stack(f, at, value);
	case CFI_VALUE_OFFSET: *value = at; return 0;
	case CFI_REGISTER: *value = (u64)rule->n < CFI_REGS ? f->reg[rule->n] : 0; return 0;
	case CFI_EXPRESSION: return evaluate(f, rule, 1, cfa, &at) ? -1 : read_stack(f, at, value);
	case CFI_VALUE_EXPRESSION: return evaluate(f, rule, 1, cfa, value);
	}
	*value = 0;
	return 0;
}

/*
 * Compilers do not record that a register was popped: nothing is saved below the stack pointer, and
 * the register holds its value again.
 */
static int was_popped(const struct frame *f, const struct cfi_row *row, u32 reg, u64 cfa)
{
	return row->reg[reg].how == CFI_OFFSET && reg != row->ra &&
	       cfa + (u64)row->reg[reg].n < f->reg[f->sp];
}

static int step_by_cfi(struct frame *f, const struct cfi_row *row)
{
	struct frame next = *f;
	u64 cfa;

	f->ends = row->reg[row->ra].how == CFI_UNDEFINED;
	if (f->ends || find_cfa(f, row, &cfa))
		return -1;
	next.reg[f->sp] = cfa;
	for (u32 i = 0; i < CFI_REGS; i++)
		if (row->reg[i].how != CFI_SAME && !was_popped(f, row, i, cfa) &&
		    find_register(f, &row->reg[i], cfa, f->reg[i], &next.reg[i])) {
			f->beyond |= next.beyond;
			return -1;
		}
	next.ip = next.reg[row->ra];
	next.exact = row->is_signal;
	next.sp_is_bound = 0;
	*f = next;
	return 0;
}

/*
 * Code without CFI: the frame pointer leads to the caller's frame, with the return address next to
 * it.
 */
static int step_by_frame_pointer(struct frame *f)
{
	u64 at = f->reg[f->fp], fp, ip;

	if (at < f->reg[f->sp] || read_stack(f, at, &fp) || read_stack(f, at + 8, &ip))
		return -1;
	f->reg[f->fp] = fp;
	f->reg[f->sp] = at + 16;
	f->sp_is_bound = f->sp == 31;
	f->ip = ip;
	f->exact = 0;
	return 0;
}

static int step(struct frame *f, s32 pid)
{
	u64 offset, size, sp = f->reg[f->sp];
	struct image *image = process_image(pid, f->ip - !f->exact, &offset);
	const u8 *file = image ? image_file(image, &size) : NULL;
	struct cfi_row row;
	int rc;

	if (file && !cfi_find(file, size, offset, &row)) {
		rc = step_by_cfi(f, &row);
	} else {
		f->ends = image && callers_is_start(image, offset);
		f->uncertain |= f->exact;
		rc = f->ends ? -1 : step_by_frame_pointer(f);
	}
	/* Every frame is above its callee, except for a leaf that has pushed nothing. */
	return rc || f->reg[f->sp] < sp || (f->reg[f->sp] == sp && !f->exact && f->sp != 31) ? -1
											     : 0;
}

int unwind_is_trampoline(u64 ip, int arm64)
{
	return ip == (arm64 ? 0xfffffffff000 : 0x7fffffffe000);
}

u32 unwind_user(const struct unwind_from *from, u64 *ip, u32 max, int *cut)
{
	int arm64 = from->regs->machine == WIRE_ARM64;
	struct frame f = { .ip = from->regs->ip,
			   .exact = 1,
			   .sp = arm64 ? 31 : 7,
			   .fp = arm64 ? 29 : 6,
			   .stack = from->stack,
			   .bytes = from->bytes };
	u32 n = 0;

	memcpy(f.reg, from->regs->reg, sizeof(from->regs->reg));
	f.base = f.reg[f.sp];
	do {
		if (n == max) {
			*cut = UNWIND_DEEPER | (f.uncertain ? UNWIND_UNCERTAIN : 0);
			return n;
		}
		if (unwind_is_trampoline(f.ip, arm64) && from->returns_to) {
			u64 behind = from->returns_to(from->tid, f.reg[f.sp]);

			f.ip = behind ? behind : f.ip;
		}
		ip[n++] = f.ip;
	} while (!unwind_is_trampoline(f.ip, arm64) && !step(&f, from->pid) &&
		 (f.ip = arm64 ? f.ip & 0xffffffffffff : f.ip));
	f.ends |= !f.ip;
	*cut |= (f.beyond ? UNWIND_DEEPER : f.ends ? 0 : UNWIND_LOST) | (f.uncertain ? UNWIND_UNCERTAIN : 0);
	return n;
}
