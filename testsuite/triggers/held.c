/* SPDX-License-Identifier: GPL-2.0-or-later */
/* held.c - held TIMES: waits for SIGUSR1, then calls counted() TIMES times. */
#include <signal.h>
#include <stdlib.h>

int counted(int n);
__attribute__((noinline)) int counted(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 1;
}

int main(int argc, char **argv)
{
	int times = argc > 1 ? atoi(argv[1]) : 1, n = 0;
	sigset_t go;

	sigemptyset(&go);
	sigaddset(&go, SIGUSR1);
	sigprocmask(SIG_BLOCK, &go, NULL);
	sigwait(&go, &(int){ 0 });
	while (n < times)
		n = counted(n);
	return 0;
}
