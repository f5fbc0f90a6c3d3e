# runtime/core: the same in every runtime; also built into the kernel module (runtime/kernel/all.c).
# SPDX-License-Identifier: GPL-2.0-or-later
core_sources = \
	runtime/core/about.c runtime/core/about.h runtime/core/array.c runtime/core/array.h \
	runtime/core/backtrace.c runtime/core/backtrace.h runtime/core/bytes.h runtime/core/caller.c \
	runtime/core/caller.h runtime/core/core.h runtime/core/ctx.c runtime/core/ctx.h \
	runtime/core/errno.c runtime/core/errno.h runtime/core/floor.c runtime/core/floor.h runtime/core/fmt.c \
	runtime/core/fmt.h runtime/core/fp.c runtime/core/frame.c runtime/core/frame.h \
	runtime/core/global.c runtime/core/global.h runtime/core/goroutine.h runtime/core/hist.c runtime/core/hist.h \
	runtime/core/event_kind.h runtime/core/hit_times.h runtime/core/map.c runtime/core/map.h runtime/core/moments.c \
	runtime/core/moments.h runtime/core/names.c runtime/core/num.h runtime/core/output.c \
	runtime/core/output.h runtime/core/partial.c runtime/core/partial.h runtime/core/phase.c \
	runtime/core/phase.h runtime/core/port.h runtime/core/probe_stats.c runtime/core/probe_stats.h \
	runtime/core/procfs.c runtime/core/procfs.h runtime/core/refuse.c runtime/core/refuse.h \
	runtime/core/regex.c runtime/core/run_error.c runtime/core/run_error.h runtime/core/runtime.h \
	runtime/core/sampling.c runtime/core/sampling.h runtime/core/sink.h runtime/core/stack.c \
	runtime/core/stack.h runtime/core/stat.c runtime/core/stat.h runtime/core/str.c \
	runtime/core/str.h runtime/core/symbol.c runtime/core/symbol.h runtime/core/text.c \
	runtime/core/value.c runtime/core/vary.h runtime/core/vcount.h \
	runtime/embed.h runtime/handler.h runtime/rt.h runtime/wire.h

# What the reader needs of it, without a script behind it.
noinst_LIBRARIES += librt_read.a
librt_read_a_SOURCES = runtime/core/fmt.c runtime/core/frame.c runtime/core/hist.c runtime/core/run_error.c runtime/core/symbol.c
