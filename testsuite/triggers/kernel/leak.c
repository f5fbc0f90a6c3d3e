// SPDX-License-Identifier: GPL-2.0-or-later
/* leak.c - leaks memory when it is loaded, to test that kmemleak finds leaks. */
#include <linux/compiler.h>
#include <linux/module.h>
#include <linux/slab.h>

static noinline int leak_some(void)
{
	void *p;
	int i;

	for (i = 0; i < 10; i++) {
		p = kmalloc(100, GFP_KERNEL);
		if (!p)
			return -ENOMEM;
		OPTIMIZER_HIDE_VAR(p);
	}
	return 0;
}

static int __init leak_init(void)
{
	return leak_some();
}

static void __exit leak_exit(void)
{
}

module_init(leak_init);
module_exit(leak_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("a memory leak");
