// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * empty_script.c - a script without probes: kbuild builds the runtime around it, once per kernel.
 */
#include "rt.h"

const struct rt_script rt_script = {
	.abi = RT_ABI, .maxstring = 512, .name = "empty",
};
