/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * marks.c - marks as <sys/sdt.h> writes them, with 1 to 12 arguments of all sizes and signs: in
 * registers, in memory, constant. The mark `guarded` is passed three times, and only while its
 * semaphore says that somebody listens.
 */
#include <stdint.h>

unsigned short marks_guarded_semaphore __attribute__((section(".probes"), used));

/* The note of a mark at this place; the arguments as text, then their operands. */
#define MARK(name, semaphore, arguments, ...) \
	__asm__ volatile("990: nop\n" \
		".pushsection .note.stapsdt, \"\", \"note\"\n" \
		".balign 4\n.4byte 992f - 991f, 994f - 993f, 3\n" \
		"991: .asciz \"stapsdt\"\n992: .balign 4\n" \
		"993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte " semaphore "\n" \
		".asciz \"marks\"\n.asciz \"" name "\"\n.asciz \"" arguments "\"\n" \
		"994: .balign 4\n.popsection\n.ifndef _.stapsdt.base\n" \
		".pushsection .stapsdt.base, \"aG\", \"progbits\", .stapsdt.base, comdat\n" \
		".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n" \
		".size _.stapsdt.base, 1\n.popsection\n.endif\n" \
		: : __VA_ARGS__)

#ifdef __aarch64__
#define MINUS_SEVEN "-4@-7"
#define INDEXED "-4@[%0, %1, lsl 2] 8@%1"
#else
#define MINUS_SEVEN "-4@$-7"
#define INDEXED "-4@(%0,%1,4) 8@%1"
#endif

struct values {
	int8_t s8;
	uint8_t u8;
	int16_t s16;
	uint16_t u16;
	int32_t s32;
	uint32_t u32;
	int64_t s64;
	uint64_t u64;
	int32_t many[4];
};

__attribute__((noinline)) static void pass(volatile struct values *v, const char *text, int64_t s64)
{
	int32_t s32 = v->s32;
	uint32_t u32 = v->u32;
	int16_t s16 = v->s16;
	uint8_t u8 = v->u8;

	MARK("one", "0", "-8@%0", "r"(s64));
	MARK("four", "0", "-4@%0 4@%1 -2@%2 1@%3", "r"(s32), "r"(u32), "r"(s16), "r"(u8));
	MARK("eight", "0", "-1@%0 1@%1 -2@%2 2@%3 -4@%4 4@%5 -8@%6 8@%7", "m"(v->s8), "m"(v->u8),
	     "m"(v->s16), "m"(v->u16), "m"(v->s32), "m"(v->u32), "m"(v->s64), "m"(v->u64));
	MARK("twelve", "0",
	     "-1@%0 1@%1 -2@%2 2@%3 -4@%4 4@%5 -8@%6 8@%7 " MINUS_SEVEN " 8@%8 -4@%9 -4@%10",
	     "m"(v->s8), "r"(u8), "r"(s16), "m"(v->u16), "r"(s32), "r"(u32), "r"(s64), "m"(v->u64),
	     "r"(text), "m"(v->many[2]), "m"(v->many[3]));
}

int main(void)
{
	volatile struct values v = { -1, 200, -2, 60000, -3, 4000000000u, -4, 0x8000000000000005ull,
				     { 10, 11, -12, 13 } };

	for (long i = 0; i < 3; i++) {
		MARK("indexed", "0", INDEXED, "r"(v.many), "r"(i));
		pass(&v, "a text", -4000000000ll);
		if (*(volatile unsigned short *)&marks_guarded_semaphore)
			MARK("guarded", "marks_guarded_semaphore", "-4@%0", "r"((int)i));
	}
	return 0;
}
