# runtime/user: the user runtime. librt_user.a is linked into every script's shared object:
#   gcc -shared -o script.so script.c -Wl,--whole-archive librt_user.a -Wl,--no-whole-archive
# SPDX-License-Identifier: GPL-2.0-or-later
rtlibdir = $(pkglibexecdir)
rtlib_LIBRARIES = librt_user.a
librt_user_a_CFLAGS = -std=gnu11 -O2 -fPIC -fwrapv -fno-strict-aliasing -fvisibility=hidden $(WARN_FLAGS)
librt_user_a_SOURCES = $(core_sources) $(symbolize_sources) $(perf_sources) symbolize/chain.c symbolize/chain.h symbolize/lines.c symbolize/xz.c \
	runtime/user/act.c runtime/user/call.c runtime/user/call.h runtime/user/enter.c runtime/user/family_been.c runtime/user/family_function.c \
	runtime/user/loss.c runtime/user/loss.h runtime/user/family_process.c runtime/user/family_pmu.c runtime/user/family_procfs.c runtime/user/family_profile.c runtime/user/family_timer.c \
	runtime/user/family_tracepoint.c runtime/user/family_uprobe.c \
	runtime/user/ids.c runtime/user/ids.h runtime/user/memory.c runtime/user/merge.c runtime/user/message.c runtime/user/module.c \
	runtime/user/pmu.c runtime/user/pmu.h runtime/user/program.c runtime/user/program.h runtime/user/record.c runtime/user/regs.c runtime/user/ring.c \
	runtime/user/source.c runtime/user/source.h \
	runtime/user/stack.c runtime/user/symbols.c runtime/user/task.c runtime/user/taken.c runtime/user/taken.h runtime/user/time.c \
	runtime/user/tracefs.c runtime/user/tracefs.h lib/tracefs_layout.c lib/tracefs_layout.h lib/tracefs_mount.c lib/tracefs_mount.h runtime/user/unread.c runtime/user/unread.h runtime/user/user.h
