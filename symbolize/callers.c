/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * callers.c - see callers.h.
 */
#include "symbolize/callers.h"

#include "runtime/core/symbol.h"
#include "symbolize/cfi.h"

#include <stdlib.h>
#include <string.h>

/* bytes of code at an image's entry point, which calls functions that never return to it */
#define ENTRY_BYTES	48
#define KNOWN_MAX	(1U << 20)	/* cached places of an image; all are dropped beyond that */

/* A cache of places in an image, by offset. */
struct callers_known {
	struct known {
		u64	at;			/* offset plus one; 0: free */
		struct wire_caller how;
		u8	has_how, start, call;	/* start, call: 0: unknown, 1: no, 2: yes */
	} *slot;
	u32	n, mask;
};

struct taking {
	const struct elf *image;
	struct table	*b;
	int		arm64;
};

/*
 * True for the one expression that linkers generate: sp + 8, or sp + 16 from some instruction of
 * each 16 bytes on.
 */
static int is_plt(const struct cfi_rule *cfa)
{
	static const u8 start[] = { 0x77, 8, 0x80, 0, 0x3f, 0x1a },
			end[] = { 0x2a, 0x33, 0x24, 0x22 };

	return cfa->how == CFI_VALUE_EXPRESSION &&
	       cfa->end - cfa->at == sizeof(start) + 1 + sizeof(end) &&
	       !memcmp(cfa->at, start, sizeof(start)) &&
	       !memcmp(cfa->end - sizeof(end), end, sizeof(end));
}

/*
 * The location of a register, relative to the caller's stack pointer; 0: unchanged. -1: an
 * unsupported rule.
 */
static int place_of(const struct cfi_rule *rule, s32 *place)
{
	*place = rule->how == CFI_OFFSET ? (s32)rule->n : 0;
	return rule->how == CFI_SAME || rule->how == CFI_UNDEFINED ||
			       (rule->how == CFI_OFFSET && rule->n && rule->n == *place)
		       ? 0
		       : -1;
}

/* One row; of base WIRE_CALLER_NONE where it is none that compilers write. */
static struct wire_caller callers_of(const struct cfi_row *row, int arm64)
{
	struct wire_caller c = { .base = WIRE_CALLER_NONE };
	s64 sp = arm64 ? 31 : 7, fp = arm64 ? 29 : 6;		/* DWARF's register numbers */

	if (row->is_signal)
		c.base = WIRE_CALLER_SIGNAL;
	else if (row->reg[row->ra].how == CFI_UNDEFINED)
		c.base = WIRE_CALLER_END;
	else if (place_of(&row->reg[row->ra], &c.ra) || place_of(&row->reg[fp], &c.fp))
		c.base = WIRE_CALLER_NONE;
	else if (is_plt(&row->cfa))
		c = (struct wire_caller){ .base = WIRE_CALLER_PLT,
					  .cfa = row->cfa.at[6] - 0x30,
					  .ra = -8 };
	else if (row->cfa.how == CFI_REGISTER && (row->cfa.n == sp || row->cfa.n == fp) &&
		 row->cfa_offset == (s32)row->cfa_offset) {
		c.base = row->cfa.n == sp ? WIRE_CALLER_SP : WIRE_CALLER_FP;
		c.cfa = (s32)row->cfa_offset;
	}
	return c;
}

static void take(void *arg, u64 address, const struct cfi_row *row)
{
	const struct taking *k = arg;
	struct wire_caller c =
		row ? callers_of(row, k->arm64) : (struct wire_caller){ .base = WIRE_CALLER_NONE };

	/* The end is after a function's last byte, and may be the end of the segment. */
	if (elf_offset(k->image, row ? address : address - 1, &c.start))
		return;
	c.start += !row;
	table_add_caller(k->b, &c);
}

void callers_take(const struct elf *image, struct table *b)
{
	struct taking k = { image, b, image->eh->e_machine == EM_AARCH64 };

	cfi_each(image->p, image->size, take, &k);
}

/* ---- rows of the places that occur -------------------------------------------------*/

void callers_forget(struct image *im)
{
	if (im->callers)
		free(im->callers->slot);
	free(im->callers);
	im->callers = NULL;
}

static struct known *slot_of(const struct callers_known *k, u64 at)
{
	/* 2^64 over the golden ratio: Fibonacci hashing */
	u64 h = at * 0x9e3779b97f4a7c15ULL >> 32;

	while (k->slot[h & k->mask].at && k->slot[h & k->mask].at != at)
		h++;
	return &k->slot[h & k->mask];
}

static int grow(struct callers_known *k)
{
	struct callers_known more = { .n = k->n, .mask = k->mask ? 2 * k->mask + 1 : 1023 };

	more.slot = calloc(more.mask + 1ULL, sizeof(*more.slot));
	if (!more.slot)
		return -1;
	for (u32 i = 0; k->slot && i <= k->mask; i++)
		if (k->slot[i].at)
			*slot_of(&more, k->slot[i].at) = k->slot[i];
	free(k->slot);
	*k = more;
	return 0;
}

/* NULL: no memory. */
static struct known *known_of(struct image *im, u64 offset)
{
	struct known *found;

	if (im->callers && im->callers->n >= KNOWN_MAX)
		callers_forget(im);
	if (!im->callers)
		im->callers = calloc(1, sizeof(*im->callers));
	if (!im->callers || (im->callers->n >= im->callers->mask / 2 && grow(im->callers)))
		return NULL;
	found = slot_of(im->callers, offset + 1);
	im->callers->n += !found->at;
	found->at = offset + 1;
	return found;
}

static int is_arm64(const u8 *file)
{
	return ((const Elf64_Ehdr *)file)->e_machine == EM_AARCH64;
}

struct wire_caller callers_at(struct image *im, u64 offset)
{
	struct known *k = known_of(im, offset);
	struct wire_caller none = { .base = WIRE_CALLER_NONE };
	struct cfi_row row = { 0 };
	const u8 *file;
	u64 size;

	if (!k || k->has_how)
		return k ? k->how : none;
	file = image_file(im, &size);
	k->how = file && !cfi_find(file, size, offset, &row) ? callers_of(&row, is_arm64(file))
							     : none;
	k->has_how = 1;
	return k->how;
}

/* The name of the function at an offset; "": unknown. */
static const char *name_at(struct image *im, u64 offset)
{
	const struct wire_symtab *t = image_symbols(im);
	const struct wire_symbol *s = t ? symtab_find(t, offset) : NULL;

	return s ? symtab_text(t, s->name) : "";
}

static int has_start_name(struct image *im, u64 offset)
{
	static const char *const starts[] = {
		"_start",
		"__libc_start_main",
		"__libc_start_main_impl",
		"__libc_start_call_main",
		"generic_start_main",
		"libc_start_main_stage2",
		"_start_c",
		"start_thread",
		"clone",
		"__clone",
		"clone3",
		"__clone3",
		"_dl_start",
		"_dl_start_user",
		"runtime.goexit",
		"runtime.goexit.abi0",
		"runtime.mstart",
		"runtime.mstart.abi0",
		"runtime.rt0_go",
		"runtime.rt0_go.abi0",
	};
	const char *name = name_at(im, offset);

	for (u32 i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (!strcmp(starts[i], name))
			return 1;
	return 0;
}

/* True at the image's entry point: every process begins in its interpreter's code or its own. */
static int is_entry_code(const u8 *file, u64 size, u64 offset)
{
	struct elf e;
	u64 entry;

	return !elf_look(&e, file, size) && e.eh->e_entry &&
	       !elf_offset(&e, e.eh->e_entry, &entry) && offset - entry < ENTRY_BYTES;
}

/*
 * C libraries without symbols: the caller of main() passes its result to exit(), and the caller of
 * a thread's function loads it from the thread's control block and stores the result next to it
 * (glibc on x86-64).
 */
static int has_start_code(struct image *im, const u8 *file, u64 size, u64 offset)
{
	static const u8 result_to_exit[] = { 0x89, 0xc7, 0xe8 },
			called_from_block[] = { 0x64, 0xff, 0x14, 0x25 },
			result_to_block[] = { 0x64, 0x48, 0x89, 0x04, 0x25 };
	u64 at = offset + 1;		/* the return address of the call */
	s32 distance;
	u32 word;

	if (offset > size || size - offset < 32 || at < 8)
		return 0;
	memcpy(&word, file + at, sizeof(word));
	if (is_arm64(file))
		return word >> 26 == 0x25 &&
		       !strcmp(name_at(im, at + (u64)((s64)((u64)word << 38) >> 36)), "exit");
	memcpy(&distance, file + at + sizeof(result_to_exit), sizeof(distance));
	if (!memcmp(file + at, result_to_exit, sizeof(result_to_exit)))
		return !strcmp(name_at(im, at + sizeof(result_to_exit) + 4 + (u64)(s64)distance),
			       "exit");
	return !memcmp(file + at - 8, called_from_block, sizeof(called_from_block)) &&
	       !memcmp(file + at, result_to_block, sizeof(result_to_block));
}

int callers_is_start(struct image *im, u64 offset)
{
	int ends = callers_at(im, offset).base == WIRE_CALLER_END;
	struct known *k = known_of(im, offset);
	const u8 *file;
	u64 size;

	if (k && k->start)
		return k->start == 2;
	file = image_file(im, &size);
	if (!file || !k)
		return 0;
	k->start = ends || is_entry_code(file, size, offset) ||
				   has_start_code(im, file, size, offset) ||
				   has_start_name(im, offset)
			   ? 2
			   : 1;
	return k->start == 2;
}

static int is_arm64_call(u32 word)
{
	/* BL, BLR */
	return word >> 26 == 0x25 || (word & 0xfffffc1f) == 0xd63f0000 ||
	       /* BLR with authentication */
	       (word & 0xfffff800) == 0xd73f0800 || (word & 0xfffff81f) == 0xd63f081f;
}

/* A direct call, or an indirect one of 2 to 7 bytes, whose operand is not checked. */
static int is_x86_call(const u8 *end)
{
	if (end[-5] == 0xe8)
		return 1;
	for (int n = 2; n <= 7; n++)
		if (end[-n] == 0xff && (end[1 - n] & 0x38) == 0x10)
			return 1;
	return 0;
}

int callers_follows_call(struct image *im, u64 offset)
{
	enum wire_caller_base base = callers_at(im, offset - 1).base;
	struct known *k = known_of(im, offset - 1);
	const u8 *file;
	int found;
	u64 size;
	u32 word;

	if (k && k->call)
		return k->call == 2;
	file = image_file(im, &size);
	if (!file || !k || offset > size || offset < 8 || size < sizeof(Elf64_Ehdr))
		return 1;
	memcpy(&word, file + offset - sizeof(word), sizeof(word));
	/* The kernel and makecontext() push return addresses without a call. */
	found = base == WIRE_CALLER_SIGNAL || base == WIRE_CALLER_END ||
		(is_arm64(file) ? is_arm64_call(word) : is_x86_call(file + offset));
	k->call = found ? 2 : 1;
	return found;
}
