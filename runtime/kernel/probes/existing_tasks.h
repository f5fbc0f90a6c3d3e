/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * existing_tasks.h - processes and threads that exist when the run starts, until each has been
 * reported in its own context.
 */
#ifndef LAPWING_KERNEL_EXISTING_TASKS_H
#define LAPWING_KERNEL_EXISTING_TASKS_H

/*
 * From now on met() is called once for each existing task, in the task's context, as soon as hits
 * can run. 0 or -errno. Process context.
 */
int existing_tasks_start(void (*met)(void));
void existing_tasks_stop(void);
/* The current task is new: 1: report it now; 0: hits cannot run yet, so it will be met later. */
int existing_tasks_new(void);
/* Meets the current task now, if it has not been met. Any context of the task. */
void existing_tasks_meet(void);

#endif
