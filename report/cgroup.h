/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cgroup.h - what a control group is to people: a systemd unit, or a container. */
#ifndef LAPWING_REPORT_CGROUP_H
#define LAPWING_REPORT_CGROUP_H

#include <glib.h>

/*
 * Appends the innermost systemd service or scope, or container, of a control group's path; 64-digit
 * IDs of containers are cut to 12, as their managers show them: "docker-0123456789ab". Other groups:
 * the last part of the path. "-": none.
 */
void cgroup_unit(GString *to, const char *path);

#endif
