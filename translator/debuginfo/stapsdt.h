/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stapsdt.h - marks that programs describe in ELF notes (.note.stapsdt, <sys/sdt.h>), and the
 * syntax of their arguments.
 */
#ifndef LAPWING_STAPSDT_H
#define LAPWING_STAPSDT_H

#include <glib.h>

#define STAPSDT_ARGUMENTS 12

struct stapsdt_mark {
	const char	*provider, *name;	/* owned by the struct userfile */
	const char	*arguments;		/* "-4@%edi 8@$5 ..." */
	guint64		address;		/* as the file is linked now */
	guint64		semaphore;		/* likewise; 0: it has none */
};

/*
 * One argument: a number, a register, or memory at base + index * scale + number (+ the address of
 * a symbol).
 */
struct stapsdt_argument {
	enum { STAPSDT_NUMBER, STAPSDT_REGISTER, STAPSDT_MEMORY } where;
	int		size;		/* bytes: 1 2 4 8, negative for signed */
	/* DWARF register numbers; -1: none. For STAPSDT_REGISTER, base is the register */
	int		base, index;
	/* used bits of the register: 8 (high: 8 to 15), 16, 32, 64 */
	int		base_bits;
	int		base_high;
	/* used bytes of the index register, negative for signed */
	int		index_size;
	int		scale;
	gint64		number;
	char		symbol[64];	/* "" none */
};

/*
 * Reads the argument at *text and advances *text. 1: read; 0: no more arguments; -1 with *why
 * (static): *text is advanced all the same.
 */
int stapsdt_argument(const char **text, const char *arch, struct stapsdt_argument *a,
		     const char **why);

#endif
