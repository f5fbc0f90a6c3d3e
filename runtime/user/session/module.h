/* SPDX-License-Identifier: GPL-2.0-or-later */
/* module.h - struct wire_module: open, commands, rounds, close. */
#ifndef LAPWING_USER_SESSION_MODULE_H
#define LAPWING_USER_SESSION_MODULE_H

#include "runtime/user/user.h"

/* Reads what there is before the first probe is armed, when records come. Once. */
void run_look_around(void);

#endif
