/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * array.h - rt_map_* and foreach: arrays of one map or of per-CPU maps that are added up for
 * reading.
 */
#ifndef LAPWING_CORE_ARRAY_H
#define LAPWING_CORE_ARRAY_H

#include "runtime/core/global.h"

/*
 * The map that holds the sum of all parts, made anew; with rows of the parts that it had no room
 * for left out. Nothing runs any more.
 */
struct map *array_total(const struct rt_map *m);

#endif
