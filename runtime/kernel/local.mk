# runtime/kernel: source only; kbuild compiles it with every script (module.mk).
# SPDX-License-Identifier: GPL-2.0-or-later
nobase_dist_pkgdata_DATA = $(core_sources) \
	runtime/kernel/act.c runtime/kernel/act.h \
	runtime/kernel/all.c \
	runtime/kernel/arg.c \
	runtime/kernel/arg.h \
	runtime/kernel/bind.c \
	runtime/kernel/bind.h \
	runtime/kernel/compat.h \
	runtime/kernel/compat/has_rethook_pool.c \
	runtime/kernel/compat/has_rethook_types.c \
	runtime/kernel/compat/has_timekeeper.c \
	runtime/kernel/compat_regs.h \
	runtime/kernel/compat_uprobe.h runtime/kernel/compat/has_uprobe_data.c runtime/kernel/compat/has_uprobe_handle.c \
	runtime/kernel/compat_walk.h \
	runtime/kernel/context.c \
	runtime/kernel/context.h \
	runtime/kernel/control.c \
	runtime/kernel/embedded.h runtime/kernel/empty.c \
	runtime/kernel/enter.c \
	runtime/kernel/enter.h \
	runtime/kernel/family.h \
	runtime/kernel/family_function.c \
	runtime/kernel/family_hwbreak.c \
	runtime/kernel/family_pmu.c runtime/kernel/family_procfs.c \
	runtime/kernel/family_process.c \
	runtime/kernel/family_profile.c \
	runtime/kernel/family_timer.c \
	runtime/kernel/hotplug.c runtime/kernel/hotplug.h \
	runtime/kernel/family_tracepoint.c runtime/kernel/family_uprobe.c \
	runtime/kernel/function_filter.c runtime/kernel/function_filter.h \
	runtime/kernel/function_late.c runtime/kernel/function_late.h runtime/kernel/function_return.c \
	runtime/kernel/function_return.h \
	runtime/kernel/life.c runtime/kernel/life.h \
	runtime/kernel/locks.c \
	runtime/kernel/locks.h \
	runtime/kernel/memory.c \
	runtime/kernel/memory.h \
	runtime/kernel/message.c \
	runtime/kernel/module.c \
	runtime/kernel/module.mk \
	runtime/kernel/newcomers.c runtime/kernel/newcomers.h runtime/kernel/tree.c runtime/kernel/tree.h runtime/kernel/nothing.c \
	runtime/kernel/oops.c \
	runtime/kernel/oops.h \
	runtime/kernel/overload.c \
	runtime/kernel/pmu.c runtime/kernel/pmu.h \
	runtime/kernel/program.c runtime/kernel/program.h runtime/kernel/progress.c runtime/kernel/progress.h \
	runtime/kernel/register.c \
	runtime/kernel/regs.c \
	runtime/kernel/ring.c \
	runtime/kernel/session.c \
	runtime/kernel/session.h \
	runtime/kernel/stack.c \
	runtime/kernel/step.c runtime/kernel/step.h \
	runtime/kernel/symbols.c \
	runtime/kernel/task.c runtime/kernel/tracepoint.h runtime/kernel/uprobe_call.c runtime/kernel/uprobe_call.h \
	runtime/kernel/time.c
