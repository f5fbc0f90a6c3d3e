# SPDX-License-Identifier: GPL-2.0-or-later
# module.mk - how kbuild compiles the runtime's files: flags only.
# Input: LAPWING, the directory that contains runtime/.  Handlers' own code must not be traceable: no -pg, on any machine.
ccflags-y += -I$(LAPWING) -Werror
ccflags-remove-y += $(CC_FLAGS_FTRACE)
