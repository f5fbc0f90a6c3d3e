/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.c - symbol tables of the kernel and of programs: for the module, which is handed them, and for what is named here.
 */
#include "runtime/run/run.h"

#include "runtime/elf/symfile.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

static struct wire_symtab *kernel;

static void send_table(u64 dev, u64 ino, const struct wire_symtab *t, u64 bytes)
{
	enum { CHUNK = 32768 };
	static struct { struct wire_symbols s; u8 bytes[CHUNK]; } part;

	for (u64 at = 0; at < bytes; at += CHUNK) {
		u32 n = bytes - at < CHUNK ? (u32)(bytes - at) : CHUNK;

		/* The payload is padded to 8; the table's own end says where it stops. */
		part.s = (struct wire_symbols){ .dev = dev, .ino = ino, .total = (bytes + 7) & ~7ULL, .offset = at };
		memset(part.bytes, 0, sizeof(part.bytes));
		memcpy(part.bytes, (const u8 *)t + at, n);
		if (command_send(WIRE_SYMBOLS, 0, &part, (u32)sizeof(part.s) + ((n + 7) & ~7U)))
			return;
	}
}

/* An image once. */
static int is_new(u64 dev, u64 ino)
{
	static struct { u64 dev, ino; } *sent;
	static size_t n;
	void *more;

	for (size_t i = 0; i < n; i++)
		if (sent[i].dev == dev && sent[i].ino == ino)
			return 0;
	more = realloc(sent, (n + 1) * sizeof(*sent));
	if (!more)
		return 0;
	sent = more;
	sent[n].dev = dev;
	sent[n++].ino = ino;
	return 1;
}

static void send_image(pid_t pid, const char *path)
{
	char through[512];
	struct wire_symtab *t;
	struct stat st;
	u64 bytes, dev;

	snprintf(through, sizeof(through), "/proc/%d/root%s", pid, path);
	if (stat(through, &st) || !S_ISREG(st.st_mode))
		return;
	dev = (u64)major(st.st_dev) << 20 | minor(st.st_dev);
	if (!is_new(dev, st.st_ino))
		return;
	t = symfile_elf(through, path, &bytes);
	if (t)
		send_table(dev, st.st_ino, t, bytes);
	free(t);
}

void symbols_send_process(pid_t pid)
{
	char path[64], *line = NULL;
	size_t room = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	f = fopen(path, "re");
	while (f && getline(&line, &room, f) > 0) {
		char prot[8], *name = strchr(line, '/');

		if (name && sscanf(line, "%*s %7s", prot) == 1 && prot[2] == 'x') {
			name[strcspn(name, "\n")] = 0;
			send_image(pid, name);
		}
	}
	free(line);
	if (f)
		fclose(f);
}

void symbols_send(void)
{
	struct dirent *d;
	u64 bytes;
	DIR *dir;

	if (facts.hello.capture & RT_CAP_KSYMS) {
		kernel = symfile_kernel(&bytes);
		if (kernel)
			send_table(0, 0, kernel, bytes);
		else
			warn_text("kernel symbols are hidden (kernel.kptr_restrict); symname() gives addresses");
	}
	if (!(facts.hello.capture & RT_CAP_USYMS))
		return;
	if (opt.pid) {
		symbols_send_process(opt.pid);
		return;
	}
	dir = opendir("/proc");
	while (dir && (d = readdir(dir)))
		if (d->d_name[0] >= '1' && d->d_name[0] <= '9')
			symbols_send_process(atoi(d->d_name));
	if (dir)
		closedir(dir);
}

const struct wire_symtab *symbols_find(int user, pid_t pid, u64 addr, u64 *at)
{
	*at = addr;
	return user ? NULL : kernel;
}

void symbols_free(void)
{
	free(kernel);
}
