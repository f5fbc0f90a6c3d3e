/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process.c - see process.h.
 */
#include "symbolize/process.h"

#include "lib/id_table.h"
#include "lib/procstat.h"
#include "runtime/core/symbol.h"
#include "symbolize/generated.h"
#include "symbolize/symfile.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* exited processes that are kept, unless their tables take more than DEAD_BYTES */
#define DEAD	1024
#define DEAD_BYTES (64ULL << 20)
#define MAPS_NOTED (1 << 16)	/* a process with so many mappings may name no more by notes */

struct mapping {
	u64		start, end, pgoff;
	struct image	*image;		/* NULL: code without a file */
};

struct process {
	struct id_entry	pid;
	int		known;		/* maps are complete */
	struct mapping	*maps;
	size_t		nmaps, room;
	struct generated generated;	/* its code without a file */
};

static struct id_table processes;
static struct { s32 pid; u64 bytes; } dead[DEAD];	/* ring from first_dead to ndead, modulo
							 * DEAD */
static u64 first_dead, ndead, dead_bytes, refused;
static struct process *get(s32 pid)
{
	return id_get(&processes, pid, sizeof(struct process));
}

static void forget(struct process *p)
{
	generated_clear(&p->generated);
	free(p->maps);
	*p = (struct process){ .pid = p->pid };
}

static void drop(s32 pid)
{
	struct process *p = id_remove(&processes, pid);

	if (!p)
		return;
	forget(p);
	free(p);
}

static void add(struct process *p, const struct image_map *m, struct image *image)
{
	size_t room = p->nmaps < p->room ? p->room : 2 * p->nmaps + 4;
	struct mapping *more = room == p->room ? p->maps : realloc(p->maps, room * sizeof(*more));

	if (!more)
		return;
	p->maps = more;
	p->room = room;
	p->maps[p->nmaps++] = (struct mapping){ m->start, m->start + m->len, m->pgoff, image };
	generated_map(&p->generated, p->pid.id, m->path, image);
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
	p->maps = malloc((from->nmaps + 1) * sizeof(*p->maps));
	if (p->maps) {
		if (from->nmaps)
			memcpy(p->maps, from->maps, from->nmaps * sizeof(*p->maps));
		p->nmaps = from->nmaps;
		p->room = from->nmaps + 1;
	}
	generated_fork(&p->generated, &from->generated);
}

void process_exit(s32 pid)
{
	struct process *p = id_find(&processes, pid);

	if (!p)
		return;
	dead[ndead % DEAD].pid = pid;
	dead[ndead++ % DEAD].bytes = generated_exit(&p->generated, pid);
	dead_bytes += dead[(ndead - 1) % DEAD].bytes;
	while (ndead - first_dead == DEAD || (dead_bytes > DEAD_BYTES && ndead - first_dead > 1)) {
		drop(dead[first_dead % DEAD].pid);
		dead_bytes -= dead[first_dead++ % DEAD].bytes;
	}
}

void process_map(s32 pid, const struct image_map *m, struct image *image)
{
	struct process *p = get(pid);

	/* For a process without cached maps /proc will be read. */
	if (p && p->known)
		add(p, m, image);
}

static void read_maps(struct process *p)
{
	static const char gone[] = " (deleted)";
	char path[64], *line = NULL;
	size_t room = 0;
	int any = 0;
	FILE *f;

	p->known = 1;
	snprintf(path, sizeof(path), "/proc/%d/maps", procstat_alive(p->pid.id));
	f = fopen(path, "re");
	while (f && getline(&line, &room, f) > 0) {
		struct image_map m = { 0 };
		unsigned major, minor;
		char prot[8];
		u64 end;
		int at = 0;

		if (sscanf(line, "%llx-%llx %7s %llx %x:%x %llu %n", &m.start, &end, prot, &m.pgoff,
			   &major, &minor, &m.ino, &at) < 7 ||
		    prot[2] != 'x' || !at)
			continue;
		line[strcspn(line, "\n")] = 0;
		if (strlen(line + at) > sizeof(gone) &&
		    !strcmp(line + strlen(line) - strlen(gone), gone))
			line[strlen(line) - strlen(gone)] = 0;
		m.len = end - m.start;
		m.dev = (u64)major << 20 | minor;
		m.path = line + at;
		p->nmaps = any++ ? p->nmaps : 0;	/* a process that has ended has none there */
		add(p, &m, image_get(p->pid.id, &m));
	}
	free(line);
	if (f)
		fclose(f);
}

/*
 * The mapping that contains an address: the newest, as it replaced those it overlaps. NULL: none.
 */
static const struct mapping *find_mapping(struct process *p, u64 addr)
{
	if (!p->known)
		read_maps(p);
	for (size_t i = p->nmaps; i-- > 0; )
		if (addr >= p->maps[i].start && addr < p->maps[i].end)
			return &p->maps[i];
	return NULL;
}

/* True for an area that the process itself named. */
static int is_noted(const struct mapping *m)
{
	return m && m->image && !m->image->ino;
}

static int is_file(const struct process *p, const struct mapping *m)
{
	return m && m->image && m->image->ino && m->image != p->generated.dump;
}

/* The name of the area that contains an address, if the process named it; else NULL. */
static const char *area_name(const void *process, u64 addr)
{
	const struct mapping *m = find_mapping((struct process *)process, addr);

	return is_noted(m) ? m->image->path : NULL;
}

/* ---- notes --------------------------------------------------------------------*/

/* An image without a file. 0, or -1: refused. */
static int note_image(struct process *p, const struct wire_note *note)
{
	struct image_map m = { .start = note->start,
			       .len = note->bytes,
			       .path = (const char *)(note + 1) };

	if (p->nmaps >= MAPS_NOTED)
		return -1;
	if (!p->known)
		read_maps(p);
	add(p, &m, image_named(m.path));
	return 0;
}

void process_note(const struct wire_note *note)
{
	struct process *p = get(note->pid);

	if (p && note->kind == WIRE_NOTE_CODE)
		refused += generated_note(&p->generated, note) != 0;
	else if (p && note->kind == WIRE_NOTE_IMAGE)
		refused += note_image(p, note) != 0;
}

u64 process_notes_refused(void)
{
	return refused;
}

/* ---- looking up -------------------------------------------------------------------*/

static int is_same_place(const struct mapping *m, const struct mapping *other)
{
	return m->image && m->image == other->image &&
	       m->start - m->pgoff == other->start - other->pgoff;
}

s32 process_that_maps(u64 addr)
{
	const struct mapping *m, *first = NULL;
	struct process *p;
	s32 pid = 0;

	ID_EACH (p, &processes) {
		m = p->known ? find_mapping(p, addr) : NULL;
		if (m && first && !is_same_place(m, first))
			return 0;
		if (m && !first) {
			first = m;
			pid = p->pid.id;
		}
	}
	return pid;
}

struct image *process_image(s32 pid, u64 addr, u64 *offset)
{
	struct process *p = get(pid);
	const struct mapping *m = p ? find_mapping(p, addr) : NULL;

	*offset = m ? addr - m->start + m->pgoff : 0;
	return m ? m->image : NULL;
}

int process_is_code(s32 pid, u64 addr)
{
	struct process *p = get(pid);
	const struct wire_symtab *told;
	u64 at;

	if (!p || find_mapping(p, addr) || !p->nmaps)
		return 1;
	told = process_symbols(pid, addr, &at);
	return told && symtab_find(told, at);
}

const struct wire_symtab *process_symbols(s32 pid, u64 addr, u64 *at)
{
	struct process *p = get(pid);
	const struct mapping *m = p ? find_mapping(p, addr) : NULL;
	const struct wire_symtab *made;

	*at = addr;
	made = p && !is_file(p, m) ? generated_symbols(&p->generated, pid, addr, area_name, p)
				   : NULL;
	if (!is_file(p, m) && (!is_noted(m) || (made && symtab_find(made, addr))))
		return made;
	*at = addr - m->start + m->pgoff;
	return image_symbols(m->image);
}

const struct wire_symtab *process_made(s32 pid, u64 *bytes, int *newer)
{
	struct process *p = get(pid);
	const struct wire_symtab *before = p ? generated_last(&p->generated) : NULL, *t;

	if (p && !before)		/* its records may not be applied yet, and a jitdump file
					 * is known by its mapping */
		read_maps(p);
	t = p ? generated_read(&p->generated, pid, 0, area_name, p) : NULL;
	*bytes = t ? generated_bytes(&p->generated, t) : 0;
	*newer = t != before;
	return t;
}

void process_look(s32 pid)
{
	struct process *p = get(pid);

	if (p && !p->known)
		read_maps(p);
}

void process_look_again(s32 pid, int is_other)
{
	struct process *p = get(pid);

	if (p && is_other)
		forget(p);
	if (p)
		read_maps(p);
}

void process_each_there(void (*each)(s32 pid))
{
	struct dirent *d;
	DIR *dir = opendir("/proc");

	while (dir && (d = readdir(dir)))
		if (d->d_name[0] >= '1' && d->d_name[0] <= '9')
			each(atoi(d->d_name));
	if (dir)
		closedir(dir);
}

void process_each_image(s32 pid, void (*each)(struct image *im))
{
	struct process *p;

	process_look(pid);
	p = get(pid);
	for (size_t i = 0; p && i < p->nmaps; i++)
		if (p->maps[i].image)
			each(p->maps[i].image);
}

static void keep_images(void)
{
	struct process *p;

	ID_EACH (p, &processes) {
		for (size_t i = 0; i < p->nmaps; i++)
			if (p->maps[i].image)
				image_keep(p->maps[i].image);
		if (p->generated.dump)
			image_keep(p->generated.dump);
	}
}

void process_sweep(void)
{
	image_sweep(keep_images);
}

void process_clear(void)
{
	const struct process *p;

	ID_EACH (p, &processes)
		drop(p->pid.id);
	first_dead = ndead = dead_bytes = 0;
	generated_free_replaced();
	image_clear();
}
