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
	struct data *d = data;

	if (!d->form) {
		printf("%s %s\n", name, used ? "running" : "orphaned: lapwing-run --remove removes it");
		return;
	}
	data_row(d);
	data_text(d, NULL, name);
	data_text(d, NULL, used ? "running" : "orphaned");
	data_close(d);
}

int list_modules(enum data_form form)
{
	static const char *const columns[] = { "module", "state", NULL };
	int loads = !access("/proc/modules", R_OK);
	struct data d = { .form = form };

	if (!loads && (errno != ENOENT || access("/proc/self/stat", R_OK))) {
		option_fail(FAILURE_FILE_READ, "/proc/modules: %s: is /proc mounted?", strerror(errno));
		return 1;
	}
	if (!loads)
		fputs("lapwing-run: this kernel loads no modules\n", stderr);
	if (!form) {
		each(print, &d);
		return 0;
	}
	data_begin(&d, stdout, form, "lapwing-modules/1");
	data_value(&d, "loads_modules", loads ? "true" : "false");
	data_rows(&d, "rows", columns);
	each(print, &d);
	data_close(&d);
	return data_end(&d, "lapwing-run", "stdout");
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
