/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * remove.c - lists and removes modules whose lapwing-run was killed. Each module of ours has a misc
 * device with its name.
 */
#include "runtime/run/remove.h"

#include "lib/option.h"
#include "runtime/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Calls act for each module of ours; returns their number. */
static int each(void (*act)(const char *name, int used, void *data), void *data)
{
	char line[512], name[64], path[128];
	FILE *f = fopen("/proc/modules", "re");
	int n = 0, used;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%63s %*s %d", name, &used) != 2)
			continue;
		snprintf(path, sizeof(path), "/sys/class/misc/%s", name);
		if (access(path, F_OK))
			continue;
		snprintf(path, sizeof(path), "/sys/module/%s/parameters/ring_kb", name);
		if (access(path, F_OK))
			continue;
		act(name, used, data);
		n++;
	}
	if (f)
		fclose(f);
	return n;
}

static void print(const char *name, int used, void *data)
{
	printf("%s %s\n", name, used ? "running" : "orphaned: lapwing-run --remove removes it");
}

int list_modules(void)
{
	if (access("/proc/modules", F_OK)) {
		fputs("lapwing-run: this kernel loads no modules\n", stderr);
		return 1;
	}
	each(print, NULL);
	return 0;
}

struct removal {
	const char	*name;
	int		found, failed;
};

static void remove_one(const char *name, int used, void *data)
{
	struct removal *r = data;
	long rc = -1;

	if (strcmp(r->name, "all") && strcmp(r->name, name))
		return;
	r->found++;
	if (used && !strcmp(r->name, "all"))
		return;
	for (int i = 0; i < 300; i++) {
		rc = syscall(SYS_delete_module, name, O_NONBLOCK);
		if (!rc || (errno != EAGAIN && errno != EBUSY))
			break;
		poll(NULL, 0, 10);
	}
	if (rc) {
		option_fail(FAILURE_RUN_NONE, "%s: %s%s", name, strerror(errno),
			    used ? "; its lapwing-run is still running" : "");
		r->failed = 1;
	}
}

int remove_modules(const char *name)
{
	struct removal r = { .name = name };

	each(remove_one, &r);
	if (!r.found && strcmp(name, "all")) {
		option_fail(FAILURE_RUN_NONE,
			"no module of lapwing's is called %s; --list names those that are loaded", name);
		return 1;
	}
	return r.failed;
}
