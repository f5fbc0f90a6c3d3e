/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mend.c - mends that several findings have in common. Offers only what can work on this machine.
 */
#include "cmd/doctor/mend.h"

#include "cmd/doctor/guests.h"

char *mend_rights(const struct machine *m)
{
	char *sudo = host_program(&m->host, "sudo"),
	     *mend = g_strdup(host_is_root(&m->host) ? "run it on the host, outside the container"
			      : sudo		     ? "sudo lapwing ..."
						     : "run lapwing as root");

	g_free(sudo);
	return mend;
}

char *mend_kernel(const struct machine *m, const char *option)
{
	char *problem = guests_problem(m, "x86_64"),
	     *mend = g_strdup_printf(problem ? "a kernel with CONFIG_%s"
					     : "--target=vm runs the script in a guest; here it takes a "
					       "kernel with CONFIG_%s",
				     option);

	g_free(problem);
	return mend;
}
