/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core.h - the seam between the portable core and a runtime, for a runtime to include.
 *
 * Most of rt.h (maps, statistics, strings, formatting, output items, errors) is the same code in
 * every runtime and lives in runtime/core.  What differs is what a runtime gives to the core
 * (runtime.h), and what it does with what the core gives to it (the other headers below).
 * Generated code never includes this; files of the core include what they use.
 *
 * core/map.h, core/stat.h, core/hist.h, core/fmt.h ... are the layer beneath: pure data structures
 * on memory the caller provides, no rt_ctx, usable by the reader (runtime/run) and by reports too.
 */
#ifndef LAPWING_CORE_H
#define LAPWING_CORE_H

#include "runtime/core/about.h"
#include "runtime/core/books.h"
#include "runtime/core/ctx.h"
#include "runtime/core/floor.h"
#include "runtime/core/frame.h"
#include "runtime/core/global.h"
#include "runtime/core/output.h"
#include "runtime/core/partial.h"
#include "runtime/core/runtime.h"
#include "runtime/core/str.h"
#include "runtime/rt.h"
#include "runtime/wire.h"

#endif
