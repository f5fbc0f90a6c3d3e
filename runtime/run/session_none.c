/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session_none.c - in place of session_user.c in a static lapwing-run, which cannot load shared
 * objects.
 */
#include "lib/option.h"
#include "runtime/run/run.h"

#include <errno.h>

static int none_open(const char *path)
{
	option_fail(FAILURE_MODULE_FILE,
		"%s: this lapwing-run is linked statically and runs kernel modules only; use the dynamic one",
		path);
	return -ENOEXEC;
}

const struct run_session session_user = {
	.open = none_open,
};
