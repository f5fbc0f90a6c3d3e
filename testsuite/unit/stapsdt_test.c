/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stapsdt_test.c - how the arguments of marks are read: each form of both machines, and what is
 * refused.
 */
#include "translator/debuginfo/stapsdt.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *arch, *text, *expected;
} cases[] = {
	{ "x86_64", "-4@%edi", "size -4 register 5 bits 32" },
	{ "x86_64", "1@%ah", "size 1 register 0 bits 8 high" },
	{ "x86_64", "2@%r12w", "size 2 register 12 bits 16" },
	{ "x86_64", "8@$-5", "size 8 number -5" },
	{ "x86_64", "8@$0xffffffffffffffff", "size 8 number -1" },
	{ "x86_64", "-4@-20(%rbp)", "size -4 memory 6 + -20" },
	{ "x86_64", "-8@(%rdi,%rsi,4)", "size -8 memory 5 + 4 * 4 (8) + 0" },
	{ "x86_64", "8@16(,%rax,8)", "size 8 memory -1 + 0 * 8 (8) + 16" },
	{ "x86_64", "4@counter+8(%rip)", "size 4 memory 16 + 8 + counter" },
	{ "x86_64", "4@counter", "size 4 memory -1 + 0 + counter" },
	{ "x86_64", "8@%rsp", "size 8 register 7 bits 64" },
	{ "x86_64", "%rax", "size 8 register 0 bits 64" },
	{ "x86_64", "8f@%xmm0", "refused: it is a floating-point number" },
	{ "x86_64", "3@%rax", "refused: its size is none of 1, 2, 4, 8" },
	{ "x86_64", "4@%xmm1", "refused: its operand is one that lapwing does not know" },
	{ "x86_64", "4@(%rdi", "refused: its operand is one that lapwing does not know" },
	{ "x86_64", "4@(%rdi,%rsi,3)", "refused: its operand is one that lapwing does not know" },
	{ "x86_64", "4@(%rdi,%rsi,4294967297)", "refused: its operand is one that lapwing does not know" },
	{ "x86_64", "4@8(%rdi,,8)", "refused: its operand is one that lapwing does not know" },
	{ "x86_64", "4@8(,8)", "refused: its operand is one that lapwing does not know" },
	{ "x86_64", "-9223372036854775808@%rax", "refused: its size is none of 1, 2, 4, 8" },
	{ "x86_64", "4294967300@%rax", "refused: its size is none of 1, 2, 4, 8" },
	{ "arm64", "-4@w3", "size -4 register 3 bits 32" },
	{ "arm64", "8@x30", "size 8 register 30 bits 64" },
	{ "arm64", "8@sp", "size 8 register 31 bits 64" },
	{ "arm64", "-4@-7", "size -4 number -7" },
	{ "arm64", "2@[x0]", "size 2 memory 0 + 0" },
	{ "arm64", "2@[sp, 28]", "size 2 memory 31 + 28" },
	{ "arm64", "8@[x1, -16]", "size 8 memory 1 + -16" },
	{ "arm64", "8@[x1, x2]", "size 8 memory 1 + 2 * 1 (8) + 0" },
	{ "arm64", "8@[x1, x2, lsl 3]", "size 8 memory 1 + 2 * 8 (8) + 0" },
	{ "arm64", "-4@[x19, w3, sxtw #2]", "size -4 memory 19 + 3 * 4 (-4) + 0" },
	{ "arm64", "4@x31", "refused: its operand is one that lapwing does not know" },
	{ "arm64", "4@[w1]", "refused: its operand is one that lapwing does not know" },
	{ "arm64", "8@[x1, x2, ror 3]", "refused: its operand is one that lapwing does not know" },
};

static void describe(const struct stapsdt_argument *a, char *to, size_t room)
{
	char index[64] = "";

	if (a->where == STAPSDT_NUMBER)
		snprintf(to, room, "size %d number %lld", a->size, (long long)a->number);
	else if (a->where == STAPSDT_REGISTER)
		snprintf(to, room, "size %d register %d bits %d%s", a->size, a->base, a->base_bits,
			 a->base_high ? " high" : "");
	if (a->where != STAPSDT_MEMORY)
		return;
	if (a->index >= 0)
		snprintf(index, sizeof(index), "%d * %d (%d) + ", a->index, a->scale,
			 a->index_size);
	snprintf(to, room, "size %d memory %d + %s%lld%s%s", a->size, a->base, index,
		 (long long)a->number, *a->symbol ? " + " : "", a->symbol);
}

/* Returns 0 if the result is as expected. */
static int check_one(const char *arch, const char *text, const char *expected)
{
	struct stapsdt_argument a;
	const char *why = NULL, *at = text;
	char got[256];
	int how = stapsdt_argument(&at, arch, &a, &why);

	if (how > 0)
		describe(&a, got, sizeof(got));
	else
		snprintf(got, sizeof(got), "refused: %s", why);
	if (!strcmp(got, expected) && !*at)
		return 0;
	printf("%s %s: '%s', not '%s'\n", arch, text, got, expected);
	return 1;
}

int main(void)
{
	const char *several = " -4@%edi  8@-8(%rbp) ", *why;
	struct stapsdt_argument a;
	int failed = 0, n = 0;

	for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++)
		failed += check_one(cases[i].arch, cases[i].text, cases[i].expected);
	while (stapsdt_argument(&several, "x86_64", &a, &why) > 0)
		n++;
	if (n != 2) {
		printf("of two arguments %d are read\n", n);
		failed++;
	}
	return failed != 0;
}
