// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * phase.c - see phase.h. A table by process ID; a reader that finds a row being written reads it
 * again.
 */
#include "runtime/core/phase.h"

#include "runtime/core/core.h"
#include "runtime/core/port.h"
#include "runtime/core/str.h"

#define PHASE_SLOTS	1024
#define PHASE_PROBES	8
#define PHASE_TEXT	64	/* bytes that are kept of a phase's name */
#define PHASE_TRIES	100

static struct phase {
	u32	turn;		/* odd while it is written; atomic */
	s32	pid;		/* 0: free */
	u32	len;
	char	text[PHASE_TEXT];
} *phases;
/* which slot is replaced next if all of a process's slots are in use */
static u32 phase_next;

int phase_load(void)
{
	if (!(rt_script.capture & RT_CAP_NOTES))
		return 0;
	phases = runtime_alloc(PHASE_SLOTS * sizeof(*phases));
	return phases ? 0 : -ENOMEM;
}

void phase_unload(void)
{
	runtime_free(phases);
	phases = 0;
}

static struct phase *phase_slot(s32 pid, u32 i)
{
	return &phases[((u32)pid * 0x9e3779b1U + i) % PHASE_SLOTS];
}

/* The row of process pid whose entry is `wanted`: the pid, or 0 for a free one. */
static struct phase *phase_find(s32 pid, s32 wanted)
{
	u32 i;

	for (i = 0; i < PHASE_PROBES; i++)
		if (__atomic_load_n(&phase_slot(pid, i)->pid, __ATOMIC_RELAXED) == wanted)
			return phase_slot(pid, i);
	return 0;
}

int phase_take(const struct wire_note *note, u64 len)
{
	const char *name = (const char *)(note + 1);
	struct phase *p;
	u64 n;

	if (len <= sizeof(*note) || name[len - sizeof(*note) - 1] || note->pid <= 0)
		return -EINVAL;
	if (!phases || note->kind != WIRE_NOTE_PHASE)
		return 0;
	p = phase_find(note->pid, note->pid);
	p = p ? p : phase_find(note->pid, 0);
	p = p ? p : phase_slot(note->pid, phase_next++ % PHASE_PROBES);
	n = strlen(name);
	__atomic_fetch_add(&p->turn, 1, __ATOMIC_ACQ_REL);
	__atomic_store_n(&p->pid, note->pid, __ATOMIC_RELAXED);
	p->len = (u32)(n < PHASE_TEXT ? n : PHASE_TEXT);
	memcpy(p->text, name, p->len);
	__atomic_store_n(&p->turn, p->turn + 1, __ATOMIC_RELEASE);
	return 0;
}

struct rt_str rt_phase(struct rt_ctx *c)
{
	s32 pid = (s32)rt_pid(c);
	struct phase *p = phases ? phase_find(pid, pid) : 0;
	char *text = p ? str_room(c, PHASE_TEXT) : 0;
	u32 tries, turn, len;

	for (tries = 0; text && tries < PHASE_TRIES; tries++) {
		turn = __atomic_load_n(&p->turn, __ATOMIC_ACQUIRE);
		len = p->len < PHASE_TEXT ? p->len : PHASE_TEXT;
		memcpy(text, p->text, len);
		/* A read barrier: adds nothing. */
		if (!(turn & 1) && __atomic_fetch_add(&p->turn, 0, __ATOMIC_ACQ_REL) == turn)
			return p->pid == pid ? (struct rt_str){ text, (u16)len, 0 } : RT_STR("");
	}
	return RT_STR("");
}
