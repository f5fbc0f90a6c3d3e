# SPDX-License-Identifier: GPL-2.0-or-later
# module.mk - how kbuild makes a script's module; included by the generated Makefile beside script.c.
# Input: LAPWING, the directory that contains runtime/; NAME, the module's name; RUNTIME, the runtime's object if it is built already.
# Handlers' own code must not be traceable: no -pg, on any machine. No BTF of its own: that would need pahole.
CONFIG_DEBUG_INFO_BTF_MODULES :=
ccflags-y += -I$(LAPWING) -I$(LAPWING)/runtime -I$(LAPWING)/runtime/kernel -Werror -Wno-unused-but-set-variable
# A script may say x == x, !x > 5, or a sum that wraps; embedded C is indented as its writer likes.
CFLAGS_script.o += -Wno-tautological-compare -Wno-bool-compare -Wno-bool-operation -Wno-overflow -Wno-misleading-indentation
# clang has more such warnings, as of x = x: none of them may keep a script from being built.
CFLAGS_script.o += $(if $(CONFIG_CC_IS_CLANG),-Wno-error)
# The compiler's own atomics must not call libgcc.
ccflags-$(CONFIG_ARM64) += -mno-outline-atomics
# Debug information of the runtime would be most of the module.
ccflags-y += -g0
# As newer kernels are compiled.
ccflags-y += -std=gnu11 -Wno-declaration-after-statement
ccflags-remove-y += $(CC_FLAGS_FTRACE)
# clang knows other warnings, and gcc's attributes are hints. The objects of a script have nothing to be linked with as a whole.
ccflags-$(CONFIG_CC_IS_CLANG) += -Wno-unknown-warning-option -Wno-unknown-attributes -Wno-ignored-attributes
ccflags-remove-y += $(CC_FLAGS_LTO)
# With KASAN gcc sees sizes that cannot be.
ccflags-$(CONFIG_KASAN) += -Wno-stringop-overread
# A handler indexes no memory by itself, so there is nothing for a canary to guard, at six instructions a hit.
CFLAGS_script.o += -fno-stack-protector
obj-m := $(NAME).o
$(NAME)-y := script.o runtime.o

# kbuild of 5.10 keeps no record of what objtool does for an object, that of 6.1 does: unwinding needs it.
always-y += .script.objtool.cmd
$(obj)/.script.objtool.cmd: FORCE
	$(Q)echo 'cmd := $(subst $@,$(obj)/script.o,$(cmd_objtool))' > $@

ifdef RUNTIME
targets += runtime.o
quiet_cmd_runtime = COPY    $@
cmd_runtime = cp $(RUNTIME) $@
$(obj)/runtime.o: $(RUNTIME) FORCE
	$(call if_changed,runtime)
else
# What this kernel has (compat.h).
ccflags-y += $(shell sh $(LAPWING)/runtime/kernel/compat/has.sh $(CC) $(NOSTDINC_FLAGS) $(LINUXINCLUDE) \
	-include $(srctree)/include/linux/compiler_types.h $(KBUILD_CPPFLAGS) $(KBUILD_CFLAGS) $(KBUILD_CFLAGS_MODULE) -Werror)

ccflags-$(if $(TASK_BYTES),y) += -DLAPWING_TASK_BYTES=$(TASK_BYTES)

# The runtime is one unit: three times faster to compile than its files apart. Its text is the same for every script.
$(obj)/runtime.c:
	$(Q)echo '#include "runtime/kernel/all.c"' > $@
endif
