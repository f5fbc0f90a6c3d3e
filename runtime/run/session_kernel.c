/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session_kernel.c - a script's kernel module: loading, its device, unloading.
 *
 * A module without a name of its own (lapwing_ and 8 hex digits) is loaded under one made from our
 * process id, so that two sessions of one script do not conflict: the name is text, which is
 * replaced by one of the same length in .modinfo and in struct module.
 */
#include "lib/ksyms.h"
#include "runtime/run/child.h"
#include "runtime/run/counters.h"
#include "runtime/run/explain.h"
#include "runtime/run/facts.h"
#include "runtime/run/file.h"
#include "runtime/run/notes.h"
#include "runtime/run/run.h"
#include "runtime/run/script_error.h"
#include "runtime/run/symbol_tables.h"
#include "runtime/run/track.h"
#include "symbolize/elffile.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define OWN_NAME "lapwing_"

static char name[64];
static int device = -1, loaded;
static struct wire_ring **rings;
static u64 ring_size;

static int find_name(const char *p, size_t n)
{
	const char *found = file_info(p, n, "name");

	if (!found || !*found || strlen(found) >= sizeof(name))
		return -1;
	strcpy(name, found);
	return 0;
}

/*
 * Resolves weak undefined symbols to the kernel's functions, as absolute addresses, so that the
 * module can call unexported functions directly. The module checks them against the kernel's own
 * table, and works without unresolved ones.
 */
static void bind_symbols(char *p, size_t n)
{
	size_t size = 0, text_size = 0;
	char *table = (char *)file_section(p, n, ".symtab", &size);
	const char *text = file_section(p, n, ".strtab", &text_size);
	struct ksyms *k =
		table && text && text_size && !text[text_size - 1] ? ksyms_open_running(0) : NULL;
	const struct ksym *found;
	Elf64_Sym s;

	for (size_t at = 0; k && at + sizeof(s) <= size; at += sizeof(s)) {
		memcpy(&s, table + at, sizeof(s));
		if (s.st_shndx != SHN_UNDEF || ELF64_ST_BIND(s.st_info) != STB_WEAK ||
		    s.st_name >= text_size)
			continue;
		found = ksyms_find(k, text + s.st_name);
		if (!found || !found->address || found->module)
			continue;
		s.st_shndx = SHN_ABS;
		s.st_value = found->address;
		memcpy(table + at, &s, sizeof(s));
	}
	ksyms_close(k);
}

static void rename_own(char *p, size_t n)
{
	char fresh[64];
	size_t len = strlen(name);

	if (strncmp(name, OWN_NAME, 8) || len != 16 || strspn(name + 8, "0123456789abcdef") != 8)
		return;
	snprintf(fresh, sizeof(fresh), OWN_NAME "%08x", (unsigned)getpid());
	for (size_t i = 0; i + len <= n; i++)
		if (!memcmp(p + i, name, len))
			memcpy(p + i, fresh, len);
	memcpy(name, fresh, len);
}

/*
 * The module uses the structure layouts of the kernel that it was made for; another build of the
 * same release may have others, and still loads it. id: the build id of the former; NULL: the
 * module reads no structures.
 */
static int is_for_another_kernel(const char *path, const char *id)
{
	char running[ELF_ID];

	elf_kernel_id(running);
	if (!id || !*running || !strcmp(id, running))
		return 0;
	run_error_show(RUN_LOAD_BUILD, path);
	say("lapwing-run: the module's kernel has build id %s, this one %s\n", id, running);
	return 1;
}

static int load(const char *path)
{
	char parameters[1024], *p;
	size_t size = 0;
	long rc;

	p = file_read(path, &size);
	if (!p)
		return -EACCES;
	if (size < 64 || memcmp(p, "\177ELF", 4) || find_name(p, size)) {
		run_error_show(RUN_MODULE_NONE, path);
		free(p);
		return -ENOEXEC;
	}
	if (counters_refuse(file_info(p, size, "lapwing_events"))) {
		free(p);
		return -EBUSY;
	}
	if (is_for_another_kernel(path, file_info(p, size, "lapwing_kernel"))) {
		free(p);
		return -ENOEXEC;
	}
	rename_own(p, size);
	ksyms_own_module(name);
	if (file_info(p, size, "lapwing"))	/* "returns" */
		bind_symbols(p, size);
	snprintf(parameters, sizeof(parameters), "ring_kb=%llu %s", opt.ring_bytes / 1024,
		 opt.parameters ? opt.parameters : "");
	explain_listen();
	rc = syscall(SYS_init_module, p, size, parameters) ? -errno : 0;
	free(p);
	if (rc)
		explain_load(path, name, (int)-rc);
	else
		loaded = 1;
	return (int)rc;
}

/* /dev/NAME, or our own node if nobody creates one. */
static int open_device(void)
{
	char path[128], number[32] = "";
	unsigned major_, minor_;
	FILE *f;

	snprintf(path, sizeof(path), "/dev/%s", name);
	device = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (device >= 0)
		return 0;
	snprintf(path, sizeof(path), "/sys/class/misc/%s/dev", name);
	f = fopen(path, "re");
	if (f && fgets(number, sizeof(number), f) &&
	    sscanf(number, "%u:%u", &major_, &minor_) == 2) {
		snprintf(path, sizeof(path), "/tmp/.%s.%d", name, getpid());
		if (!mknod(path, S_IFCHR | 0600, makedev(major_, minor_))) {
			device = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
			unlink(path);
		}
	}
	if (f)
		fclose(f);
	if (device >= 0)
		return 0;
	snprintf(path, sizeof(path), "%s: %s", name, strerror(errno));
	run_error_show(RUN_DEVICE, path);
	return -ENODEV;
}

static void unload(void)
{
	/* The file just closed was its last user; the kernel drops the reference asynchronously. */
	for (int i = 0; loaded && i < 500; i++) {
		if (!syscall(SYS_delete_module, name, O_NONBLOCK) || errno == ENOENT) {
			loaded = 0;
			return;
		}
		if (errno != EAGAIN && errno != EBUSY)
			break;
		poll(NULL, 0, 10);
	}
	if (loaded)
		fprintf(stderr,
			"WARNING: module %s could not be removed (%s): lapwing-run --remove %s\n",
			name, strerror(errno), name);
}

static void kernel_close(void)
{
	for (u32 i = 0; rings && i < facts.hello.nrings; i++)
		if (rings[i])
			munmap(rings[i], facts.hello.ring_bytes);
	free(rings);
	rings = NULL;
	if (device >= 0)
		close(device);
	device = -1;
	unload();
}

static int kernel_open(const char *path)
{
	int rc = load(path);

	if (!rc)
		rc = open_device();
	if (rc)
		unload();
	return rc;
}

static long kernel_command(const void *cmd, unsigned long len)
{
	return write(device, cmd, len) < 0 ? -errno : (long)len;
}

static long kernel_messages(void *buf, unsigned long size)
{
	ssize_t n = read(device, buf, size);

	if (n < 0 && errno != EAGAIN && errno != EINTR) {
		run_error_show(RUN_DEVICE, strerror(errno));
		facts.errors++;
		facts.stopped = 1;
	}
	return n > 0 ? n : 0;
}

static struct wire_ring *kernel_ring(u32 cpu, u64 *size)
{
	void *p;

	if (!rings) {
		rings = calloc(facts.hello.nrings + 1, sizeof(*rings));
		ring_size = facts.hello.ring_bytes - WIRE_RING_HEADER;
	}
	if (!rings || facts.hello.ring_bytes <= WIRE_RING_HEADER || (ring_size & (ring_size - 1)))
		return NULL;
	if (!rings[cpu]) {
		p = mmap(NULL, facts.hello.ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, device,
			 (off_t)(cpu * facts.hello.ring_bytes));
		if (p == MAP_FAILED)
			return NULL;
		rings[cpu] = p;
	}
	*size = ring_size;
	return rings[cpu];
}

static void kernel_wait(long ms)
{
	struct pollfd p[2 + 255] = { { .fd = device, .events = POLLIN },
				     { .fd = child_fd(), .events = POLLIN } };
	int n = 2 + notes_fds(p + 2);

	poll(p, (nfds_t)(n + track_fds(p + n, 257 - n)), (int)ms);
	track_read();
	symbols_again();
}

const struct run_session session_kernel = {
	.open = kernel_open, .command = kernel_command, .messages = kernel_messages, .ring = kernel_ring, .wait = kernel_wait,
	.close = kernel_close,
};
