# runtime/vm: lapwing-vm, the guest harness. The guest's init is static and built per guest architecture.
# SPDX-License-Identifier: GPL-2.0-or-later
dist_pkglibexec_SCRIPTS += runtime/vm/lapwing-vm
vmdir = $(pkglibexecdir)/vm
vm_PROGRAMS = runtime/vm/relay runtime/vm/meter
dist_vm_DATA = runtime/vm/clang.config runtime/vm/debug.config runtime/vm/guest.config runtime/vm/fetch.sh runtime/vm/image.sh runtime/vm/run.sh runtime/vm/source.sh runtime/vm/toolchain.sh
vm_SCRIPTS =
runtime_vm_relay_SOURCES = runtime/vm/relay.c runtime/vm/link.h
runtime_vm_meter_SOURCES = runtime/vm/meter.c lib/pace.c lib/pace.h lib/progress.c lib/progress.h
CLEANFILES += $(vm_SCRIPTS)

VM_GUEST_FLAGS = -std=gnu11 -D_GNU_SOURCE -O2 $(WARN_FLAGS) -static

if HAVE_X86_64_CC
vm_SCRIPTS += runtime/vm/guest-x86_64
endif
runtime/vm/guest-x86_64: runtime/vm/guest.c runtime/vm/link.h
	$(AM_V_CCLD)$(X86_64_CC) $(VM_GUEST_FLAGS) -o $@ $(srcdir)/runtime/vm/guest.c

if HAVE_ARM64_CC
vm_SCRIPTS += runtime/vm/guest-arm64
endif
runtime/vm/guest-arm64: runtime/vm/guest.c runtime/vm/link.h
	$(AM_V_CCLD)$(ARM64_CC) $(VM_GUEST_FLAGS) -o $@ $(srcdir)/runtime/vm/guest.c
