/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * code.c - see code.h.
 */
#include "report/code.h"

#include <capstone/capstone.h>
#include <string.h>

#define INSTRUCTION(c, i)	(&g_array_index((c)->instructions, struct code_instruction, (i)))
#define BLOCK(c, i)		(&g_array_index((c)->blocks, struct code_block, (i)))

/* What an instruction does to the flow of control. */
struct flow {
	guint64		target;		/* 0: not known */
	int		jumps, always, returns;
};

/* ---- decoding ------------------------------------------------------------------*/

static int open_capstone(const struct profile *p, csh *handle)
{
	int arm = !strcmp(p->machine, "aarch64");

	if (!arm && strcmp(p->machine, "x86_64"))
		return -1;
	if (cs_open(arm ? CS_ARCH_ARM64 : CS_ARCH_X86, arm ? CS_MODE_ARM : CS_MODE_64, handle) !=
	    CS_ERR_OK)
		return -1;
	cs_option(*handle, CS_OPT_DETAIL, CS_OPT_ON);
	if (!arm)
		cs_option(*handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	return 0;
}

static struct flow x86_flow(const cs_insn *in)
{
	const cs_x86 *x = &in->detail->x86;
	struct flow f = { .always = in->id == X86_INS_JMP };

	if (x->op_count == 1 && x->operands[0].type == X86_OP_IMM)
		f.target = (guint64)x->operands[0].imm;
	return f;
}

/* The target is the last operand: tbz w0, #3, target. */
static struct flow arm_flow(const cs_insn *in)
{
	const cs_arm64 *a = &in->detail->arm64;
	struct flow f = { .always = in->id == ARM64_INS_BR ||
				    (in->id == ARM64_INS_B &&
				     (a->cc == ARM64_CC_INVALID || a->cc == ARM64_CC_AL)) };

	if (a->op_count && a->operands[a->op_count - 1].type == ARM64_OP_IMM)
		f.target = (guint64)a->operands[a->op_count - 1].imm;
	return f;
}

static struct flow flow_of(csh handle, const cs_insn *in, int arm)
{
	struct flow f = { 0 };

	if (cs_insn_group(handle, in, CS_GRP_RET)) {
		f.returns = 1;
	} else if (cs_insn_group(handle, in, CS_GRP_JUMP) &&
		   !cs_insn_group(handle, in, CS_GRP_CALL)) {
		f = arm ? arm_flow(in) : x86_flow(in);
		f.jumps = 1;
	}
	return f;
}

static void add_instruction(struct code *c, guint64 offset, guint64 address, char *text)
{
	struct code_instruction in = {
		offset, address, text, g_new0(guint64, c->nevents), g_new0(guint64, c->nevents), 0
	};

	g_array_append_val(c->instructions, in);
}

/* Data between instructions is shown as bytes; decoding resumes after it. */
static GArray *decode(struct code *c, csh handle, int arm, const struct profile_code *code,
		      gsize size)
{
	GArray *flows = g_array_new(FALSE, FALSE, sizeof(struct flow));
	const guint8 *bytes = code->bytes + (c->function->start - code->offset);
	guint64 address = code->address + (c->function->start - code->offset), first = address;
	cs_insn *in = cs_malloc(handle);

	while (size) {
		guint64 offset = c->function->start + (address - first);
		struct flow f = { 0 };

		if (cs_disasm_iter(handle, &bytes, &size, &address, in)) {
			add_instruction(c, offset, in->address,
					g_strdup_printf("%-7s %s", in->mnemonic, in->op_str));
			f = flow_of(handle, in, arm);
		} else {
			gsize step = MIN(arm ? 4u : 1u, size);

			add_instruction(c, offset, address,
					g_strdup_printf(".byte   0x%02x", *bytes));
			bytes += step;
			address += step;
			size -= step;
		}
		g_array_append_val(flows, f);
	}
	cs_free(in, 1);
	return flows;
}

/* ---- blocks --------------------------------------------------------------------*/

/* The instruction at an address, or the number of instructions. */
static guint at_address(const struct code *c, guint64 address)
{
	guint low = 0, high = c->instructions->len;

	while (low < high) {
		guint mid = (low + high) / 2;

		if (INSTRUCTION(c, mid)->address < address)
			low = mid + 1;
		else
			high = mid;
	}
	return low < c->instructions->len && INSTRUCTION(c, low)->address == address
		       ? low
		       : c->instructions->len;
}

static void follow(const struct code *c, struct code_block *b, guint instruction)
{
	if (instruction < c->instructions->len)
		b->next[b->nnext++] = INSTRUCTION(c, instruction)->block;
	else
		b->leaves = 1;
}

static void make_blocks(struct code *c, const GArray *flows)
{
	guint n = c->instructions->len;
	guint8 *leads = g_new0(guint8, n + 1);

	leads[0] = 1;
	for (guint i = 0; i < n; i++) {
		const struct flow *f = &g_array_index(flows, struct flow, i);

		if (f->jumps || f->returns)
			leads[i + 1] = 1;
		if (f->jumps && f->target)
			leads[at_address(c, f->target)] = 1;
	}
	for (guint i = 0; i < n; i++) {
		struct code_block b = { .first = i, .weight = NULL };

		if (leads[i]) {
			b.weight = g_new0(guint64, c->nevents);
			g_array_append_val(c->blocks, b);
		}
		INSTRUCTION(c, i)->block = c->blocks->len - 1;
		BLOCK(c, c->blocks->len - 1)->count++;
	}
	for (guint i = 0; i < c->blocks->len; i++) {
		struct code_block *b = BLOCK(c, i);
		const struct flow *f = &g_array_index(flows, struct flow, b->first + b->count - 1);

		if (f->returns) {
			b->leaves = 1;
			continue;
		}
		if (!f->jumps || !f->always)
			follow(c, b, b->first + b->count);
		if (f->jumps)
			follow(c, b, f->target ? at_address(c, f->target) : n);
	}
	g_free(leads);
}

/* ---- samples -------------------------------------------------------------------*/

static guint at_offset(const struct code *c, guint64 offset)
{
	guint64 first = INSTRUCTION(c, 0)->offset;

	return offset < first ? c->instructions->len
			      : at_address(c, INSTRUCTION(c, 0)->address + (offset - first));
}

static void add_samples(struct code *c, const struct profile *p, guint32 image, guint32 function,
			const struct sample_filter *filter)
{
	struct sample_filter any = *filter;

	for (guint i = 0; i < p->samples->len; i++) {
		const struct profile_sample *s = PROFILE_AT(p->samples, sample, i);
		const struct profile_place *at;
		guint in;

		any.event = s->event;
		if (s->node == PROFILE_NONE || !filter_passes(p, s, &any))
			continue;
		at = PROFILE_AT(p->places, place, PROFILE_AT(p->nodes, node, s->node)->place);
		if (at->image != image || at->function != function)
			continue;
		c->weight[s->event] += s->weight;
		c->samples[s->event] += s->count;
		in = at_offset(c, at->offset);
		if (in == c->instructions->len) {
			c->elsewhere += s->event == filter->event ? s->count : 0;
			continue;
		}
		INSTRUCTION(c, in)->weight[s->event] += s->weight;
		INSTRUCTION(c, in)->samples[s->event] += s->count;
		BLOCK(c, INSTRUCTION(c, in)->block)->weight[s->event] += s->weight;
	}
}

struct code *code_make(const struct profile *p, guint32 image, guint32 function,
		       const struct sample_filter *filter, const char **why)
{
	const struct profile_image *im = PROFILE_AT(p->images, image, image);
	const struct profile_function *f = PROFILE_AT(im->functions, function, function);
	const struct profile_code *code = profile_code_of(im, f->start);
	struct code *c;
	GArray *flows;
	csh handle;
	gsize size;

	*why = !code || code->size == f->start - code->offset ? "the capture has no code of it" : "code of this machine cannot be read";
	if (!code || open_capstone(p, &handle))
		return NULL;
	c = g_new0(struct code, 1);
	c->image = im;
	c->function = f;
	c->nevents = p->events->len;
	c->weight = g_new0(guint64, c->nevents);
	c->samples = g_new0(guint64, c->nevents);
	c->instructions = g_array_new(FALSE, FALSE, sizeof(struct code_instruction));
	c->blocks = g_array_new(FALSE, FALSE, sizeof(struct code_block));
	size = MIN(f->size, code->size - (f->start - code->offset));
	c->size = size;
	c->cut = size < f->size;
	flows = decode(c, handle, !strcmp(p->machine, "aarch64"), code, size);
	make_blocks(c, flows);
	if (filter)
		add_samples(c, p, image, function, filter);
	g_array_free(flows, TRUE);
	cs_close(&handle);
	return c;
}

const struct code_block *code_block_at(const struct code *c, guint64 offset)
{
	const struct code_block *found = NULL;

	if (offset - c->function->start >= c->size)
		return NULL;
	for (guint i = 0;
	     i < c->blocks->len && INSTRUCTION(c, BLOCK(c, i)->first)->offset <= offset; i++)
		found = BLOCK(c, i);
	return found;
}

void code_free(struct code *c)
{
	for (guint i = 0; i < c->instructions->len; i++) {
		g_free(INSTRUCTION(c, i)->text);
		g_free(INSTRUCTION(c, i)->weight);
		g_free(INSTRUCTION(c, i)->samples);
	}
	for (guint i = 0; i < c->blocks->len; i++)
		g_free(BLOCK(c, i)->weight);
	g_array_free(c->instructions, TRUE);
	g_array_free(c->blocks, TRUE);
	g_free(c->weight);
	g_free(c->samples);
	g_free(c);
}
