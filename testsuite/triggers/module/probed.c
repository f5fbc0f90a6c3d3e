// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * probed.c - a module to be probed: writing N to its parameter `go` runs a known computation N times; to `time`, calls an empty function N
 * times and a loop of some ms 10 times; how many ns the fastest took is in `spun`; to `calls`, has functions call each other and
 * themselves N deep.
 *
 * Built with debug information and BTF, both of which must say the same. Tests name lines by their functions' first ones, and from 1000 on.
 */
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

struct probed_box {
	int			width;
	unsigned int		ready : 1;
	int			level : 6;
	unsigned int		wide : 25;
	union { long all; int half[2]; };
	char			name[8];
	struct probed_box	*next;
};

struct probed_pair { long a, b; };

static struct probed_box probed_first = { .width = 7, .ready = 1, .level = -3, .wide = 1234567, .all = -1, .name = "first" };
static long probed_sum;

static __always_inline int probed_area(const struct probed_box *b, int scale)
{
	int product = b->width * scale;

	asm volatile("" : "+r" (product));
	return product;
}

noinline struct probed_pair probed_pair(struct probed_pair in, signed char narrow)
{
	struct probed_pair out = { in.a + narrow, in.b - narrow };

	asm volatile("");
	return out;
}

noinline long probed_many(int a, int b, int c, int d, int e, int f, int g, int h, int i, short last)
{
	asm volatile("");
	return a + b + c + d + e + f + g + h + i + last;
}

noinline int probed_work(struct probed_box *box, unsigned char times)
{
	int sum = 0, n;

	for (n = 0; n < times; n++) {
		sum += probed_area(box, n);
		asm volatile("" : "+r" (sum), "+r" (box) : "r" (times));
	}
	return sum;
}

/* Inlined where it is called, and called through a pointer. */
static __always_inline int probed_both(int n)
{
	asm volatile("" : "+r" (n));
	if (n < 0)
		goto negative;
	return n + 1;
negative:
	asm volatile("");
	return n - 1;
}

static int (*volatile probed_pointer)(int n) = probed_both;

noinline int probed_leaf(int n)
{
	asm volatile("");
	return n * 2;
}

noinline int probed_caller(int n)
{
	return probed_leaf(n) + probed_leaf(n + 1);
}

static int probed_lines(int n);

static int probed_go(const char *text, const struct kernel_param *param)
{
	unsigned int n, count;

	if (kstrtouint(text, 0, &count))
		return -EINVAL;
	for (n = 1; n <= count; n++) {
		int both = probed_both(n) + probed_pointer(-(int)n);
		struct probed_pair pair = probed_pair((struct probed_pair){ n, -(long)n }, -2);

		probed_sum += probed_caller(n) + probed_leaf(100);
		probed_sum += probed_work(&probed_first, 4) + pair.a + probed_many(1, 2, 3, 4, 5, 6, 7, 8, 9, -10) + both + probed_lines(n);
	}
	return 0;
}

static const struct kernel_param_ops probed_operations = { .set = probed_go };
module_param_cb(go, &probed_operations, NULL, 0200);

/* ---- known calls: each of calls(N) is one of even(N), which calls odd(N - 1), and so on down to 0; count(N) calls itself ------*/

noinline int probed_odd(int n);

noinline int probed_even(int n)
{
	int sum = n ? probed_odd(n - 1) : probed_leaf(n);

	asm volatile("" : "+r" (sum));
	return sum;
}

noinline int probed_odd(int n)
{
	int sum = n ? probed_even(n - 1) : probed_leaf(n);

	asm volatile("" : "+r" (sum));
	return sum;
}

noinline int probed_count(int n)
{
	int sum = n > 1 ? probed_count(n - 1) : probed_leaf(n);

	asm volatile("" : "+r" (sum));
	return sum;
}

static int probed_calls(const char *text, const struct kernel_param *param)
{
	unsigned int n;

	if (kstrtouint(text, 0, &n))
		return -EINVAL;
	probed_sum += probed_even((int)n) + probed_count((int)n) + probed_caller((int)n);
	return 0;
}

static const struct kernel_param_ops probed_calls_operations = { .set = probed_calls };
module_param_cb(calls, &probed_calls_operations, NULL, 0200);

/* ---- a known time ------------------------------------------------------------*/

static unsigned long probed_spun;
module_param_named(spun, probed_spun, ulong, 0400);

noinline void probed_nothing(void)
{
	asm volatile("");
}

noinline void probed_spin(unsigned long n)
{
	for (; n; n--)
		asm volatile("" : "+r" (n));
}

static int probed_time(const char *text, const struct kernel_param *param)
{
	unsigned int count, i;
	u64 began, took;

	if (kstrtouint(text, 0, &count))
		return -EINVAL;
	for (i = 0; i < count; i++)
		probed_nothing();
	for (i = 0; i < 10; i++) {
		began = ktime_get_ns();
		probed_spin(20000000);
		took = ktime_get_ns() - began;
		probed_spun = i && took > probed_spun ? probed_spun : took;
	}
	return 0;
}

static const struct kernel_param_ops probed_time_operations = { .set = probed_time };
module_param_cb(time, &probed_time_operations, NULL, 0200);

static int __init probed_up(void)
{
	return 0;
}

static void __exit probed_down(void)
{
}

/* ---- lines that tests name ------------------------------------------------------*/

#line 1000
static noinline int probed_lines(int n)
{
	int twice = n * 2;
	asm volatile("" : "+r" (twice));
	if (twice > 4) {
		asm volatile("" : "+r" (n));
		n++;
	}
	asm volatile("" : "+r" (twice));
	return twice + n;
}

module_init(probed_up);
module_exit(probed_down);
MODULE_DESCRIPTION("a module to be probed");
MODULE_LICENSE("GPL");
