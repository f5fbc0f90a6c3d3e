# runtime/user: the user runtime. librt_user.a is linked into every script's shared object:
#   gcc -shared -o script.so script.c -Wl,--whole-archive librt_user.a -Wl,--no-whole-archive
# SPDX-License-Identifier: GPL-2.0-or-later
rtlibdir = $(pkglibexecdir)
rtlib_LIBRARIES = librt_user.a
librt_user_a_CFLAGS = -std=gnu11 -O2 -fPIC -fwrapv -fno-strict-aliasing -fvisibility=hidden $(WARN_FLAGS)
# A linker copies debugging information into each script's shared object, which takes as long as the rest of linking. With -ggdb it is there.
$(librt_user_a_OBJECTS): override CFLAGS := $(filter-out -g,$(CFLAGS))
librt_user_a_SOURCES = $(core_sources) $(symbolize_sources) $(perf_sources) \
	symbolize/chain.c symbolize/chain.h symbolize/lines.c symbolize/xz.c runtime/user/user.h \
	lib/tracefs_layout.c lib/tracefs_layout.h lib/tracefs_mount.c lib/tracefs_mount.h \
	runtime/user/base/time.c runtime/user/base/time.h runtime/user/base/unread.c \
	runtime/user/base/unread.h \
	runtime/user/transport/message.c runtime/user/transport/message.h \
	runtime/user/transport/ring.c runtime/user/transport/ring.h \
	runtime/user/events/hooks.h \
	runtime/user/events/loss.c runtime/user/events/loss.h runtime/user/events/merge.c \
	runtime/user/events/merge.h runtime/user/events/source.c runtime/user/events/source.h \
	runtime/user/events/spe_source.c runtime/user/events/spe_source.h \
	runtime/user/events/record_layout.c runtime/user/events/record_layout.h \
	runtime/user/events/tracefs.c runtime/user/events/tracefs.h \
	runtime/user/processes/exe_file.c runtime/user/processes/exe_file.h \
	runtime/user/processes/ids.c runtime/user/processes/ids.h runtime/user/processes/task.c \
	runtime/user/processes/task.h \
	runtime/user/context/call.c runtime/user/context/call.h runtime/user/context/enter.c \
	runtime/user/context/enter.h runtime/user/context/fetched.c runtime/user/context/fetched.h \
	runtime/user/context/regs.c runtime/user/context/regs.h \
	runtime/user/values/act.c runtime/user/values/pmu.c runtime/user/values/pmu.h \
	runtime/user/values/process_memory.c runtime/user/values/record.c \
	runtime/user/stacks/stack.c runtime/user/stacks/symbols.c runtime/user/stacks/symbols.h \
	runtime/user/probes/family_begin_end.c runtime/user/probes/family_function.c \
	runtime/user/probes/family_pmu.c runtime/user/probes/family_process.c \
	runtime/user/probes/family_process.h runtime/user/probes/family_procfs.c \
	runtime/user/probes/family_procfs.h runtime/user/probes/family_profile.c \
	runtime/user/probes/family_timer.c runtime/user/probes/family_tracepoint.c \
	runtime/user/probes/family_uprobe.c \
	runtime/user/session/dispatch.c runtime/user/session/dispatch.h \
	runtime/user/session/module.c
# What scripts with embedded C include.
nobase_dist_pkgdata_DATA += runtime/user/embedded.h
