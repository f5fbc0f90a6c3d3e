/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * images.c - code in places where names are hard to find; each spins for 500 ms of CPU time under
 * the function's name, or for longer where a machine that stands still has taken most of that.
 *	images deleted	from a copy of this file that is deleted by then: spin_deleted()
 *	images inside	from a copy on a file system that only its own mount namespace has: spin_inside()
 *	images jit	in code it made itself, which /tmp/perf-PID.map calls "made code"
 *	images jit0x	the same, where that file's numbers begin with 0x, after a line that is none
 *	images jitdump	the same, which a jitdump file calls "dumped code"
 *	images stripped	in a library between the exported functions symA and symB, where no symbol is
 *	images signal	in a handler of SIGUSR1, spin_in_handler(), which interrupted wait_for_it()
 *	images vdso	in calls of clock_gettime() through the vDSO
 *	images all	each of them in a process of its own
 */
#define _GNU_SOURCE
#pragma GCC optimize("no-omit-frame-pointer", "no-optimize-sibling-calls")

#include <elf.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long work;
static volatile int handled;

static int time_is_up(void)
{
	static clock_t end;
	static int asked;

	if (!end)
		end = clock() + 500 * (CLOCKS_PER_SEC / 1000);
	return ++asked > 50 && clock() >= end;
}

#define SPIN(name) \
	static __attribute__((noinline)) void name(void) \
	{ \
		while (!time_is_up()) \
			for (int i = 0; i < 300000; i++) \
				work += (unsigned long)i; \
	}
SPIN(spin_deleted)
SPIN(spin_inside)
SPIN(spin_in_handler)

static void copy_self(const char *to)
{
	int in = open("/proc/self/exe", O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0700);
	struct stat st;

	if (in < 0 || out < 0 || fstat(in, &st) || sendfile(out, in, NULL, (size_t)st.st_size) != st.st_size)
		exit(3);
	close(in);
	close(out);
}

static void deleted(const char *self)
{
	char path[64];

	snprintf(path, sizeof(path), "/tmp/images.%d", getpid());
	copy_self(path);
	execl(path, "gone", path, (char *)NULL);
	exit(4);
}

static void inside(const char *self)
{
	char folder[64], path[96];

	snprintf(folder, sizeof(folder), "/tmp/images.%d", getpid());
	snprintf(path, sizeof(path), "%s/inside", folder);
	if (mkdir(folder, 0700) || unshare(CLONE_NEWNS))
		exit(5);
	mount("", "/", "", MS_REC | MS_PRIVATE, "");	/* where / is no mount point nothing is shared */
	if (mount("tmpfs", folder, "tmpfs", 0, ""))
		exit(5);
	copy_self(path);
	execl(path, "within", folder, (char *)NULL);
	exit(4);
}

/* A loop that counts its argument down. */
#ifdef __aarch64__
static const unsigned code[] = { 0xf1000400, 0x54ffffe1, 0xd65f03c0 };	/* subs x0, x0, #1; b.ne .-4; ret */
#else
static const unsigned char code[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };	/* dec rdi; jnz .-3; ret */
#endif

static void *make_code(void)
{
	void *made = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(made, code, sizeof(code));
	__builtin___clear_cache((char *)made, (char *)made + 4096);
	return made;
}

static void run_made(void *made)
{
	while (!time_is_up())
		((void (*)(unsigned long))made)(300000);
}

static void tell_map(const char *format)
{
	void *made = make_code();
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	f = fopen(path, "w");
	if (!f)
		exit(6);
	fprintf(f, format, (unsigned long)made, sizeof(code));
	fclose(f);
	run_made(made);
	unlink(path);
}

static void jit(const char *self)
{
	tell_map("%lx %lx made code\n");
}

static void jit0x(const char *self)
{
	tell_map("no number at all\n0x%lx 0x%lx made code\n");
}

static void jitdump(const char *self)
{
	void *made = make_code();
	struct {
		unsigned magic, version, size, machine, pad, pid;
		unsigned long time, flags;
		struct { unsigned type, size; unsigned long time; } r;
		unsigned owner, tid;
		unsigned long vma, address, bytes, index;
		char name[16];
	} dump = {
		.magic = 0x4a695444,
		.version = 1,
		.size = 40,
		.machine = 62,
		.pid = (unsigned)getpid(),
		.r = { .size = 72 },
		.owner = (unsigned)getpid(),
		.tid = (unsigned)getpid(),
		.vma = (unsigned long)made,
		.address = (unsigned long)made,
		.bytes = sizeof(code),
		.name = "dumped code",
	};
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/tmp/jit-%d.dump", getpid());
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	/* profilers learn of the file by the mapping */
	if (write(fd, &dump, sizeof(dump)) != sizeof(dump) ||
	    mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		exit(6);
	run_made(made);
	unlink(path);
}

#define EXPORTED(name, value) \
	{ .st_name = name, .st_info = STB_GLOBAL << 4 | STT_FUNC, .st_shndx = 1, \
	  .st_value = value, .st_size = 16 }

/* What is left of a stripped library: two exported functions, and code between them. */
static void stripped(const char *self)
{
	enum { CODE = 4096 };
	static const char names[] = "\0symA\0symB";
	static struct {
		Elf64_Ehdr eh;
		Elf64_Phdr ph;
		Elf64_Shdr sh[3];
		Elf64_Sym sym[3];
		char names[sizeof(names)];
	} lib = {
		.eh = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_DYN,
			.e_version = EV_CURRENT,
			.e_ehsize = sizeof(lib.eh),
			.e_phoff = offsetof(typeof(lib), ph),
			.e_phnum = 1,
			.e_phentsize = sizeof(lib.ph),
			.e_shoff = offsetof(typeof(lib), sh),
			.e_shnum = 3,
			.e_shentsize = sizeof(lib.sh[0]) },
		.ph = { .p_type = PT_LOAD,
			.p_flags = PF_R | PF_X,
			.p_filesz = 2 * CODE,
			.p_memsz = 2 * CODE,
			.p_align = 4096 },
		.sh = { { 0 },
			{ .sh_type = SHT_DYNSYM,
			  .sh_offset = offsetof(typeof(lib), sym),
			  .sh_size = sizeof(lib.sym),
			  .sh_link = 2,
			  .sh_entsize = sizeof(lib.sym[0]) },
			{ .sh_type = SHT_STRTAB,
			  .sh_offset = offsetof(typeof(lib), names),
			  .sh_size = sizeof(names) } },
		.sym = { { 0 }, EXPORTED(1, CODE), EXPORTED(6, CODE + 256) },
	};
	char path[64], *text;
	int fd;

	memcpy(lib.names, names, sizeof(names));
	snprintf(path, sizeof(path), "/tmp/libstripped.%d.so", getpid());
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0700);
	if (write(fd, &lib, sizeof(lib)) != sizeof(lib) ||
	    pwrite(fd, code, sizeof(code), CODE + 64) != sizeof(code) || ftruncate(fd, 2 * CODE))
		exit(6);
	text = mmap(NULL, CODE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, CODE);
	if (text == MAP_FAILED)
		exit(6);
	run_made(text + 64);
	unlink(path);
}

static void on_signal(int sig)
{
	spin_in_handler();
	handled = 1;
}

static __attribute__((noinline)) void wait_for_it(void)
{
	while (!handled)
		;
}

static void by_signal(const char *self)
{
	pid_t parent = getpid();

	signal(SIGUSR1, on_signal);
	if (!fork()) {
		kill(parent, SIGUSR1);
		_exit(0);
	}
	wait_for_it();
	wait(NULL);
}

static void vdso(const char *self)
{
	struct timespec t;

	while (!time_is_up())
		for (int i = 0; i < 3000; i++)
			clock_gettime(CLOCK_MONOTONIC, &t);
}

static void gone(const char *self)
{
	unlink(self);
	spin_deleted();
}

static void within(const char *folder)
{
	spin_inside();
	umount2(folder, MNT_DETACH);
	rmdir(folder);
}

static const struct { const char *name; void (*run)(const char *self); int own; } modes[] = {
	{ "deleted", deleted, 1 }, { "inside", inside, 1 }, { "jit", jit, 1 },
	{ "jit0x", jit0x, 1 }, { "jitdump", jitdump, 1 }, { "stripped", stripped, 1 }, { "signal", by_signal, 1 }, { "vdso", vdso, 1 },
	{ "gone", gone, 0 }, { "within", within, 0 },
};

int main(int argc, char **argv)
{
	const char *mode = argc > 1 && strchr(argv[0], '/') ? argv[1] : argv[0];	/* a copy is called by its mode */
	int failed = 0, status;

	for (unsigned i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(mode, "all") || !modes[i].own) {
			if (!strcmp(mode, modes[i].name))
				modes[i].run(argv[argc - 1]);
			continue;
		}
		if (!fork()) {
			prctl(PR_SET_NAME, modes[i].name);
			modes[i].run(argv[0]);
			exit(0);
		}
		wait(&status);
		if (status)
			fprintf(stderr, "images: %s: status %x\n", modes[i].name, status);
		failed |= status;
	}
	return failed != 0;
}
