/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * abi.c - see abi.h.
 */
#include "runtime/user/base/abi.h"

#include <string.h>
#include <sys/utsname.h>

#define X86_SP		7	/* DWARF's numbers */
#define ARM64_SP	31

int abi_is_x86(void)
{
	static int known = -1;
	struct utsname name;

	if (known < 0)
		known = !uname(&name) && !strcmp(name.machine, "x86_64");
	return known;
}

u32 abi_stack_register(void) { return abi_is_x86() ? X86_SP : ARM64_SP; }
const char *abi_return_fetch(void) { return abi_is_x86() ? " to=+0(%sp):u64" : " to=%x30:u64"; }
u64 abi_call_bytes(void) { return abi_is_x86() ? 8 : 0; }
