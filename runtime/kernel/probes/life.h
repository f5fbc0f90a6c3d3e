/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * life.h - turns in the lives of processes and threads, each told in the context of the one that it is about.
 */
#ifndef LAPWING_KERNEL_LIFE_H
#define LAPWING_KERNEL_LIFE_H

enum life_turn {
	LIFE_NEW,	/* a new process or thread, before it runs */
	LIFE_LEAVE,	/* exec: the program is about to be replaced; its memory is still there */
	LIFE_EXEC,	/* another program has taken its place */
	LIFE_EXIT,	/* a thread ends; its memory is still there */
	LIFE_TURNS
};

/*
 * told() is called at each such turn from now on, until life_forget() has returned; with preemption or interrupts off. At most two for a
 * turn. 0 or -errno. Process context, one at a time.
 */
int life_watch(enum life_turn turn, void (*told)(void));
void life_forget(enum life_turn turn, void (*told)(void));

#endif
