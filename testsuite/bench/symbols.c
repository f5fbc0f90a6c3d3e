/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.c - names 1,000,000 samples on 200,000 addresses of the images that are its arguments, as
 * if one process had them mapped; prints a TSV (symbols.sh). The first function of each image is
 * function_number_0; all are 16 bytes apart or less.
 */
#include "runtime/core/symbol.h"
#include "symbolize/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>

#define SAMPLES		1000000
#define ADDRESSES	200000
#define PID		0x7ffffffe	/* nobody's */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Maps a file from an address of its own on; where its first function's offset lies. */
static u64 map_image(const char *path, u64 start)
{
	struct image_map m = { .start = start, .path = path };
	const struct wire_symtab *t;
	struct image *im;
	struct stat st;

	if (stat(path, &st))
		exit(2);
	m.len = (u64)st.st_size;
	m.dev = (u64)major(st.st_dev) << 20 | minor(st.st_dev);
	m.ino = st.st_ino;
	im = image_get(PID, &m);
	process_map(PID, &m, im);
	t = im ? image_symbols(im) : NULL;
	return t && t->nsyms ? start + ((const struct wire_symbol *)(t + 1))[t->nsyms / 2].start
			     : start;
}

int main(int argc, char **argv)
{
	u32 images = (u32)argc - 1, unnamed = 0, each = ADDRESSES / (images ? images : 1);
	double began = now();
	u64 *base = calloc((size_t)argc, sizeof(*base));
	char text[512];

	process_exec(PID);
	for (u32 i = 0; i < images; i++)
		base[i] = map_image(argv[i + 1], 0x7f0000000000 + i * 0x10000000ULL);
	for (u32 i = 0, at = 1; i < SAMPLES; i++, at = at * 1103515245 + 12345) {
		u32 address = at % ADDRESSES;
		u64 addr = base[address / each % images] + address % each * 8 - each * 4, offset;
		struct sink s = { .p = text, .size = sizeof(text) };
		const struct wire_symtab *t = process_symbols(PID, addr, &offset);

		unnamed += !t || !symtab_find(t, offset);
		symbol_print(&s, t, offset, addr, SYMBOL_DATA);
	}
	printf("samples\taddresses\timages\tunnamed\tseconds\tlimit\n%d\t%d\t%u\t%u\t%.2f\t2\n",
	       SAMPLES, ADDRESSES, images, unnamed, now() - began);
	process_clear();
	free(base);
	return 0;
}
