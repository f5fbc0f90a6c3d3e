// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * life.c - see life.h. Uses kprobes because the kernel's tracepoints come at the wrong time:
 * sched_process_fork in the parent's context, sched_process_exit after the memory is released,
 * sched_process_exec after the old program's memory is.
 */
#include "runtime/kernel/probes/life.h"

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>

#include "runtime/core/core.h"
#include "runtime/kernel/context/enter.h"
#include "runtime/kernel/probes/breakpoint.h"

static int life_turned(struct kprobe *kp, struct pt_regs *regs);

static struct life {
	struct kprobe	kprobe;
	void		(*told[LIFE_USERS])(void);	/* written by the work only; read by hits */
	int		armed;
} lives[LIFE_TURNS] = {
	[LIFE_NEW]	= { .kprobe.symbol_name = "schedule_tail" },
	[LIFE_LEAVE]	= { .kprobe.symbol_name = "begin_new_exec" },
	[LIFE_EXEC]	= { .kprobe.symbol_name = "finalize_exec" },
	[LIFE_EXIT]	= { .kprobe.symbol_name = "do_exit" },
};

static int life_turned(struct kprobe *kp, struct pt_regs *regs)
{
	struct life *life = container_of(kp, struct life, kprobe);
	int breakpoint = enter_breakpoint(kp);
	u32 i;

	__preempt_count_sub(breakpoint);
	for (i = 0; i < ARRAY_SIZE(life->told); i++) {
		void (*told)(void) = READ_ONCE(life->told[i]);

		if (told)
			told();
	}
	__preempt_count_add(breakpoint);
	return 0;
}
NOKPROBE_SYMBOL(life_turned);

int life_watch(enum life_turn turn, void (*told)(void))
{
	struct life *life = &lives[turn];
	const char *name = life->kprobe.symbol_name;
	u32 i = 0;
	int rc = 0;

	while (life->told[i])
		i++;
	WRITE_ONCE(life->told[i], told);
	if (life->armed)
		return 0;
	life->kprobe = (struct kprobe){ .symbol_name = name, .pre_handler = life_turned };
	rc = breakpoint_register(&life->kprobe);
	life->armed = !rc;
	if (rc)
		life->told[i] = NULL;
	return rc;
}

void life_forget(enum life_turn turn, void (*told)(void))
{
	struct life *life = &lives[turn];
	u32 i, left = 0;

	for (i = 0; i < ARRAY_SIZE(life->told); i++) {
		if (life->told[i] == told)
			WRITE_ONCE(life->told[i], NULL);
		left += life->told[i] != NULL;
	}
	if (life->armed && !left) {
		unregister_kprobe(&life->kprobe);
		life->armed = 0;
	} else {
		synchronize_rcu();
	}
}
