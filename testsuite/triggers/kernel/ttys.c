// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ttys.c - a driver of terminals, of which it registers numbers 1 and 2 when the module is loaded, and unregisters them when it goes.
 */
#include <linux/module.h>
#include <linux/tty.h>
#include <linux/tty_driver.h>

static const struct tty_operations nothing;
static struct tty_driver *driver;

static int __init ttys_init(void)
{
	int error;

	driver = tty_alloc_driver(3, TTY_DRIVER_DYNAMIC_DEV | TTY_DRIVER_REAL_RAW);
	if (IS_ERR(driver))
		return PTR_ERR(driver);
	driver->driver_name = "a_driver";
	driver->name = "ttyLW";
	driver->type = TTY_DRIVER_TYPE_SERIAL;
	driver->subtype = SERIAL_TYPE_NORMAL;
	driver->init_termios = tty_std_termios;
	tty_set_operations(driver, &nothing);
	error = tty_register_driver(driver);
	if (error) {
		tty_driver_kref_put(driver);
		return error;
	}
	tty_register_device(driver, 1, NULL);
	tty_register_device(driver, 2, NULL);
	return 0;
}

static void __exit ttys_exit(void)
{
	tty_unregister_device(driver, 2);
	tty_unregister_device(driver, 1);
	tty_unregister_driver(driver);
	tty_driver_kref_put(driver);
}

module_init(ttys_init);
module_exit(ttys_exit);
MODULE_LICENSE("GPL");
