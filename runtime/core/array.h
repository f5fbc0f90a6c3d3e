/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * array.h - rt_map_* and foreach: arrays of one map or of per-CPU maps that are added up for
 * reading.
 */
#ifndef LAPWING_CORE_ARRAY_H
#define LAPWING_CORE_ARRAY_H

#include "runtime/core/global.h"

/*
 * Rebuilds the map with the sum of all parts, and returns it; rows that do not fit are left out.
 * When nothing runs any more.
 */
struct map *array_total(const struct rt_map *m);

#endif
