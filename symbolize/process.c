/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process.c - see process.h.
 */
#include "symbolize/process.h"

#include "lib/foreign.h"
#include "lib/id_table.h"
#include "lib/procstat.h"
#include "runtime/core/symbol.h"
#include "symbolize/jit.h"
#include "symbolize/symfile.h"
#include "symbolize/table.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEAD	1024		/* processes that are remembered after their end, unless their tables take more than: */
#define DEAD_BYTES (64ULL << 20)
#define NOTES	(1 << 20)	/* kept at most, of all processes */
#define NOTED	(1 << 16)	/* of one */

struct mapping {
	u64		start, end, pgoff;
	struct image	*image;		/* NULL: code without a file */
};

/* Code that a process reported in notes. */
struct noted {
	u64		start, bytes;
	char		*name;
};

struct process {
	struct id_entry	pid;
	s32		inner;		/* its number in its own namespace; 0: not read yet */
	int		known;		/* maps are complete */
	struct mapping	*maps;
	size_t		nmaps;
	int		made_code;	/* some mapping has no file; by then: */
	int		has_uid;	/* it was there to be asked */
	uid_t		uid;		/* its user */
	struct image	*dump;		/* jitdump, or NULL */
	struct wire_symtab *jit;	/* what it told of its code */
	u64		jit_size;	/* of that table, bytes */
	struct stat	jit_told;	/* its file then */
	int		warned;		/* of lines in it */
	struct noted	*noted;
	size_t		nnoted, tabled;	/* told; of these, in the table: */
	struct wire_symtab *made;	/* what it told and what its files tell */
	const struct wire_symtab *made_with;	/* jit, as it was then */
	u64		made_size;
};

static struct id_table processes;
static struct { s32 pid; u64 bytes; } dead[DEAD];	/* ring from first_dead to ndead, modulo
							 * DEAD */
static u64 first_dead, ndead, dead_bytes, nnotes, refused;
static struct wire_symtab **replaced;	/* returned names may point into them */
static size_t nreplaced;
static void (*on_warning)(const char *text);

static struct process *get(s32 pid)
{
	return id_get(&processes, pid, sizeof(struct process));
}

/* Without memory for the list, the table stays. */
static void replace(struct wire_symtab **table, struct wire_symtab *by)
{
	struct wire_symtab **more =
		*table ? realloc(replaced, (nreplaced + 1) * sizeof(*more)) : NULL;

	if (more) {
		replaced = more;
		replaced[nreplaced++] = *table;
	}
	*table = by;
}

void process_tidy(void)
{
	while (nreplaced)
		free(replaced[--nreplaced]);
}

static void forget(struct process *p)
{
	for (size_t i = 0; i < p->nnoted; i++)
		free(p->noted[i].name);
	nnotes -= p->nnoted;
	free(p->noted);
	replace(&p->made, NULL);
	replace(&p->jit, NULL);
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

static void read_uid(struct process *p)
{
	char path[32];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d", p->pid.id);
	p->has_uid = !stat(path, &st);
	p->uid = st.st_uid;
}

static void add(struct process *p, const struct image_map *m, struct image *image)
{
	struct mapping *more = realloc(p->maps, (p->nmaps + 1) * sizeof(*more));
	const char *slash = strrchr(m->path, '/');

	if (!more)
		return;
	p->maps = more;
	p->maps[p->nmaps++] = (struct mapping){ m->start, m->start + m->len, m->pgoff, image };
	if (!image && !p->has_uid)
		read_uid(p);
	p->made_code |= !image;
	if (image && slash && !strncmp(slash, "/jit-", 5) && strlen(slash) > 5 &&
	    !strcmp(slash + strlen(slash) - 5, ".dump"))
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
	p->has_uid = from->has_uid;
	p->uid = from->uid;
}

static const struct wire_symtab *jit_symbols(struct process *p);

void process_exit(s32 pid)
{
	struct process *p = id_find(&processes, pid);

	if (!p)
		return;
	if (p->made_code)		/* its files may be removed with it */
		jit_symbols(p);
	dead[ndead % DEAD].pid = pid;
	dead[ndead++ % DEAD].bytes = (p->jit ? p->jit_size : 0) + (p->made ? p->made_size : 0);
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
	FILE *f;

	p->known = 1;
	snprintf(path, sizeof(path), "/proc/%d/maps", procstat_alive(p->pid.id));
	f = fopen(path, "re");
	p->nmaps = f ? 0 : p->nmaps;
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
	return m && m->image && m->image->ino && m->image != p->dump;
}

/* ---- code that a process made -----------------------------------------------------*/

static s32 inner_pid(struct process *p)
{
	char path[64], line[256];
	FILE *f;

	if (p->inner)
		return p->inner;
	p->inner = p->pid.id;
	snprintf(path, sizeof(path), "/proc/%d/status", p->pid.id);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "NSpid:", 6) && strrchr(line, '\t'))
			p->inner = atoi(strrchr(line, '\t'));
	if (f)
		fclose(f);
	return p->inner;
}

/* A new table may have the same size as the one before. */
static int is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_size == b->st_size && a->st_ino == b->st_ino &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static void warn_rejected(struct process *p, const char *shown, u32 rejected)
{
	char text[256];

	if (!rejected || p->warned || !on_warning)
		return;
	p->warned = 1;
	snprintf(text, sizeof(text), "%s: %u %s passed over: a function there is 'START SIZE NAME', with hexadecimal numbers", shown, rejected,
		 rejected == 1 ? "line was" : "lines were");
	on_warning(text);
}

void process_on_warning(void (*warn)(const char *text))
{
	on_warning = warn;
}

/* Of a process's own user, of ours, or root's: others may write there too, and would name its code. */
static int is_trusted(struct process *p, const struct stat *file, const char *shown)
{
	char text[256];

	if (!file->st_uid || file->st_uid == geteuid() || (p->has_uid && file->st_uid == p->uid))
		return 1;
	if (!p->warned && on_warning) {
		snprintf(text, sizeof(text), "%s: not read: it belongs to user %u, who is not the one of process %d", shown, file->st_uid, p->pid.id);
		on_warning(text);
	}
	p->warned = 1;
	return 0;
}

/* Again when more has been told since, or something else. */
static const struct wire_symtab *jit_from(struct process *p, int fd, const char *shown)
{
	struct wire_symtab *t;
	u32 rejected = 0;
	struct stat st;
	u64 bytes;

	if (fstat(fd, &st) || (p->jit && is_same_file(&st, &p->jit_told)) || (!p->dump && !is_trusted(p, &st, shown)))
		return p->jit;
	t = p->dump ? symfile_jitdump(fd, shown, &bytes) : symfile_perfmap(fd, shown, &bytes, &rejected);
	warn_rejected(p, shown, rejected);
	if (t && !t->nsyms && p->jit) {		/* it is being written */
		free(t);
	} else if (t) {
		p->jit_size = bytes;
		p->jit_told = st;
		replace(&p->jit, t);
		p->made_with = NULL;
	}
	return p->jit;
}

static const struct wire_symtab *jit_symbols(struct process *p)
{
	char path[128], shown[64];
	struct stat st;
	int fd;

	if (p->dump && p->dump->fd >= 0)
		return jit_from(p, p->dump->fd, p->dump->path);
	snprintf(shown, sizeof(shown), "/tmp/perf-%d.map", inner_pid(p));
	snprintf(path, sizeof(path), "/proc/%d/root%s", procstat_alive(p->pid.id), shown);
	if (stat(path, &st) && stat(strcpy(path, shown), &st))	/* an ended process has no root */
		return p->jit;
	fd = p->jit && is_same_file(&st, &p->jit_told) ? -1 : foreign_open(path);
	if (fd >= 0) {
		jit_from(p, fd, shown);
		close(fd);
	}
	return p->jit;
}

static void note_code(struct process *p, const struct wire_note *note)
{
	struct noted *more = p->nnoted & (p->nnoted + 1)
				     ? p->noted
				     : realloc(p->noted, 2 * (p->nnoted + 1) * sizeof(*more));

	if (!more || !(more[p->nnoted].name = strdup((const char *)(note + 1)))) {
		refused++;
		p->noted = more ? more : p->noted;
		return;
	}
	p->noted = more;
	p->noted[p->nnoted].start = note->start;
	p->noted[p->nnoted++].bytes = note->bytes;
	nnotes++;
	p->made_code = 1;
}

/* An image without a file. */
static void note_image(s32 pid, const struct wire_note *note)
{
	struct image_map m = { .start = note->start,
			       .len = note->bytes,
			       .path = (const char *)(note + 1) };
	struct process *p = get(pid);

	if (p && !p->known)
		read_maps(p);
	if (p)
		add(p, &m, image_named(m.path));
}

void process_note(const struct wire_note *note)
{
	struct process *p = get(note->pid);

	if (!p || note->kind == WIRE_NOTE_PHASE)
		return;
	if (nnotes >= NOTES || p->nnoted >= NOTED || p->nmaps >= NOTED)
		refused++;
	else if (note->kind == WIRE_NOTE_CODE)
		note_code(p, note);
	else if (note->kind == WIRE_NOTE_IMAGE)
		note_image(note->pid, note);
}

u64 process_notes_refused(void)
{
	return refused;
}

/* Later notes of the process take precedence over its files. */
static void make_table(struct process *p, const struct wire_symtab *jit)
{
	const struct wire_symbol *s = jit ? symtab_symbols(jit) : NULL;
	const struct mapping *m;
	struct table b = { 0 };
	struct wire_symtab *t;
	u64 bytes;

	for (u32 i = 0; jit && i < jit->nsyms; i++)
		table_add(&b, s[i].start, s[i].size, symtab_text(jit, s[i].name), NULL, 0);
	for (size_t i = 0; i < p->nnoted; i++) {
		m = find_mapping(p, p->noted[i].start);
		table_add(&b, p->noted[i].start, p->noted[i].bytes, p->noted[i].name,
			  is_noted(m) ? m->image->path : NULL, 1 + (int)i);
	}
	t = table_finish(&b, jit ? symtab_path(jit) : "noted", &bytes);
	table_free(&b);
	if (!t)
		return;
	replace(&p->made, t);
	p->made_size = bytes;
	p->made_with = jit;
	p->tabled = p->nnoted;
}

/*
 * All generated code of a process; the table is not rebuilt for every note, but when an address is
 * missing.
 */
static const struct wire_symtab *made_symbols(struct process *p, u64 addr)
{
	const struct wire_symtab *jit = jit_symbols(p);

	if (!p->nnoted)
		return jit;
	if (!p->made || p->made_with != jit || p->nnoted > p->tabled + p->tabled / 4 ||
	    (p->nnoted > p->tabled && !symtab_find(p->made, addr)))
		make_table(p, jit);
	return p->made ? p->made : jit;
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
	made = p && (p->made_code || p->dump) && !is_file(p, m) ? made_symbols(p, addr) : NULL;
	if (!is_file(p, m) && (!is_noted(m) || (made && symtab_find(made, addr))))
		return made;
	*at = addr - m->start + m->pgoff;
	return image_symbols(m->image);
}

const struct wire_symtab *process_made(s32 pid, u64 *bytes, int *newer)
{
	struct process *p = get(pid);
	const struct wire_symtab *before = p ? p->made ? p->made : p->jit : NULL, *t;

	if (p && !before)		/* its records may not be applied yet, and a jitdump file
					 * is known by its mapping */
		read_maps(p);
	t = p ? made_symbols(p, 0) : NULL;
	*bytes = !t ? 0 : t == p->made ? p->made_size : p->jit_size;
	*newer = t != before;
	return t;
}

void process_look(s32 pid)
{
	struct process *p = get(pid);

	if (p && !p->known)
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

void process_clear(void)
{
	const struct process *p;

	ID_EACH (p, &processes)
		drop(p->pid.id);
	first_dead = ndead = dead_bytes = 0;
	process_tidy();
	free(replaced);
	replaced = NULL;
	image_clear();
}
