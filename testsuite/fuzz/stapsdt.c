/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stapsdt.c - fuzz entry: any text as the arguments of a mark, for both machines. Each read moves
 * on, and what is accepted is in range.
 */
#include "translator/debuginfo/stapsdt.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct stapsdt_argument *a)
{
	int size = abs(a->size);

	if ((size != 1 && size != 2 && size != 4 && size != 8) || a->base < -1 || a->base > 31 ||
	    a->index < -1 || a->index > 31 || memchr(a->symbol, 0, sizeof(a->symbol)) == NULL ||
	    (a->where == STAPSDT_REGISTER && (a->base < 0 || a->base_bits < 8)) ||
	    (a->index >= 0 && (a->scale < 1 || a->scale > 16)))
		__builtin_trap();
}

static void read_all(const char *text, const char *arch)
{
	struct stapsdt_argument a;
	const char *why = NULL, *before = text;
	int got;

	while ((got = stapsdt_argument(&text, arch, &a, &why))) {
		if (text == before || (got < 0 && !why))
			__builtin_trap();
		if (got > 0)
			check(&a);
		before = text;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char letters[] = "-0123456789@$%()[],#+ abcdeilpqrstwx.";
	char *any = g_malloc(size + 1), *likely = g_malloc(size + 1);

	memcpy(any, data, size);
	for (size_t i = 0; i < size; i++)
		likely[i] = letters[data[i] % (sizeof(letters) - 1)];
	any[size] = likely[size] = 0;
	read_all(any, "x86_64");
	read_all(any, "arm64");
	read_all(likely, "x86_64");
	read_all(likely, "arm64");
	g_free(any);
	g_free(likely);
	return 0;
}
