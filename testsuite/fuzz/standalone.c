/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * standalone.c - runs a fuzz entry without libFuzzer: a bounded number of inputs from a seeded
 * generator, and the files that are named.
 *
 * 	PROGRAM [ROUNDS [FILE...]]
 *
 * Inputs are random bytes, words of a small vocabulary, and mutations of the input before. The
 * generator is seeded: a failure comes again.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const words[] = {
	"%d",     "%s",      "%5",   "%-",     "%.*", "%08x", "%p",      "%c",  "%%",     "%m",
	"probe ", "begin",   "{",    "}",      "(",   ")",    "global ", "x",   "=",      "1",
	";",      "foreach", " in ", "printf", "\"",  "[",    "]",       "<<<", "@count", "if",
	"\n",     "/*",      "*/",   "$a",     "->",  ",",    "%(",      "%?",  "%:",     "%)",
};

static size_t generate(uint8_t *data, size_t room, size_t last, unsigned *seed)
{
	size_t n = last;

	switch (rand_r(seed) % 3) {
	case 0:
		n = (size_t)rand_r(seed) % room;
		for (size_t i = 0; i < n; i++)
			data[i] = (uint8_t)(rand_r(seed) >> (rand_r(seed) % 8));
		break;
	case 1:
		for (n = 0; n + 16 < room && rand_r(seed) % 60; ) {
			const char *w =
				words[(size_t)rand_r(seed) % (sizeof(words) / sizeof(words[0]))];

			memcpy(data + n, w, strlen(w));
			n += strlen(w);
		}
		break;
	default:
		for (int i = rand_r(seed) % 8; i >= 0 && n; i--)
			data[(size_t)rand_r(seed) % n] ^= (uint8_t)(1 << rand_r(seed) % 8);
	}
	return n;
}

static void run_file(const char *path)
{
	static uint8_t bytes[1 << 20];
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(bytes, 1, sizeof(bytes), f) : 0;
	uint8_t *copy = malloc(n + 1);

	if (!f) {
		perror(path);
		exit(2);
	}
	fclose(f);
	memcpy(copy, bytes, n);
	LLVMFuzzerTestOneInput(copy, n);
	free(copy);
}

int main(int argc, char **argv)
{
	static uint8_t data[8192];
	long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 20000;
	unsigned seed = 1;
	size_t n = 0;

	for (long i = 0; i < rounds; i++) {
		uint8_t *copy;

		n = generate(data, i % 50 ? 600 : sizeof(data), n, &seed);
		/* of its own size, so that a read past it is seen */
		copy = malloc(n + 1);
		memcpy(copy, data, n);
		LLVMFuzzerTestOneInput(copy, n);
		free(copy);
	}
	for (int i = 2; i < argc; i++)
		run_file(argv[i]);
	return 0;
}
