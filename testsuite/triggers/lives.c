// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lives.c - processes that fork, start threads and exec: lives CHILDREN THREADS. Each child starts
 * THREADS threads, one after the other, then executes this program again, which exits at once. Each
 * thread and each executed program calls getppid() once.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void *run(void *nothing)
{
	syscall(SYS_getppid);
	return nothing;
}

static void child(char *program, int threads)
{
	while (threads--) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, run, NULL) || pthread_join(thread, NULL))
			_exit(1);
	}
	execl(program, program, (char *)NULL);
	_exit(1);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		syscall(SYS_getppid);
		return 0;
	}
	for (int i = 0; i < atoi(argv[1]); i++) {
		pid_t pid = fork();
		int status;

		if (!pid)
			child(argv[0], atoi(argv[2]));
		if (waitpid(pid, &status, 0) != pid || status)
			return 1;
	}
	return 0;
}
