// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tells.c - says the truth about itself in arguments of system calls, and makes it another one right after: what is read later is wrong.
 *
 * tells opens N DIR	opens DIR/0 ... of one buffer, which holds another name after each
 * tells execs N	execve("/no/such/I", { "a-I", NULL }, { "b=I", NULL }), likewise
 * tells calls N	work("text-I"), likewise
 * tells names N	N children called c-I say getpgid(I) and end
 * tells heirs N		N threads called c-I each start a child, which has its name from them, and says getpgid(I)
 * tells threads N IN	the same by threads, once a line can be read from IN; each says so as o-I first, then as c-I
 * tells renames N	is called r-I for a while, a hundred names, then c-I, and says getpgid(I)
 * tells users N	says getpgid(effective user), changes it, N times
 * tells groups N	N children say getsid(group) before and after they have one of their own, and after a session
 * tells parents N	N grandchildren say sched_getscheduler(parent) before and after their parent has ended; it ends after they have
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char text[4096], arg[64], env[64];
static int gate;

static void spoil(void)
{
	strcpy(text, "/wrong");
	strcpy(arg, "wrong");
	strcpy(env, "wrong");
}

__attribute__((noinline)) void work(const char *what)
{
	__asm__ volatile("" : : "r"(what) : "memory");
}

static void one_open(int i, const char *dir)
{
	snprintf(text, sizeof(text), "%s/%d", dir, i);
	syscall(SYS_openat, AT_FDCWD, text, O_RDONLY);
	spoil();
}

static void one_exec(int i)
{
	char *argv[] = { arg, NULL }, *envp[] = { env, NULL };

	snprintf(text, sizeof(text), "/no/such/%d", i);
	snprintf(arg, sizeof(arg), "a-%d", i);
	snprintf(env, sizeof(env), "b=%d", i);
	syscall(SYS_execve, text, argv, envp);
	spoil();
	argv[0] = envp[0] = NULL;
	__asm__ volatile("" : : "r"(argv), "r"(envp) : "memory");
}

static void name_self(char letter, long i)
{
	char name[16];

	snprintf(name, sizeof(name), "%c-%ld", letter, i);
	prctl(PR_SET_NAME, name);
}

static void say_name(long i)
{
	name_self('c', i);
	syscall(SYS_getpgid, i);
}

static void *thread(void *number)
{
	char byte;

	name_self('o', (long)number);
	if (read(gate, &byte, 1) < 0)
		return NULL;
	syscall(SYS_getpgid, (long)number);
	say_name((long)number);
	return NULL;
}

static void *starts_heir(void *number)
{
	name_self('c', (long)number);
	if (!fork()) {
		syscall(SYS_getpgid, (long)number);
		_exit(0);
	}
	wait(NULL);
	return NULL;
}

static void one_heir(long i)
{
	pthread_t t;

	if (!pthread_create(&t, NULL, starts_heir, (void *)i))
		pthread_join(t, NULL);
}

static void threads(int n, const char *in)
{
	pthread_t *all = calloc((size_t)n, sizeof(*all));

	gate = open(in, O_RDONLY);
	for (long i = 0; i < n; i++)
		pthread_create(&all[i], NULL, thread, (void *)i);
	for (int i = 0; i < n; i++)
		pthread_join(all[i], NULL);
}

static void one_user(int i)
{
	syscall(SYS_getpgid, syscall(SYS_geteuid));
	syscall(SYS_setresuid, -1, i & 1 ? 0 : 1000 + i, -1);
	syscall(SYS_getpgid, syscall(SYS_geteuid));
}

static void say_group(void)
{
	syscall(SYS_getsid, getpgrp());
}

static void one_group(void)
{
	say_group();
	setpgid(0, 0);
	say_group();
	setsid();		/* refused: it leads a group */
	say_group();
	if (!fork()) {
		say_group();
		setsid();
		say_group();
		_exit(0);
	}
	wait(NULL);
}

static void say_parent(void)
{
	syscall(SYS_sched_getscheduler, getppid());
}

/* The child says it while its parent waits to hear so, and again when that has ended. */
static void one_parent(void)
{
	int said[2], parent = getpid();
	char byte = 0;

	if (pipe(said))
		exit(1);
	if (!fork()) {
		say_parent();
		if (write(said[1], &byte, 1) < 0)
			exit(1);
		while (getppid() == parent)
			;
		say_parent();
		_exit(0);
	}
	if (read(said[0], &byte, 1) < 0)
		exit(1);
}

static void one(const char *what, int i, const char *more)
{
	if (!strcmp(what, "opens"))
		one_open(i, more);
	else if (!strcmp(what, "execs"))
		one_exec(i);
	else if (!strcmp(what, "users"))
		one_user(i);
	else if (!strcmp(what, "heirs"))
		one_heir(i);
	else if (!strcmp(what, "renames")) {
		for (int k = 0; k < 100; k++)
			name_self('r', k);
		say_name(i);
	}
	else if (!strcmp(what, "calls")) {
		snprintf(text, sizeof(text), "text-%d", i);
		work(text);
		spoil();
	} else if (!fork()) {
		if (!strcmp(what, "names"))
			say_name(i);
		else if (!strcmp(what, "groups"))
			one_group();
		else
			one_parent();
		_exit(0);
	} else {
		wait(NULL);
	}
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 0;
	const char *more = argc > 3 ? argv[3] : "/tmp";

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (n && !strcmp(argv[1], "threads"))
		threads(n, more);
	for (int i = 0; i < n && strcmp(argv[1], "threads"); i++)
		one(argv[1], i, more);
	while (wait(NULL) > 0)		/* grandchildren too */
		;
	return 0;
}
