/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * types.c - a fake kernel: compiled with -gbtf, it gives the BTF for the expressions file.
 */
typedef unsigned int u32;
enum colour { RED, GREEN = 7, BLUE = -2 };
struct point { int x, y; };
struct pair { long a, b; };
struct large { long a, b, c; };
struct inner { short s; unsigned char u; };
struct thing {
	int id;
	unsigned ready : 1;
	int level : 5;
	union {
		long number;
		struct { u32 low, high; };
	};
	char name[16];
	enum colour colour;
	struct inner inner, *other;
	struct thing *next;
	int table[4];
};
struct bits { struct thing head; unsigned one : 3, two : 30; signed char least; };

long simple(struct thing *t, unsigned char narrow, short s, const char *text, int fifth, u32 sixth,
	    long seventh, char eighth, long ninth);
long simple(struct thing *t, unsigned char narrow, short s, const char *text, int fifth, u32 sixth,
	    long seventh, char eighth, long ninth)
{
	return t->id + narrow + s + *text + fifth + sixth + seventh + eighth + ninth;
}

struct point by_value(struct point p, struct pair q, struct large l, long after, struct bits *b);
struct point by_value(struct point p, struct pair q, struct large l, long after, struct bits *b)
{
	p.x += q.a + q.b + l.c + after + b->two;
	return p;
}

struct pair two_words(int first);
struct pair two_words(int first)
{
	return (struct pair){ first, -first };
}

struct large in_memory(int first);
struct large in_memory(int first)
{
	return (struct large){ first, 2, 3 };
}

void nothing(void);
void nothing(void)
{
}

int __traceiter_event(void *data, _Bool yes, struct thing *t);
int __traceiter_event(void *data, _Bool yes, struct thing *t)
{
	return yes + t->id + !data;
}
