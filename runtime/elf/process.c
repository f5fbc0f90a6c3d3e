/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process.c - see process.h.
 */
#include "runtime/elf/process.h"

#include "runtime/elf/symfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define BUCKETS	4096
#define DEAD	1024		/* processes that are remembered after their end */

struct mapping {
	u64		start, end, pgoff;
	struct image	*image;		/* NULL: code without a file */
};

struct process {
	struct process	*next;
	s32		pid;
	s32		inner;		/* its number in its own namespace; 0: not read yet */
	int		known;		/* maps are complete */
	struct mapping	*maps;
	size_t		nmaps;
	int		made_code;	/* some mapping has no file */
	struct image	*dump;		/* jitdump, or NULL */
	struct wire_symtab *jit;	/* what it told of its code */
	u64		jit_size;	/* of that table, bytes */
	off_t		jit_bytes;	/* how much it had told then */
};

static struct process *processes[BUCKETS];
static s32 dead[DEAD];			/* oldest at ndead % DEAD */
static u64 ndead;

static struct process **find_link(s32 pid)
{
	struct process **link = &processes[(u32)pid % BUCKETS];

	while (*link && (*link)->pid != pid)
		link = &(*link)->next;
	return link;
}

static struct process *get(s32 pid)
{
	struct process **link = find_link(pid);

	if (!*link) {
		*link = calloc(1, sizeof(**link));
		if (*link)
			(*link)->pid = pid;
	}
	return *link;
}

static void forget(struct process *p)
{
	free(p->maps);
	free(p->jit);
	*p = (struct process){ .next = p->next, .pid = p->pid };
}

static void drop(s32 pid)
{
	struct process **link = find_link(pid), *p = *link;

	if (!p)
		return;
	*link = p->next;
	forget(p);
	free(p);
}

static void add(struct process *p, const struct image_map *m, struct image *image)
{
	struct mapping *more = realloc(p->maps, (p->nmaps + 1) * sizeof(*more));
	const char *slash = strrchr(m->path, '/');

	if (!more)
		return;
	p->maps = more;
	p->maps[p->nmaps++] = (struct mapping){ m->start, m->start + m->len, m->pgoff, image };
	p->made_code |= !image;
	if (image && slash && !strncmp(slash, "/jit-", 5) && strlen(slash) > 5 && !strcmp(slash + strlen(slash) - 5, ".dump"))
		p->dump = image;
}

void process_exec(s32 pid)
{
	struct process *p = get(pid);

	if (!p)
		return;
	forget(p);
	p->known = 1;
}

void process_fork(s32 pid, s32 parent)
{
	struct process *p = get(pid), *from = get(parent);

	if (!p || !from)
		return;
	forget(p);
	p->known = from->known;
	p->maps = calloc(from->nmaps + 1, sizeof(*p->maps));
	if (p->maps && from->nmaps) {
		memcpy(p->maps, from->maps, from->nmaps * sizeof(*p->maps));
		p->nmaps = from->nmaps;
	}
	p->made_code = from->made_code;
}

static const struct wire_symtab *jit_symbols(struct process *p);

void process_exit(s32 pid)
{
	struct process *p = *find_link(pid);

	if (!p)
		return;
	if (p->made_code)		/* its files may go with it */
		jit_symbols(p);
	if (ndead >= DEAD)
		drop(dead[ndead % DEAD]);
	dead[ndead++ % DEAD] = pid;
}

void process_map(s32 pid, const struct image_map *m, struct image *image)
{
	struct process *p = get(pid);

	/* Of a process that was never asked about /proc will tell. */
	if (p && p->known)
		add(p, m, image);
}

static void read_maps(struct process *p)
{
	static const char gone[] = " (deleted)";
	char path[64], *line = NULL;
	size_t room = 0;
	FILE *f;

	p->known = 1;
	snprintf(path, sizeof(path), "/proc/%d/maps", p->pid);
	f = fopen(path, "re");
	while (f && getline(&line, &room, f) > 0) {
		struct image_map m = { 0 };
		unsigned major, minor;
		char prot[8];
		u64 end;
		int at = 0;

		if (sscanf(line, "%llx-%llx %7s %llx %x:%x %llu %n", &m.start, &end, prot, &m.pgoff, &major, &minor, &m.ino, &at) < 7 ||
		    prot[2] != 'x' || !at)
			continue;
		line[strcspn(line, "\n")] = 0;
		if (strlen(line + at) > sizeof(gone) && !strcmp(line + strlen(line) - strlen(gone), gone))
			line[strlen(line) - strlen(gone)] = 0;
		m.len = end - m.start;
		m.dev = (u64)major << 20 | minor;
		m.path = line + at;
		add(p, &m, image_get(p->pid, &m));
	}
	free(line);
	if (f)
		fclose(f);
}

/* ---- code that a process made -----------------------------------------------------*/

static s32 inner_pid(struct process *p)
{
	char path[64], line[256];
	FILE *f;

	if (p->inner)
		return p->inner;
	p->inner = p->pid;
	snprintf(path, sizeof(path), "/proc/%d/status", p->pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "NSpid:", 6) && strrchr(line, '\t'))
			p->inner = atoi(strrchr(line, '\t'));
	if (f)
		fclose(f);
	return p->inner;
}

/* Again when more has been told since. */
static const struct wire_symtab *jit_from(struct process *p, const char *path, const char *shown)
{
	struct wire_symtab *t;
	struct stat st;
	u64 bytes;

	if (p->dump ? fstat(p->dump->fd, &st) : stat(path, &st))
		return p->jit;
	if (p->jit && st.st_size == p->jit_bytes)
		return p->jit;
	t = p->dump ? symfile_jitdump(p->dump->fd, shown, &bytes) : symfile_perfmap(path, shown, &bytes);
	if (t) {		/* the old one stays: names that were given out point into it */
		p->jit_size = bytes;
		p->jit_bytes = st.st_size;
		p->jit = t;
	}
	return p->jit;
}

static const struct wire_symtab *jit_symbols(struct process *p)
{
	char path[128], shown[64];

	if (p->dump && p->dump->fd >= 0)
		return jit_from(p, "", p->dump->path);
	snprintf(shown, sizeof(shown), "/tmp/perf-%d.map", inner_pid(p));
	snprintf(path, sizeof(path), "/proc/%d/root%s", p->pid, shown);
	return jit_from(p, path, shown) ? p->jit : jit_from(p, shown, shown);
}

/* ---- looking up -------------------------------------------------------------------*/

/* The mapping that holds an address: the newest, as it replaced what it overlaps. NULL: none. */
static const struct mapping *find_mapping(struct process *p, u64 addr)
{
	if (!p->known)
		read_maps(p);
	for (size_t i = p->nmaps; i-- > 0; )
		if (addr >= p->maps[i].start && addr < p->maps[i].end)
			return &p->maps[i];
	return NULL;
}

struct image *process_image(s32 pid, u64 addr, u64 *offset)
{
	struct process *p = get(pid);
	const struct mapping *m = p ? find_mapping(p, addr) : NULL;

	*offset = m ? addr - m->start + m->pgoff : 0;
	return m ? m->image : NULL;
}

const struct wire_symtab *process_symbols(s32 pid, u64 addr, u64 *at)
{
	struct process *p = get(pid);
	const struct mapping *m = p ? find_mapping(p, addr) : NULL;

	*at = addr;
	if (m && m->image && m->image != p->dump) {
		*at = addr - m->start + m->pgoff;
		return image_symbols(m->image);
	}
	return p && (p->made_code || p->dump) ? jit_symbols(p) : NULL;
}

const struct wire_symtab *process_made(s32 pid, u64 *bytes, int *newer)
{
	struct process *p = get(pid);
	const struct wire_symtab *before = p ? p->jit : NULL, *t = p ? jit_symbols(p) : NULL;

	*bytes = t ? p->jit_size : 0;
	*newer = t != before;
	return t;
}

void process_each_image(s32 pid, void (*each)(struct image *im))
{
	struct process *p = get(pid);

	if (!p)
		return;
	if (!p->known)
		read_maps(p);
	for (size_t i = 0; i < p->nmaps; i++)
		if (p->maps[i].image)
			each(p->maps[i].image);
}

void process_clear(void)
{
	for (unsigned i = 0; i < BUCKETS; i++)
		while (processes[i])
			drop(processes[i]->pid);
	ndead = 0;
	image_clear();
}
