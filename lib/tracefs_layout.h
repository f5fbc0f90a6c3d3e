/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs_layout.h - which layout the records of a trace event have, as its format file in tracefs
 * describes them.
 */
#ifndef LAPWING_TRACEFS_LAYOUT_H
#define LAPWING_TRACEFS_LAYOUT_H

#include <stdint.h>

/*
 * A number that two texts of format files share whose fields are the same, at the same places
 * (64-bit FNV-1a of these lines); never 0.
 */
uint64_t tracefs_layout(const char *format);

#endif
