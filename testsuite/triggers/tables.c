/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tables.c - replaces its /tmp/perf-PID.map N times by another table of the same size: code_I at
 * the same address, then calls told(address, I). The last table stays. Usage: tables N
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

__attribute__((noipa)) static void told(void *at, int n)
{
	asm volatile("" :: "r" (at), "r" (n));
}

/* Rewrites the file until its time changes, by which a reader notices the new table. */
static void tell(const char *path, void *at, int n, struct stat *before)
{
	struct stat st;

	do {
		FILE *f = fopen(path, "w");

		if (!f)
			exit(6);
		fprintf(f, "%lx 40 code_%03d\n", (unsigned long)at, n);
		fclose(f);
		if (stat(path, &st))
			exit(6);
	} while (st.st_mtim.tv_sec == before->st_mtim.tv_sec &&
		 st.st_mtim.tv_nsec == before->st_mtim.tv_nsec);
	*before = st;
}

int main(int argc, char **argv)
{
	void *at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct stat before = { 0 };
	char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	for (int i = 0; argc > 1 && i < atoi(argv[1]); i++) {
		tell(path, at, i, &before);
		told(at, i);
	}
	return 0;
}
