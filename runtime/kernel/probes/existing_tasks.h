/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * existing_tasks.h - processes and threads that exist when the run starts, until each has been
 * reported in its own context.
 */
#ifndef LAPWING_KERNEL_EXISTING_TASKS_H
#define LAPWING_KERNEL_EXISTING_TASKS_H

/*
 * From now on met() is called once for each task that is there, in its context, once hits can run.
 * 0 or -errno. Process context.
 */
int existing_tasks_start(void (*met)(void));
void existing_tasks_stop(void);
/*
 * The current task has just come: 1 if that is to be told now, 0 if hits cannot run yet, so that it
 * will be met.
 */
int existing_tasks_new(void);
/* Meets the current task now, if it has not been. Any context of the task. */
void existing_tasks_meet(void);

#endif
