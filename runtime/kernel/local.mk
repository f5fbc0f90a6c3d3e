# runtime/kernel: source only; kbuild compiles it with every script (module.mk).
# SPDX-License-Identifier: GPL-2.0-or-later
nobase_dist_pkgdata_DATA = $(core_sources) lib/run_error.def runtime/kernel/module.mk \
	runtime/kernel/all.c runtime/kernel/embedded.h runtime/kernel/empty_script.c \
	runtime/kernel/base/fault_inject.c runtime/kernel/base/fault_inject.h \
	runtime/kernel/base/hotplug.c runtime/kernel/base/hotplug.h runtime/kernel/base/memory.c \
	runtime/kernel/base/memory.h runtime/kernel/base/run_state.c \
	runtime/kernel/base/run_state.h runtime/kernel/base/time.c runtime/kernel/base/time.h \
	runtime/kernel/compat/compat.h runtime/kernel/compat/compat_netfilter.h runtime/kernel/compat/compat_names.h \
	runtime/kernel/compat/compat_regs.h runtime/kernel/compat/compat_uprobe.h \
	runtime/kernel/compat/compat_walk.h runtime/kernel/compat/has.sh \
	runtime/kernel/compat/has_ftrace_filter_ips.c \
	runtime/kernel/compat/has_ftrace_regs.c runtime/kernel/compat/has_get_kretprobe.c \
	runtime/kernel/compat/has_group_exec_task.c runtime/kernel/compat/has_hrtimer_setup.c \
	runtime/kernel/compat/has_pde_data.c runtime/kernel/compat/has_rethook_pool.c \
	runtime/kernel/compat/has_rethook_types.c runtime/kernel/compat/has_sample_flags.c \
	runtime/kernel/compat/has_nf_hook_ops.c runtime/kernel/compat/has_probestub.c \
	runtime/kernel/compat/has_switch_state.c runtime/kernel/compat/has_weight_struct.c \
	runtime/kernel/compat/has_system_dfl_wq.c \
	runtime/kernel/compat/has_timekeeper.c runtime/kernel/compat/has_trace_puts_text.c \
	runtime/kernel/compat/has_uprobe_data.c runtime/kernel/compat/has_uprobe_handle.c \
	runtime/kernel/transport/message.c runtime/kernel/transport/message.h \
	runtime/kernel/transport/progress.c runtime/kernel/transport/progress.h \
	runtime/kernel/transport/ring.c runtime/kernel/transport/ring.h \
	runtime/kernel/context/arg.c runtime/kernel/context/arg.h runtime/kernel/context/context.c \
	runtime/kernel/context/context.h runtime/kernel/context/enter.c runtime/kernel/context/enter.h \
	runtime/kernel/context/locks.c runtime/kernel/context/locks.h runtime/kernel/context/oops.c \
	runtime/kernel/context/oops.h runtime/kernel/context/target.c runtime/kernel/context/target.h \
	runtime/kernel/values/act.c runtime/kernel/values/act.h runtime/kernel/values/pmu.c \
	runtime/kernel/values/pmu.h runtime/kernel/values/register.c runtime/kernel/values/regs.c \
	runtime/kernel/values/task.c \
	runtime/kernel/stacks/bind.c runtime/kernel/stacks/bind.h runtime/kernel/stacks/stack.c \
	runtime/kernel/stacks/stack.h runtime/kernel/stacks/symbols.c runtime/kernel/stacks/symbols.h \
	runtime/kernel/probes/breakpoint.c runtime/kernel/probes/breakpoint.h \
	runtime/kernel/probes/calibration_stub.c runtime/kernel/probes/calibration_stub.h \
	runtime/kernel/probes/exe_file.c runtime/kernel/probes/exe_file.h \
	runtime/kernel/probes/existing_tasks.c runtime/kernel/probes/existing_tasks.h \
	runtime/kernel/probes/family.h runtime/kernel/probes/family_function.c \
	runtime/kernel/probes/family_function.h runtime/kernel/probes/family_hwbreak.c \
	runtime/kernel/probes/family_netfilter.c \
	runtime/kernel/probes/family_pmu.c runtime/kernel/probes/family_process.c \
	runtime/kernel/probes/family_procfs.c runtime/kernel/probes/family_procfs.h \
	runtime/kernel/probes/family_profile.c runtime/kernel/probes/family_profile.h \
	runtime/kernel/probes/tracepoint_stub.c runtime/kernel/probes/tracepoint_stub.h \
	runtime/kernel/probes/family_timer.c runtime/kernel/probes/family_tracepoint.c \
	runtime/kernel/probes/family_tracepoint.h runtime/kernel/probes/family_uprobe.c \
	runtime/kernel/probes/family_uprobe.h runtime/kernel/probes/function_deferred.c \
	runtime/kernel/probes/function_deferred.h runtime/kernel/probes/function_filter.c \
	runtime/kernel/probes/function_filter.h runtime/kernel/probes/function_return.c \
	runtime/kernel/probes/function_return.h runtime/kernel/probes/life.c \
	runtime/kernel/probes/life.h runtime/kernel/probes/target_tree.c \
	runtime/kernel/probes/target_tree.h runtime/kernel/probes/uprobe_call.c \
	runtime/kernel/probes/uprobe_call.h runtime/kernel/probes/family_watchpoint.c runtime/kernel/probes/family_watchpoint.h \
	runtime/kernel/session/control.c runtime/kernel/session/control.h \
	runtime/kernel/session/module.c runtime/kernel/session/overload.c \
	runtime/kernel/session/overload.h runtime/kernel/session/session.c \
	runtime/kernel/session/session.h
