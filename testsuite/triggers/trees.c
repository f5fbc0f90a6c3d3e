/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trees.c - processes that come from one: 5 calls of getppid() in itself and 17 in a thread; 7 in a child; 11 in the child's child, a
 * daemon that begins when its parent has died; 3 in its child, and 13 when that has exec'ed; 2 in one of vfork(); one in each of 50, each
 * the child of the one before. 108 in 55 processes; ends when all have. trees deep: the 50 alone, which make their calls when the input
 * ends; prints "there" when all are.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEEP	50

static void calls(int n)
{
	while (n--)
		syscall(SYS_getppid);
}

static void *thread(void *unused)
{
	calls(17);
	return unused;
}

/* Until the other end of a pipe is nobody's. */
static void await_end(int fd)
{
	char byte;

	while (read(fd, &byte, 1) > 0)
		;
}

static void daemon_of(int parent_lives)
{
	setsid();
	await_end(parent_lives);
	calls(11);
	if (!fork()) {
		calls(3);
		execl("/proc/self/exe", "daemon", "leaf", NULL);
		_exit(1);
	}
	wait(NULL);
	_exit(0);
}

static void child(void)
{
	int lives[2];

	calls(7);
	if (pipe(lives))
		_exit(1);
	if (!fork()) {
		close(lives[1]);
		daemon_of(lives[0]);
	}
	_exit(0);
}

/* Each is the parent of the next. */
static void deep(int n, int waits)
{
	if (!n) {
		if (waits && write(1, "there\n", 6) == 6)
			await_end(0);
		return;
	}
	if (!fork()) {
		deep(n - 1, waits);
		calls(1);
		_exit(0);
	}
	wait(NULL);
}

int main(int argc, char **argv)
{
	pthread_t t;
	int end[2];

	if (argc > 1 && !strcmp(argv[1], "leaf")) {
		calls(13);
		return 0;
	}
	if (argc > 1) {
		deep(DEEP, 1);
		return 0;
	}
	if (pipe(end))
		return 1;
	calls(5);
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	if (!fork())
		child();
	deep(DEEP, 0);
	if (!vfork()) {
		calls(2);
		_exit(0);
	}
	wait(NULL);
	close(end[1]);
	await_end(end[0]);
	return 0;
}
