// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * caller.c - see caller.h.
 */
#include "runtime/core/caller.h"

/*
 * Location of the interrupted registers in a signal frame, relative to the stack pointer at the
 * handler's return.
 */
#define SIGNAL_X86_FP	120
#define SIGNAL_X86_SP	160
#define SIGNAL_X86_IP	168
#define SIGNAL_ARM64_FP	544
#define SIGNAL_ARM64_LR	552
#define SIGNAL_ARM64_SP	560
#define SIGNAL_ARM64_IP	568

static int interrupted(const struct caller_frame *f, struct caller_frame *next, caller_load *load)
{
	next->exact = 1;
	if (f->arm64)
		return load(f->sp + SIGNAL_ARM64_FP, &next->fp) ||
				       load(f->sp + SIGNAL_ARM64_LR, &next->link) ||
				       load(f->sp + SIGNAL_ARM64_SP, &next->sp) ||
				       load(f->sp + SIGNAL_ARM64_IP, &next->ip)
			       ? -1
			       : 0;
	return load(f->sp + SIGNAL_X86_FP, &next->fp) || load(f->sp + SIGNAL_X86_SP, &next->sp) ||
	       load(f->sp + SIGNAL_X86_IP, &next->ip) ? -1 : 0;
}

static int by_frame_pointer(const struct caller_frame *f, struct caller_frame *next,
			    caller_load *load)
{
	if (f->fp < f->sp || f->fp & 7)
		return -1;
	next->sp = f->fp + 16;
	next->sp_is_bound = f->arm64;
	return load(f->fp, &next->fp) || load(f->fp + 8, &next->ip) ? -1 : 0;
}

/* True if a function saves frame pointer and return address side by side, as frame records are. */
static int saves_record(const struct wire_caller *how)
{
	return (how->base == WIRE_CALLER_SP || how->base == WIRE_CALLER_FP) && how->fp &&
	       how->ra == how->fp + 8;
}

/* The caller's stack pointer. */
static u64 cfa_of(const struct caller_frame *f, const struct wire_caller *how)
{
	if (f->sp_is_bound && saves_record(how))	/* the frame pointer leads to its record */
		return f->fp - (u64)(s64)how->fp;
	if (how->base == WIRE_CALLER_PLT)
		return f->sp + ((f->ip & 15) >= (u64)how->cfa ? 16 : 8);
	return (how->base == WIRE_CALLER_FP ? f->fp : f->sp) + (u64)(s64)how->cfa;
}

int caller_has_record(const struct caller_frame *f, const struct wire_caller *how)
{
	return saves_record(how) && cfa_of(f, how) + (u64)(s64)how->fp == f->fp;
}

struct wire_caller caller_at_entry(int arm64)
{
	struct wire_caller how = { .base = WIRE_CALLER_SP };

	if (!arm64) {
		how.cfa = 8;
		how.ra = -8;
	}
	return how;
}

static int by_description(const struct caller_frame *f, const struct wire_caller *how,
			  struct caller_frame *next, caller_load *load)
{
	u64 cfa = cfa_of(f, how), fp_at = cfa + (u64)(s64)how->fp;

	next->sp = cfa;
	next->ip = f->link;
	/*
	 * CFI does not record that a frame pointer was popped: nothing is saved below the stack
	 * pointer, and the register holds its value again.
	 */
	if ((how->fp && fp_at >= f->sp && load(fp_at, &next->fp)) ||
	    (how->ra && load(cfa + (u64)(s64)how->ra, &next->ip)))
		return -1;
	return !how->ra && !f->exact ? -1 : 0;		/* only an interrupted function has its
							 * return address in a register */
}

int caller_find(struct caller_frame *f, const struct wire_caller *how, caller_load *load)
{
	struct caller_frame next = *f;
	int rc;

	next.exact = next.sp_is_bound = 0;
	f->ends = how ? how->base == WIRE_CALLER_END : !f->fp;
	if (f->ends)
		return -1;
	if (!how)
		rc = by_frame_pointer(f, &next, load);
	else if (f->sp_is_bound && how->base != WIRE_CALLER_FP && !saves_record(how))
		rc = -1;
	else if (how->base == WIRE_CALLER_SIGNAL)
		rc = interrupted(f, &next, load);
	else
		rc = by_description(f, how, &next, load);
	f->ends = !rc && !next.ip;
	/* A signal handler may have its own stack; otherwise callers are above. */
	if (rc || !next.ip || (!next.exact && next.sp < f->sp))
		return -1;
	if (!next.exact)
		next.link = next.ip;
	*f = next;
	return 0;
}
