/* SPDX-License-Identifier: GPL-2.0-or-later */
/* string.h - for message_test.c: libc's. */
#include <string.h>
