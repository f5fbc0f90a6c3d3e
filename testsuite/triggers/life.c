/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * life.c - three children with two threads each, which call getppid() four times in all per child;
 * a fourth child executes this program again, which calls it three times. In total: 6 programs
 * begin and end, 6 threads begin and end, 15 calls.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void call(int times)
{
	while (times--)
		syscall(SYS_getppid);
}

static void *thread(void *unused)
{
	call(1);
	return unused;
}

static void child(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, thread, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	call(2);
	exit(0);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "again")) {
		call(3);
		return 0;
	}
	for (int i = 0; i < 3; i++)
		if (!fork())
			child();
	if (!fork())
		execl(argv[0], argv[0], "again", (char *)NULL);
	while (wait(NULL) > 0)
		;
	return 0;
}
