/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostile.c - a program that works, by itself and called by a library (library.c), then puts something else where its files were, and
 * works on.
 * hostile HOW LIBRARY [READY]: HOW is what becomes of its files; READY is made when that is done, and the program works until it is killed.
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

/* Code without a file, which a perf map would name. */
static long made(long n)
{
	static const unsigned char bytes[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };	/* dec %rdi; jne; ret */
	static void *code;

	if (!code) {
		code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
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

/* What others wrote of this process. */
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

	if (!strcmp(how, "cut"))		/* the library's code stays, what is behind it goes; who runs cannot be cut */
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
	if (lies ? liar(name) : jit ? mkfifo(name, 0600) : become(argv[1], argv[2]) || become(argv[1], self))
		return 3;
	work(jit ? made : busy, 0.05);
	if (argc > 3)
		close(open(argv[3], O_CREAT | O_WRONLY, 0600));
	while (argc > 3)
		work(jit ? made : busy, 0.05);
	if (jit)
		unlink(name);
	_exit(0);		/* what it would run at the end may be cut off */
}
