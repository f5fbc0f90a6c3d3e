/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * act.c - what a handler may do to the machine, as far as a process can: lines in the kernel's log
 * and trace buffer, signals, delays.
 *
 * Nothing happens at the hit itself, because handlers run after it.
 */
#include "runtime/core/ctx.h"
#include "runtime/user/user.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/*
 * The shared object's file name, without .so; if lapwing made that up, a name with our process ID,
 * like those of kernel modules.
 */
const char *runtime_name(void)
{
	static char name[64];
	const char *base;
	Dl_info info;

	if (*name || !dladdr(name, &info))
		return name;
	base = strrchr(info.dli_fname, '/');
	snprintf(name, sizeof(name), "%s", base ? base + 1 : info.dli_fname);
	name[strcspn(name, ".")] = 0;
	if (!strncmp(name, "lapwing_", 8) || strspn(name, "0123456789abcdef") > 31)
		snprintf(name, sizeof(name), "lapwing_%08x", (unsigned)getpid());
	return name;
}

/* Writes one line to a file; a failure is the handler's error. */
static void write_line(struct rt_ctx *c, const char *path, const char *head, struct rt_str text)
{
	char line[1024];
	int fd = open(path, O_WRONLY | O_CLOEXEC), n;

	n = snprintf(line, sizeof(line), "%s%.*s", head, (int)text.len, text.p);
	if (fd < 0 ||
	    write(fd, line, (size_t)n < sizeof(line) ? (size_t)n : sizeof(line) - 1) < 0) {
		snprintf(line, sizeof(line), "%s: %s", path, strerror(errno));
		ctx_fail_with(c, RUN_WRITE, line);
	}
	if (fd >= 0)
		close(fd);
}

void rt_printk(struct rt_ctx *c, s64 level, struct rt_str text)
{
	char head[8] = "";

	if (level >= 0 && level < 8)
		snprintf(head, sizeof(head), "<%d>", (int)level);
	write_line(c, "/dev/kmsg", head, text);
}

void rt_ftrace(struct rt_ctx *c, struct rt_str text)
{
	static const char *const paths[] = { "/sys/kernel/tracing/trace_marker",
					     "/sys/kernel/debug/tracing/trace_marker" };

	write_line(c, paths[access(paths[0], W_OK) != 0 && !access(paths[1], W_OK)], "", text);
}

void rt_raise(struct rt_ctx *c, s64 number)
{
	const struct hit *hit = c->hit;

	if (number <= 0 || number > SIGRTMAX)
		ctx_fail(c, RUN_SIGNAL_NONE);
	else if (tgkill(hit->pid, hit->tid, (int)number) && errno != ESRCH)
		ctx_fail(c, RUN_SIGNAL);
}

void rt_udelay(struct rt_ctx *c, s64 us)
{
	struct timespec t = { .tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000 };

	if (us > 0)
		nanosleep(&t, NULL);
}

void rt_mdelay(struct rt_ctx *c, s64 ms)
{
	struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	if (ms > 0)
		nanosleep(&t, NULL);
}

void rt_panic(struct rt_ctx *c, struct rt_str text)
{
	ctx_fail_with(c, RUN_RUNTIME, "panic()");
}

void rt_dump_stack(struct rt_ctx *c)
{
	ctx_fail_with(c, RUN_RUNTIME, "dump_stack()");
}
