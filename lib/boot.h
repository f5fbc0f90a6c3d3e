/* SPDX-License-Identifier: GPL-2.0-or-later */
/* boot.h - which start of the kernel this is: its addresses hold until the next. */
#ifndef LAPWING_LIB_BOOT_H
#define LAPWING_LIB_BOOT_H

/* A number of 36 characters, random at each start; "": unknown. The library keeps it. */
const char *boot_id(void);

#endif
