/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session_user.c - a script's shared object in this process (user runtime).
 */
#include "runtime/run/counters.h"
#include "runtime/run/file.h"
#include "runtime/run/folder.h"
#include "runtime/run/messages.h"
#include "runtime/run/notes.h"
#include "runtime/run/run.h"
#include "runtime/run/script_error.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

static void *handle;
static const struct wire_module *module;
static long next_ns;

/* True if the counters for its events are available. */
static int check_counters(const char *path)
{
	size_t size = 0;
	char *p = file_read(path, &size);
	int rc = p ? counters_refuse(file_info(p, size, "lapwing_events")) ? -EBUSY : 0 : -EACCES;

	free(p);
	return rc;
}

static int user_open(const char *path)
{
	struct wire_open how = { .ring_bytes = opt.ring_bytes, .verbose = opt.verbose };
	int rc = check_counters(path);
	char *absolute;

	_Static_assert(sizeof(how.folder) == FOLDER_SIZE, "a path fits");
	if (rc)
		return rc;
	if (folder_make(how.folder))
		how.folder[0] = 0;
	absolute = realpath(path, NULL);
	handle = absolute ? dlopen(absolute, RTLD_NOW | RTLD_LOCAL) : NULL;
	free(absolute);
	module = handle ? dlsym(handle, "lapwing_module") : NULL;
	if (!module) {
		run_error_show(RUN_MODULE_LINK, dlerror());
		return -ENOEXEC;
	}
	if (module->magic != WIRE_MAGIC || module->version != WIRE_VERSION) {
		run_error_show(RUN_MODULE_VERSION, path);
		return -ENOEXEC;
	}
	rc = module->open(&how);
	if (rc)
		messages_handle();	/* it says why */
	return rc;
}

static long user_command(const void *cmd, unsigned long len)
{
	return module->command(cmd, len);
}

static long user_messages(void *buf, unsigned long size)
{
	return module->messages(buf, size);
}

static struct wire_ring *user_ring(u32 cpu, u64 *size)
{
	struct wire_ring *r = module->ring(cpu);

	*size = r ? r->size : 0;
	return r;
}

static void user_wait(long ms)
{
	struct pollfd fds[256];
	int some[255], n = module->poll_fds(some, 255);
	long want = next_ns / 1000000;

	for (int i = 0; i < n; i++)
		fds[i] = (struct pollfd){ .fd = some[i], .events = POLLIN };
	n += notes_fds(fds + n);
	if (want > ms)
		want = ms;
	if (next_ns > 0) {
		struct timespec t = { want / 1000,
				      want % 1000 * 1000000 + (want < ms ? next_ns % 1000000 : 0) };

		ppoll(fds, (nfds_t)n, &t, NULL);
	}
	next_ns = module->pump();
}

static void user_close(void)
{
	if (module)
		module->close();
	if (handle)
		dlclose(handle);
}

const struct run_session session_user = {
	.open = user_open, .command = user_command, .messages = user_messages, .ring = user_ring, .wait = user_wait, .close = user_close,
};
