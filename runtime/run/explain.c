/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain.c - why a module does not load: the error in plain words, and what the kernel and the
 * module itself have put in the log.
 *
 * Input: the kernel's error, /dev/kmsg. Output: lines on standard error.
 */
#include "runtime/run/explain.h"

#include "lib/option.h"
#include "runtime/run/facts.h"
#include "runtime/run/run.h"

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
static const char *why_forbidden(void)
{
	if (geteuid())
		return "only root may: use sudo";
	if (file_has("/proc/sys/kernel/modules_disabled", "1"))
		return "kernel.modules_disabled forbids it until the next boot: use --runtime=user";
	return "kernel lockdown forbids unsigned modules (or a container lacks CAP_SYS_MODULE): sign it and enrol the key, or use --runtime=user";
}

static void explain_error(const char *path, int error)
{
	static const struct {
		int error;
		const char *text;
	} texts[] = {
		{ EKEYREJECTED,
		  "the kernel takes signed modules only: sign it (scripts/sign-file) and enrol the key, or use --runtime=user" },
		{ ENOKEY,
		  "the kernel takes signed modules only: sign it (scripts/sign-file) and enrol the key, or use --runtime=user" },
		{ ENOEXEC,
		  "built for another kernel or machine: build it with -r of this kernel; dmesg says more" },
		{ EEXIST,
		  "a module of that name is loaded: lapwing-run --list, --remove NAME, or -m with another name" },
		{ ENOSYS, "this kernel loads no modules: use --runtime=user" },
		{ ENOMEM, "not enough memory: make the script's arrays smaller, or -s" },
		{ ENOENT,
		  "a symbol it needs is missing in this kernel: build it with -r of this kernel; dmesg says more" },
	};

	if (error == EPERM) {
		option_fail(FAILURE_MODULE_LOAD, "%s does not load: %s", path, why_forbidden());
		return;
	}
	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i].error == error) {
			option_fail(FAILURE_MODULE_LOAD, "%s does not load: %s", path,
				    texts[i].text);
			return;
		}
	option_fail(FAILURE_MODULE_LOAD, "%s does not load: %s; dmesg may say more", path,
		    strerror(error));
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
