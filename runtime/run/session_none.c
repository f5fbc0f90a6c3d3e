/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session_none.c - in place of session_user.c in a static lapwing-run, which cannot load shared
 * objects.
 */
#include "runtime/run/run.h"
#include "runtime/run/script_error.h"

#include <errno.h>

static int none_open(const char *path)
{
	run_error_show(RUN_MODULE_STATIC, path);
	return -ENOEXEC;
}

const struct run_session session_user = {
	.open = none_open,
};
