# SPDX-License-Identifier: GPL-2.0-or-later
# module.mk - how kbuild makes a script's module; included by the generated Makefile beside
# script.c. Input: LAPWING, the directory that contains runtime/; NAME, the module's name; EMBEDDED:
# 1 where the script has embedded C.
# Handlers' own code must not be traceable: no -pg, on any machine. No BTF of its own: that would
# need pahole.
CONFIG_DEBUG_INFO_BTF_MODULES :=
ccflags-y += -I$(LAPWING) -I$(LAPWING)/runtime -I$(LAPWING)/runtime/kernel -Werror -Wno-unused-but-set-variable
# Scripts may contain x == x, !x > 5, or sums that overflow; embedded C may be indented freely.
CFLAGS_script.o += -Wno-tautological-compare -Wno-bool-compare -Wno-bool-operation -Wno-overflow \
	-Wno-misleading-indentation
# Warnings in embedded C are no errors, and its frames may be larger than the kernel's limit.
ifeq ($(EMBEDDED),1)
CFLAGS_script.o += -Wno-error
CFLAGS_script.o += $(if $(filter-out 0,$(CONFIG_FRAME_WARN)),-Werror=frame-larger-than=$(CONFIG_FRAME_WARN))
endif
# The compiler's own atomics must not call libgcc.
ccflags-$(CONFIG_ARM64) += -mno-outline-atomics
# Debug information of the runtime would be most of the module.
ccflags-y += -g0
# Older kernels are C89 (before Linux 5.18) and want declarations first.
ccflags-y += -std=gnu11 -Wno-declaration-after-statement
ccflags-remove-y += $(CC_FLAGS_FTRACE)
# clang has other warnings and attributes.
ccflags-$(CONFIG_CC_IS_CLANG) += -Wno-unknown-warning-option -Wno-unknown-attributes
# With clang's LTO, linking a script would compile the whole runtime again.
ccflags-remove-y += $(CC_FLAGS_LTO)
# With KASAN, gcc warns of sizes that do not occur.
ccflags-$(CONFIG_KASAN) += -Wno-stringop-overread
# Handlers do not index memory, so a stack protector has nothing to guard; it would cost six
# instructions per hit.
CFLAGS_script.o += -fno-stack-protector
obj-m := $(NAME).o
$(NAME)-y := script.o runtime.o

# kbuild before Linux 5.17 runs objtool outside of the saved command, with which other scripts are
# built: they would have no unwind tables.
$(obj)/script.o: cmd_cc_o_c += $(if $(__objtool_obj),; $(__objtool_obj) $(objtool_args) $@)
OBJECT_FILES_NON_STANDARD_script.o = $(if $(__objtool_obj),y)

# Features of this kernel (compat.h).
has = $(call try-run,$(CC) $(NOSTDINC_FLAGS) $(LINUXINCLUDE) -include \
	$(srctree)/include/linux/compiler_types.h $(KBUILD_CPPFLAGS) \
	$(KBUILD_CFLAGS) $(KBUILD_CFLAGS_MODULE) -Werror -c -o "$$TMP" \
	$(LAPWING)/runtime/kernel/compat/has_$(1).c,-DHAS_$(2))
ccflags-y += $(call has,rethook_types,RETHOOK_TYPES) $(call has,rethook_pool,RETHOOK_POOL) $(call has,timekeeper,TIMEKEEPER) \
	$(call has,uprobe_handle,UPROBE_HANDLE) $(call has,uprobe_data,UPROBE_DATA) \
	$(call has,filter_ips,FILTER_IPS) $(call has,group_exec_task,GROUP_EXEC_TASK) \
	$(call has,kretprobe_calls,KRETPROBE_CALLS) $(call has,pde_data,PDE_DATA) \
	$(call has,sample_flags,SAMPLE_FLAGS) $(call has,hrtimer_setup,HRTIMER_SETUP) \
	$(call has,trace_puts_text,TRACE_PUTS_TEXT) $(call has,typed_stubs,TYPED_STUBS)

# The runtime is one compilation unit, which compiles three times faster than separate files. Its
# text is the same for every script.
$(obj)/runtime.c:
	$(Q)echo '#include "runtime/kernel/all.c"' > $@
