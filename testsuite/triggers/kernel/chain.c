// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chain.c - a known chain of calls in the kernel: writing N to the parameter `go` calls chain_top(), which calls chain_deeper() N deep,
 * the last of which calls chain_end(). That calls jiffies64_to_nsecs() and jiffies64_to_msecs(), spins for 300 ms in chain_spin() and
 * sleeps.
 */
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("a known chain of calls");

static noinline u64 chain_leaf(u64 n)
{
	return n * n;
}

/* No leaf: where a leaf makes no frame record, its caller is not on the stack that an interrupt sees. */
static noinline u64 chain_spin(void)
{
	unsigned long end = jiffies + msecs_to_jiffies(300);
	u64 n = chain_leaf(end);

	while (time_before(READ_ONCE(jiffies), end))
		n++;
	return n;
}

static noinline u64 chain_end(void)
{
	u64 n = jiffies64_to_nsecs(7) + jiffies64_to_msecs(get_jiffies_64());

	n += chain_spin();
	msleep(20);
	return n + 1;
}

static noinline u64 chain_deeper(int depth)
{
	u64 n = depth > 1 ? chain_deeper(depth - 1) : chain_end();

	return n ^ n >> 3;	/* nothing that a compiler makes a loop of */
}

static noinline u64 chain_top(int depth)
{
	return chain_deeper(depth) + 3;
}

static u64 chain_result;

static int chain_go(const char *text, const struct kernel_param *kp)
{
	int depth, rc = kstrtoint(text, 10, &depth);

	if (!rc)
		WRITE_ONCE(chain_result, chain_top(depth));
	return rc;
}

static const struct kernel_param_ops chain_ops = { .set = chain_go };
module_param_cb(go, &chain_ops, NULL, 0200);

static int __init chain_up(void) { return 0; }
static void __exit chain_down(void) { }
module_init(chain_up);
module_exit(chain_down);
