/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls32.c - becomes a 32-bit program, which it writes as it needs no compiler for that: of system calls 9 openat, 15 getppid, 6 getpid,
 * 4 read of a descriptor that is not open, 5 nanosleep of 2 ms, and one each of others. It is called calls32.elf, beside this one.
 * With an argument it is written only. Exit status 77: this kernel runs no 32-bit programs.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define AT	0x10000
#define CODE	0x400			/* where in the file code and data begin */
#define DATA	0x1c00

static struct {
	Elf32_Ehdr	header;
	Elf32_Phdr	segment;
	unsigned char	rest[0x2000 - sizeof(Elf32_Ehdr) - sizeof(Elf32_Phdr)];
} file;
static unsigned code = CODE, data = DATA;

static void put(uint32_t value, unsigned bytes)
{
	memcpy((char *)&file + code, &value, bytes);
	code += bytes;
}

static uint32_t keep(const void *bytes, unsigned size)
{
	uint32_t at = AT + data;

	memcpy((char *)&file + data, bytes, size);
	data += (size + 7) & ~7u;
	return at;
}

/* A call: its number, and its arguments. */
static void call(int nr, const uint32_t args[6])
{
#ifdef __aarch64__
	for (int i = 0; i < 7; i++) {			/* movw, movt: r0 to r5, and r7 for the number */
		uint32_t value = i < 6 ? args[i] : (uint32_t)nr, to = i < 6 ? i : 7;

		put(0xe3000000 | (value >> 12 & 15) << 16 | to << 12 | (value & 0xfff), 4);
		put(0xe3400000 | value >> 28 << 16 | to << 12 | (value >> 16 & 0xfff), 4);
	}
	put(0xef000000, 4);				/* svc 0 */
#else
	static const unsigned char registers[] = { 3, 1, 2, 6, 7, 5, 0 };	/* ebx, ecx, edx, esi, edi, ebp, eax */

	for (int i = 0; i < 7; i++) {			/* mov $value, %register */
		put(0xb8 + registers[i], 1);
		put(i < 6 ? args[i] : (uint32_t)nr, 4);
	}
	put(0x80cd, 2);					/* int $0x80 */
#endif
}

#define CALL(nr, ...) call(nr, (const uint32_t[6]){ __VA_ARGS__ })
#define KEEP(...) keep((const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ }))

static void make_calls(void)
{
	const uint32_t none = keep("/compat/none", 13), arm = sizeof(void *) == 8 && file.header.e_machine == EM_ARM;
	const uint32_t time = KEEP(0, 2000000), time64 = KEEP(0, 0, 3000000, 0), room = KEEP(0, 0), limits = KEEP(7, 0xffffffff);
	const uint32_t texts = KEEP(none, none, 0), action = KEEP(1, 0x10000000, 0, 0, 0);

	for (int i = 0; i < 9; i++)
		CALL(arm ? 322 : 295, -100, none, 0100, 0640);		/* openat */
	for (int i = 0; i < 15; i++)
		CALL(64);						/* getppid: semget of 64-bit programs */
	for (int i = 0; i < 6; i++)
		CALL(20);						/* getpid: writev */
	for (int i = 0; i < 4; i++)
		CALL(3, -1, room, 7);					/* read: close */
	for (int i = 0; i < 5; i++)
		CALL(162, time);					/* nanosleep: sync */
	CALL(140, -1, 1, 2, room);					/* _llseek */
	if (arm)
		CALL(180, -1, room, 7, 0, 5, 1);			/* pread64: offset 0x100000005 */
	else
		CALL(180, -1, room, 7, 5, 1);
	CALL(19, -1, -3, 2);						/* lseek */
	CALL(407, 1, 0, time64);					/* clock_nanosleep_time64 */
	CALL(75, 4, limits);						/* setrlimit of cores */
	CALL(174, 10, action, 0, 8);					/* rt_sigaction of SIGUSR1: SIG_IGN, SA_RESTART */
	if (arm)
		CALL(192, 0, 4096, 0, 0x22, -1, 3);			/* mmap2 */
	else
		CALL(90, KEEP(0, 4096, 0, 0x22, -1, 0x3000));		/* mmap, of a structure */
	CALL(11, none, texts);						/* execve */
	CALL(1);							/* exit */
}

int main(int argc, char *argv[] __attribute__((unused)))
{
	Elf32_Ehdr *h = &file.header;
	char path[4096] = "";
	int fd;

	if (readlink("/proc/self/exe", path, sizeof(path) - 5) > 0)
		strcat(path, ".elf");
	fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0755);
	memcpy(h->e_ident, "\177ELF\1\1\1", 7);
#ifdef __aarch64__
	h->e_machine = EM_ARM;
	h->e_flags = 0x05000200;
#else
	h->e_machine = EM_386;
#endif
	h->e_type = ET_EXEC;
	h->e_version = 1;
	h->e_entry = AT + CODE;
	h->e_phoff = sizeof(*h);
	h->e_ehsize = sizeof(*h);
	h->e_phentsize = sizeof(file.segment);
	h->e_phnum = 1;
	file.segment = (Elf32_Phdr){ .p_type = PT_LOAD, .p_vaddr = AT, .p_paddr = AT, .p_filesz = sizeof(file), .p_memsz = sizeof(file),
				     .p_flags = PF_R | PF_W | PF_X, .p_align = 0x1000 };
	make_calls();
	if (fd < 0 || write(fd, &file, sizeof(file)) != sizeof(file) || close(fd) || code > DATA || data > sizeof(file)) {
		perror(path);
		return 1;
	}
	if (argc > 1)
		return 0;
	execl(path, path, NULL);
	perror(path);
	return 77;
}
