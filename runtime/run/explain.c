/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain.c - why a module does not load: the error in plain words, and what the kernel and the
 * module itself have put in the log.
 *
 * Input: the kernel's error, /dev/kmsg. Output: lines on standard error.
 */
#include "runtime/run/explain.h"

#include "runtime/run/facts.h"
#include "runtime/run/run.h"
#include "runtime/run/script_error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int kernel_log = -1;

static int file_has(const char *path, const char *text)
{
	char line[128] = "";
	FILE *f = fopen(path, "re");
	int has = f && fgets(line, sizeof(line), f) && strstr(line, text);

	if (f)
		fclose(f);
	return has;
}

/* Why init_module() says EPERM. */
static enum run_error why_forbidden(void)
{
	return geteuid() ? RUN_LOAD_USER
	       : file_has("/proc/sys/kernel/modules_disabled", "1") ? RUN_LOAD_DISABLED
	       : RUN_LOAD_LOCKDOWN;
}

static void explain_error(const char *path, int error)
{
	static const struct refusal refusals[] = {
		{ -EKEYREJECTED, RUN_LOAD_UNSIGNED },
		{ -ENOKEY,	 RUN_LOAD_UNSIGNED },
		{ -ENOEXEC,	 RUN_LOAD_KERNEL },
		{ -EEXIST,	 RUN_LOAD_NAME },
		{ -ENOSYS,	 RUN_LOAD_NONE },
		{ -ENOMEM,	 RUN_LOAD_MEMORY },
		{ -ENOENT,	 RUN_LOAD_SYMBOL },
		{ 0,		 RUN_LOAD },
	};
	enum run_error row = error == EPERM ? why_forbidden() : refusal_row(refusals, -error);

	run_error_show(row, row == RUN_LOAD ? strerror(error) : path);
}

void explain_listen(void)
{
	kernel_log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (kernel_log >= 0)
		lseek(kernel_log, 0, SEEK_END);
}

/*
 * A record of /dev/kmsg is "level,number,time,flags;text" and a newline; lines that begin with a
 * space are its properties.
 */
static void print_log(const char *name)
{
	char record[1024], *text, *end;
	size_t len = strlen(name);
	ssize_t n;

	while ((n = read(kernel_log, record, sizeof(record) - 1)) > 0 ||
	       (n < 0 && errno == EPIPE)) {
		if (n < 0)
			continue;		/* some were overwritten before they were read */
		record[n] = 0;
		text = strchr(record, ';');
		if (!text || strncmp(++text, name, len) || text[len] != ':')
			continue;
		end = strchr(text, '\n');
		fprintf(stderr, "lapwing-run: %.*s\n", end ? (int)(end - text) : (int)strlen(text),
			text);
	}
}

void explain_load(const char *path, const char *name, int error)
{
	if (kernel_log >= 0)
		print_log(name);
	explain_error(path, error);
}
