/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core.h - the interface between the portable core and a runtime.
 *
 * Most of rt.h (maps, statistics, strings, formatting, output items, errors)
 * is the same code in every runtime and lives in runtime/core.  What a runtime
 * provides to the core is in runtime.h; what the core provides to a runtime is
 * in the headers of its files.  Generated code never includes these.
 *
 * core/map.h, core/stat.h, core/hist.h, core/fmt.h ... are the layer beneath:
 * pure data structures on memory the caller provides, no rt_ctx, usable by
 * the reader (runtime/run) and by reports too.
 */
#ifndef LAPWING_CORE_H
#define LAPWING_CORE_H

#include "runtime/core/frame.h"
#include "runtime/core/runtime.h"
#include "runtime/rt.h"
#include "runtime/wire.h"

#endif
