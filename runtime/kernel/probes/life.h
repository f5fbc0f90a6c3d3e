/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * life.h - life cycle events of processes and threads, each reported in the context of the task
 * itself.
 */
#ifndef LAPWING_KERNEL_LIFE_H
#define LAPWING_KERNEL_LIFE_H

#define LIFE_USERS	3	/* process.begin and its like, pending calls, process.data */

enum life_turn {
	LIFE_NEW,	/* a new process or thread, before it runs */
	LIFE_LEAVE,	/* exec: the program is about to be replaced; its memory is still there */
	LIFE_EXEC,	/* the new program has replaced it */
	LIFE_EXIT,	/* a thread ends; its memory is still there */
	LIFE_TURNS
};

/*
 * Calls told() at each such event from now on, until life_forget() has returned; with preemption or
 * interrupts off. At most LIFE_USERS callbacks per event. 0 or -errno. Process context, one at a time.
 */
int life_watch(enum life_turn turn, void (*told)(void));
void life_forget(enum life_turn turn, void (*told)(void));

#endif
