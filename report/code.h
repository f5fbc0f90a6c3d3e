/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * code.h - a function's instructions (by Capstone), the basic blocks they make, and the samples
 * that fell on them.
 *
 * Blocks end at jumps and returns, and begin at the targets of the function's jumps; the targets of
 * jumps through registers are unknown.
 */
#ifndef LAPWING_REPORT_CODE_H
#define LAPWING_REPORT_CODE_H

#include "report/filter.h"

struct code_instruction {
	guint64		offset, address;	/* as in struct profile_code */
	char		*text;
	guint64		*weight, *samples;	/* by event */
	guint		block;
};

struct code_block {
	guint		first, count;		/* instructions */
	guint		next[2], nnext;		/* possible successors */
	/* it returns, or jumps out of the function or through a register */
	int		leaves;
	guint64		*weight;		/* by event */
};

struct code {
	const struct profile_image *image;
	const struct profile_function *function;
	GArray		*instructions, *blocks;
	guint		nevents;
	guint64		*weight, *samples;	/* of the function, by event */
	/* samples of the filter's event in the function beyond the code in the capture */
	guint64		elsewhere;
	guint64		size;			/* bytes of code in the capture */
	/* the function is longer than the code in the capture */
	int		cut;
};

/*
 * Decodes a function; with the samples that pass the filter (NULL: none). NULL with *why (a
 * constant): the capture has no code of it, or the code cannot be decoded.
 */
struct code *code_make(const struct profile *p, guint32 image, guint32 function,
		       const struct sample_filter *filter, const char **why);
/* The block that contains an offset (also inside an instruction); NULL: none. */
const struct code_block *code_block_at(const struct code *c, guint64 offset);
void code_free(struct code *c);

#endif
