/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * module.c - struct wire_module: open, commands, rounds, close.
 */
#include "runtime/core/core.h"
#include "runtime/core/procfs.h"
#include "runtime/user/base/run_state.h"
#include "runtime/user/base/time.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/context/unread.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/probes/family_procfs.h"
#include "runtime/user/processes/exe_file.h"
#include "runtime/user/processes/thread.h"
#include "runtime/user/session/session.h"
#include "runtime/user/stacks/symbols.h"
#include "runtime/user/transport/message.h"
#include "runtime/user/transport/ring.h"
#include "symbolize/symfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void *context_memory;

static void hello(void)
{
	u32 at = 0;
	struct wire_hello h = {
		.magic = WIRE_MAGIC,
		.version = WIRE_VERSION,
		.flags = WIRE_TIMES_NS,
		.abi = RT_ABI,
		.ncpus = 1,
		.nprobes = rt_script.nprobes,
		.ring_bytes = WIRE_RING_HEADER + ring_get()->size,
		/* Symbols of user images are read here; the kernel's come from the consumer. */
		.capture = rt_script.capture & ~(RT_CAP_USYMS | RT_CAP_USTACK),
		.time_mono = time_mono(),
		.memory = core_bytes(),
	};

	if (rt_script.capture & (RT_CAP_USYMS | RT_CAP_USTACK))
		h.capture |= RT_CAP_NOTES;
	h.flags |= (procfs_stdin(&at) ? WIRE_WANTS_INPUT : 0) | core_requests() |
		   (rt_script.joins & RT_JOINS ? WIRE_JOINS : 0);
	h.time_wall = h.time_mono + run_state.wall_minus_mono;
	strncpy(h.script, rt_script.name, sizeof(h.script) - 1);
	runtime_message(WIRE_HELLO, 0, &h, sizeof(h));
	if (!core_describe())
		runtime_message(WIRE_READY, 0, "", 0);
}

static int module_open(const struct wire_open *how)
{
	struct timespec wall;
	const char *name;

	memset(&run_state, 0, sizeof(run_state));
	run_state.how = *how;
	run_state.how.ring_bytes = 65536;		/* a power of two */
	while (run_state.how.ring_bytes < how->ring_bytes)
		run_state.how.ring_bytes *= 2;
	clock_gettime(CLOCK_REALTIME, &wall);
	run_state.wall_minus_mono = wall.tv_sec * 1000000000LL + wall.tv_nsec - (s64)time_mono();
	if (core_load(&name)) {
		fprintf(stderr, "ERROR: global variable '%s' allocation failed\n", name);
		return -ENOMEM;
	}
	if (rt_script.capture & RT_CAP_LINES)
		image_request(SYMFILE_LINES);
	run_state.account = calloc(rt_script.nprobes + 1, sizeof(*run_state.account));
	context_memory = calloc(1, ctx_bytes());
	if (!run_state.account || !context_memory || ring_open(run_state.how.ring_bytes)) {
		free(run_state.account);
		free(context_memory);
		core_unload();
		return -ENOMEM;
	}
	ctx_init(&enter_ctx, context_memory, 0, 0);
	enter_ctx.may_wait = 1;
	hello();
	return 0;
}

static long module_command(const void *cmd, unsigned long len)
{
	const struct wire_msg *m = cmd;
	unsigned long body = len - sizeof(*m);
	long rc;

	if (len < sizeof(*m) || m->len != len)
		return -EINVAL;
	switch (m->type) {
	case WIRE_TARGET:
		if (body < sizeof(run_state.target))
			return -EINVAL;
		memcpy(&run_state.target, m + 1, sizeof(run_state.target));
		return (long)len;
	case WIRE_SYMBOLS:
		return symbols_receive((const struct wire_symbols *)(m + 1), body) ? -EINVAL
										: (long)len;
	case WIRE_BIND:
		return (long)len;
	case WIRE_GLOBAL:
		rc = run_state.state != STATE_OPEN ? -EBUSY :
		     core_assign((const struct wire_global *)(m + 1), body);
		return rc ? rc : (long)len;
	case WIRE_INPUT:
		rc = m->id <= body ? procfs_input((const char *)(m + 1), m->id) : -EINVAL;
		return rc ? rc : (long)len;
	case WIRE_NOTE:
		rc = merge_note((const struct wire_note *)(m + 1), body);
		return rc ? rc : (long)len;
	case WIRE_ABOUT:
		rc = core_set_about(m + 1, body);
		return rc ? rc : (long)len;
	case WIRE_SWITCH:
		rc = merge_switch(m->id);
		return rc ? rc : (long)len;
	case WIRE_TIMING:
		rc = run_state.state != STATE_OPEN ? -EBUSY : books_timing ? 0 : books_time_begin();
		return rc ? rc : (long)len;
	case WIRE_START:
		if (run_state.state != STATE_OPEN)
			return -EBUSY;
		session_start();
		return (long)len;
	case WIRE_STOP:
		session_stop(body >= sizeof(struct wire_stop) &&
			     ((const struct wire_stop *)(m + 1))->partial);
		return (long)len;
	}
	return -EINVAL;
}

static long module_pump(void)
{
	return run_state.state == STATE_RUNNING ? (long)merge_round(0) : 100000000L;
}

static struct wire_ring *module_ring(u32 cpu)
{
	return cpu ? NULL : ring_get();
}

static void module_close(void)
{
	session_abandon();
	thread_clear();
	unread_clear();
	exe_file_clear();
	symbols_clear();
	message_clear();
	ring_close();
	books_time_end();
	free(run_state.account);
	free(context_memory);
	core_unload();
}

__attribute__((visibility("default"))) const struct wire_module lapwing_module = {
	.magic = WIRE_MAGIC,
	.version = WIRE_VERSION,
	.open = module_open,
	.command = module_command,
	.messages = message_read,
	.ring = module_ring,
	.poll_fds = merge_fds,
	.pump = module_pump,
	.close = module_close,
};
