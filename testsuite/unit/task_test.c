/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task_test.c - which processes are in the target's tree, while process IDs are given again.
 */
#include "runtime/user/processes/task.h"

#include "runtime/user/base/time.h"
#include "runtime/user/base/unread.h"
#include "runtime/user/processes/ids.h"
#include "testsuite/unit/check.h"

#include <unistd.h>

struct user_session session;
u64 time_mono(void) { return 1; }
void unread_note(const struct rt_ctx *c, const char *what, const char *why) { }
void ids_watch(void) { }
void ids_look(s32 pid, s32 tid) { }
void ids_exit(s32 tid) { }
void ids_drop(s32 tid) { }
void ids_lost(u64 time) { }
void ids_clear(void) { }

#define TARGET		0x7ff00000	/* processes that do not exist, but in records */
#define CHILD		0x7ff00001
#define GRANDCHILD	0x7ff00002

static void fork_of(s32 parent, s32 pid)
{
	static u64 time = 10;

	task_fork(&(struct task_fork){ pid, pid, parent, parent, time++ });
}

int main(void)
{
	s32 self = getpid(), parent = getppid();

	session.target.pid = TARGET;
	fork_of(TARGET, CHILD);
	CHECK(task_in_tree(TARGET) == 1);
	CHECK(task_in_tree(CHILD) == 1);
	CHECK(task_in_tree(self) == 0);

	/* The ID of a process outside of the tree, whose end no record tells, is one of the tree's. */
	fork_of(CHILD, parent);
	CHECK(task_in_tree(parent) == 1);
	CHECK(task_in_tree(self) == 0);		/* whose parent had that ID before */
	fork_of(parent, self);
	CHECK(task_in_tree(self) == 1);

	/* One of the tree gets the ID of the process that started the one that starts it. */
	fork_of(CHILD, GRANDCHILD);
	fork_of(GRANDCHILD, CHILD);
	CHECK(task_in_tree(GRANDCHILD) == 1);
	CHECK(task_in_tree(CHILD) == 1);

	/* Each starts the next one. */
	for (s32 i = 1; i <= 1000; i++)
		fork_of(GRANDCHILD + i - 1, GRANDCHILD + i);
	CHECK(task_in_tree(GRANDCHILD + 1000) == 1);
	task_clear();
	return failures != 0;
}
