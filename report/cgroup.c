/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup.c - see cgroup.h. Containers: /docker/ID, docker-ID.scope, libpod-ID.scope, crio-ID.scope,
 * cri-containerd-ID.scope, cri-containerd:ID below kubepods; IDs have 64 hexadecimal digits.
 */
#include "report/cgroup.h"

#include <string.h>

#define ID_LENGTH	64
#define ID_SHOWN	12

/* The ID of a container in one part of a path, or NULL. */
static const char *id_in(const char *part)
{
	gsize n = 0;

	for (; *part; part++) {
		n = g_ascii_isxdigit(*part) ? n + 1 : 0;
		if (n == ID_LENGTH && !g_ascii_isxdigit(part[1]))
			return part + 1 - ID_LENGTH;
	}
	return NULL;
}

static int is_unit(const char *part)
{
	return g_str_has_suffix(part, ".service") || g_str_has_suffix(part, ".scope") ||
	       id_in(part);
}

/* before: the part that this one is in; of a bare ID it is the manager's name. */
static void append_part(GString *to, const char *part, const char *before)
{
	const char *id = id_in(part);

	if (!id)
		g_string_append(to, part);
	else if (id > part)
		g_string_append_len(to, part, id - part + ID_SHOWN);
	else
		g_string_append_printf(to, "%s%s%.*s", before, *before ? "-" : "", ID_SHOWN, id);
}

void cgroup_unit(GString *to, const char *path)
{
	char **parts = g_strsplit(path, "/", 0);
	guint n = g_strv_length(parts), i = n;

	while (i && !is_unit(parts[i - 1]))
		i--;
	i = i ? i : n;
	if (i && *parts[i - 1])
		append_part(to, parts[i - 1], i > 1 ? parts[i - 2] : "");
	else
		g_string_append_c(to, '-');
	g_strfreev(parts);
}
