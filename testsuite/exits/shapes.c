/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shapes.c - functions whose calls end in many ways, as compilers write them: check.sh compiles this
 * for both machines, with many flags. All are to be accepted but dynamic(): that its code is reached
 * by addresses that it puts on the stack is not known.
 */
extern int elsewhere(int n);
extern void gone(int n) __attribute__((noreturn));
extern int work(int *p, int n);
int (*chosen)(int n);

int leaf(int n)
{
	return n * 3;
}

int tail(int n)
{
	return elsewhere(n + 1);
}

int tail_by_pointer(int n)
{
	return chosen(n + 1);
}

int tail_perhaps(int *p, int n)
{
	if (n > 5)
		return elsewhere(n);
	if (n > 2)
		return work(p, n) + 1;
	return leaf(n);
}

int dense(int *p, int n)
{
	switch (n) {
	case 1: return work(p, 7);
	case 2: work(p, 1); work(p, 2); return 4;
	case 3: return elsewhere(3) + 5;
	case 4: work(p, 9); return work(p, 3) + 8;
	case 5: return *p;
	case 6: *p = 4; return 17;
	case 7: work(p + 1, 7); break;
	case 8: gone(2);
	case 9: work(p, 2); work(p, 21); work(p, 4); break;
	}
	return 0;
}

/* A table has entries that are never used: clang's lead behind the function. */
int certain(int *p, int n)
{
	switch (n) {
	case 0: return work(p, 7);
	case 1: work(p, 1); return 4;
	case 2: return elsewhere(3) + 5;
	case 6: work(p, 9); return work(p, 3) + 8;
	case 7: return elsewhere(n);
	default: __builtin_unreachable();
	}
}

/* More than bytes of distances can say. */
#define EIGHT(n) \
	case n: work(p, n + 900); work(p + 1, n * 3); *p += elsewhere(n) / 7; break; \
	case n + 1: work(p + 2, n * 5); *p ^= n; elsewhere(n + 4); break; \
	case n + 2: p[n] = work(p, *p) * 9; break; \
	case n + 3: p[n + 1] -= elsewhere(*p) << 3; work(p + n, n); break; \
	case n + 4: return work(p + n, n + 77) * work(p, 3); \
	case n + 5: p[3] = p[4] / n; work(p + 5, 5); break; \
	case n + 6: elsewhere(elsewhere(n)); p[8] = p[9] * p[10]; break; \
	case n + 7: return elsewhere(n * 11);

int large(int *p, unsigned n)
{
	switch (n) {
	EIGHT(1) EIGHT(9) EIGHT(17) EIGHT(25) EIGHT(33) EIGHT(41)
	EIGHT(49) EIGHT(57) EIGHT(65) EIGHT(73) EIGHT(81) EIGHT(89)
	}
	return *p;
}

/* An interpreter: the address of its table is kept in a register while it runs. */
int loop(const unsigned char *code, int *p)
{
	for (;;)
		switch (*code++) {
		case 0: return *p;
		case 1: *p += 1; break;
		case 2: *p *= 3; break;
		case 3: work(p, 3); break;
		case 4: p++; break;
		case 5: code += *p; break;
		case 6: *p = elsewhere(*p); break;
		case 7: return elsewhere(4);
		default: gone(*p);
		}
}

int distances(int n, int *p)
{
	static const int table[] = { &&a - &&a, &&b - &&a, &&c - &&a, &&d - &&a };

	goto *(&&a + table[n & 3]);
a:
	return work(p, 1);
b:
	*p = 3;
	goto *(&&a + table[elsewhere(n) & 3]);
c:
	work(p, 3);
d:
	return 9;
}

int addresses(int n, int *p)
{
	static void *const table[] = { &&a, &&b, &&c, &&d };

	goto *table[n & 3];
a:
	return work(p, 1);
b:
	*p = 3;
	goto *table[elsewhere(n) & 3];
c:
	work(p, 3);
d:
	return 9;
}

int dynamic(int n, int *p)
{
	void *volatile table[] = { &&a, &&b };

	goto *table[n & 1];
a:
	return work(p, 1);
b:
	return elsewhere(n) + 4;
}

/* One part is where code is that is rarely executed. */
int cold(int *p, int n)
{
	if (__builtin_expect(n > 1000, 0)) {
		if (work(p, 4))
			gone(n);
		*p = elsewhere(work(p, 7) + 1);
		return n == 1001 ? work(p, 1) : *p;
	}
	return work(p, n) + work(p, 3);
}

int only_gone(int n)
{
	gone(n);
}

int again(int n)
{
	return n ? again(n - 1) + again(n / 2) : 1;
}

int again_at_end(int n, int *p)
{
	if (n == *p)
		return 5;
	work(p, n);
	return again_at_end(n - 1, p);
}

static void release(int *p)
{
	work(p, 0);
}

/* Code that only exceptions reach. */
int cleaned(int *p, int n)
{
	int held __attribute__((cleanup(release))) = elsewhere(n);

	return n > 3 ? work(&held, *p) : elsewhere(held);
}

/* The stack pointer is not where the compiler knows it. */
int moving(int n)
{
	int room[n + 1];

	room[n] = 0;
	return work(room, n) ? elsewhere(n) : room[n / 2];
}

int aligned(int n)
{
	int room[16] __attribute__((aligned(64))) = { n };

	if (n < 0)
		return 1;
	return work(room, n);
}

/* What is pushed is popped where a jump to it begins to return. */
int many(int a, int b, int c, int d, int e, int f, int g, int *p)
{
	int n = work(p, a + b) * work(p, c + d) + work(p, e + f) * g;

	if (n == 5)
		return elsewhere(n);
	work(p, n);
	return a + b + c + d + e + f + n;
}
