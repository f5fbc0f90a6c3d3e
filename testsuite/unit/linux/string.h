/* SPDX-License-Identifier: GPL-2.0-or-later */
/* string.h - for message_test.c: libc's string functions. */
#include <string.h>
