/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostile.c - a program that uses CPU time, in its own functions and in a library (library.c), then
 * replaces its own files and continues.
 * hostile HOW LIBRARY [READY]: HOW says what replaces the files. With READY, the program creates
 * that file after the replacement and runs until it is killed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

__attribute__((noinline)) long busy(long n)
{
	volatile long sum = 0;

	for (long i = 0; i < n; i++)
		sum += i;
	return sum;
}

typedef long library_fn(long (*work)(long), long n);
static library_fn *library_work;

static void work(long (*f)(long), double s)
{
	for (double end = cpu_s() + s; cpu_s() < end; )
		library_work(f, 1000000);
}

/* Runs code in anonymous memory, whose name can only come from a perf map. */
static long made(long n)
{
	/* dec %rdi; jne; ret */
	static const unsigned char bytes[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };
	static void *code;

	if (!code) {
		code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		memcpy(code, bytes, sizeof(bytes));
	}
	((void (*)(long))code)(n);
	return 0;
}

static int sparse(const char *path, const char *like)
{
	int from = open(like, O_RDONLY), to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0755);
	char head[4096];
	ssize_t n = read(from, head, sizeof(head));

	return write(to, head, (size_t)n) == n && !ftruncate(to, 1L << 40) ? 0 : -1;
}

/* Writes a perf map for this process that belongs to another user. */
static int liar(const char *path)
{
	FILE *f = fopen(path, "w");

	fputs("0 ffffffffffffffff impostor\n", f);
	fclose(f);
	return chown(path, 1, 1);
}

static int become(const char *how, const char *path)
{
	char copy[4096];

	/* keeps the library's code and cuts what follows; a running program cannot be cut */
	if (!strcmp(how, "cut"))
		return strstr(path, ".so") ? truncate(path, 8192) : 0;
	snprintf(copy, sizeof(copy), "%s.was", path);
	if (rename(path, copy))
		return -1;
	if (!strcmp(how, "fifo"))
		return mkfifo(path, 0600);
	if (!strcmp(how, "folder"))
		return mkdir(path, 0700);
	if (!strcmp(how, "zero"))
		return symlink("/dev/zero", path);
	if (!strcmp(how, "tty"))
		return symlink("/dev/ptmx", path);
	return !strcmp(how, "sparse") ? sparse(path, copy) : -1;
}

int main(int argc, char **argv)
{
	void *library = dlopen(argv[2], RTLD_NOW);
	char name[64], *self = realpath("/proc/self/exe", NULL);
	int lies = !strcmp(argv[1], "liar"), jit = lies || !strcmp(argv[1], "perfmap");

	library_work = library ? (library_fn *)dlsym(library, "library_work") : NULL;
	if (!library_work)
		return 2;
	work(busy, 0.12);
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", getpid());
	if (lies  ? liar(name)
	    : jit ? mkfifo(name, 0600)
		  : become(argv[1], argv[2]) || become(argv[1], self))
		return 3;
	work(jit ? made : busy, 0.05);
	if (argc > 3)
		close(open(argv[3], O_CREAT | O_WRONLY, 0600));
	while (argc > 3)
		work(jit ? made : busy, 0.05);
	if (jit)
		unlink(name);
	_exit(0);		/* exit handlers may be in the truncated part */
}
