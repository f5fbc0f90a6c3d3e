/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * generated.c - see generated.h.
 */
#include "symbolize/generated.h"

#include "lib/foreign.h"
#include "lib/procstat.h"
#include "runtime/core/symbol.h"
#include "symbolize/jit.h"
#include "symbolize/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOTES	(1 << 20)	/* kept at most, of all processes */
#define NOTED	(1 << 16)	/* of one process */

/* A function that a note named. */
struct noted {
	u64		start, bytes;
	char		*name;
};

static u64 nnotes;
static struct wire_symtab **replaced;	/* returned names may point into them */
static size_t nreplaced;
static void (*on_warning)(const char *text);

void generated_on_warning(void (*warn)(const char *text))
{
	on_warning = warn;
}

/* Without memory for the list, the old table is not freed. */
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

void generated_free_replaced(void)
{
	while (nreplaced)
		free(replaced[--nreplaced]);
	free(replaced);
	replaced = NULL;
}

void generated_clear(struct generated *g)
{
	for (size_t i = 0; i < g->nnoted; i++)
		free(g->noted[i].name);
	nnotes -= g->nnoted;
	free(g->noted);
	replace(&g->all, NULL);
	replace(&g->jit, NULL);
	*g = (struct generated){ 0 };
}

/* ---- mappings -------------------------------------------------------------------*/

static void read_uid(struct generated *g, s32 pid)
{
	char path[32];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d", pid);
	g->has_uid = !stat(path, &st);
	g->uid = st.st_uid;
}

void generated_map(struct generated *g, s32 pid, const char *path, struct image *image)
{
	const char *slash = strrchr(path, '/');

	if (!image && !g->has_uid)
		read_uid(g, pid);
	g->is_there |= !image;
	if (image && slash && !strncmp(slash, "/jit-", 5) && strlen(slash) > 5 &&
	    !strcmp(slash + strlen(slash) - 5, ".dump"))
		g->dump = image;
}

void generated_fork(struct generated *g, const struct generated *from)
{
	g->is_there = from->is_there;
	g->has_uid = from->has_uid;
	g->uid = from->uid;
}

/* ---- files ----------------------------------------------------------------------*/

static s32 inner_pid(struct generated *g, s32 pid)
{
	char path[64], line[256];
	FILE *f;

	if (g->inner_pid)
		return g->inner_pid;
	g->inner_pid = pid;
	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "NSpid:", 6) && strrchr(line, '\t'))
			g->inner_pid = atoi(strrchr(line, '\t'));
	if (f)
		fclose(f);
	return g->inner_pid;
}

/* Compares times too: a new table may have the same size as the previous one. */
static int is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_size == b->st_size && a->st_ino == b->st_ino &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static void warn_rejected(struct generated *g, const char *shown, u32 rejected)
{
	char text[256];

	if (!rejected || g->warned || !on_warning)
		return;
	g->warned = 1;
	snprintf(
		text, sizeof(text),
		"%s: %u %s skipped: expected 'START SIZE NAME' with hexadecimal numbers",
		shown, rejected, rejected == 1 ? "line was" : "lines were");
	on_warning(text);
}

/* True if the file belongs to the process's user, ours, or root: others could name its code. */
static int is_trusted(struct generated *g, s32 pid, const struct stat *file, const char *shown)
{
	char text[256];

	if (!file->st_uid || file->st_uid == geteuid() || (g->has_uid && file->st_uid == g->uid))
		return 1;
	if (!g->warned && on_warning) {
		snprintf(text, sizeof(text),
			 "%s: not read: it is owned by user %u, not by the user of process %d",
			 shown, file->st_uid, pid);
		on_warning(text);
	}
	g->warned = 1;
	return 0;
}

/* Reads the file again when it has changed. */
static const struct wire_symtab *read_file(struct generated *g, s32 pid, int fd, const char *shown)
{
	struct wire_symtab *t;
	u32 rejected = 0;
	struct stat st;
	u64 bytes;

	if (fstat(fd, &st) || (g->jit && is_same_file(&st, &g->jit_file)) ||
	    (!g->dump && !is_trusted(g, pid, &st, shown)))
		return g->jit;
	t = g->dump ? symfile_jitdump(fd, shown, &bytes)
		    : symfile_perfmap(fd, shown, &bytes, &rejected);
	warn_rejected(g, shown, rejected);
	if (t && !t->nsyms && g->jit) {		/* it is being written */
		free(t);
	} else if (t) {
		g->jit_bytes = bytes;
		g->jit_file = st;
		replace(&g->jit, t);
		g->all_jit = NULL;
	}
	return g->jit;
}

static const struct wire_symtab *jit_symbols(struct generated *g, s32 pid)
{
	char path[128], shown[64];
	struct stat st;
	int fd;

	if (g->dump && g->dump->fd >= 0)
		return read_file(g, pid, g->dump->fd, g->dump->path);
	snprintf(shown, sizeof(shown), "/tmp/perf-%d.map", inner_pid(g, pid));
	snprintf(path, sizeof(path), "/proc/%d/root%s", procstat_alive(pid), shown);
	if (stat(path, &st) && stat(strcpy(path, shown), &st))	/* an ended process has no root */
		return g->jit;
	fd = g->jit && is_same_file(&st, &g->jit_file) ? -1 : foreign_open(path);
	if (fd >= 0) {
		read_file(g, pid, fd, shown);
		close(fd);
	}
	return g->jit;
}

u64 generated_exit(struct generated *g, s32 pid)
{
	if (g->is_there)
		jit_symbols(g, pid);
	return (g->jit ? g->jit_bytes : 0) + (g->all ? g->all_bytes : 0);
}

/* ---- notes ----------------------------------------------------------------------*/

int generated_note(struct generated *g, const struct wire_note *note)
{
	struct noted *more;
	char *name;

	if (nnotes >= NOTES || g->nnoted >= NOTED)
		return -1;
	more = g->nnoted & (g->nnoted + 1)
		       ? g->noted
		       : realloc(g->noted, 2 * (g->nnoted + 1) * sizeof(*more));
	if (!more)
		return -1;
	g->noted = more;
	name = strdup((const char *)(note + 1));
	if (!name)
		return -1;
	g->noted[g->nnoted++] = (struct noted){ note->start, note->bytes, name };
	nnotes++;
	g->is_there = 1;
	return 0;
}

/* ---- all functions ----------------------------------------------------------------*/

/* Later notes of the process take precedence over its file. */
static void make_table(struct generated *g, const struct wire_symtab *jit, generated_area *area,
		       const void *of)
{
	const struct wire_symbol *s = jit ? symtab_symbols(jit) : NULL;
	struct table b = { 0 };
	struct wire_symtab *t;
	u64 bytes;

	for (u32 i = 0; jit && i < jit->nsyms; i++)
		table_add(&b, s[i].start, s[i].size, symtab_text(jit, s[i].name), NULL, 0);
	for (size_t i = 0; i < g->nnoted; i++)
		table_add(&b, g->noted[i].start, g->noted[i].bytes, g->noted[i].name,
			  area(of, g->noted[i].start), 1 + (int)i);
	t = table_finish(&b, jit ? symtab_path(jit) : "noted", &bytes);
	table_free(&b);
	if (!t)
		return;
	replace(&g->all, t);
	g->all_bytes = bytes;
	g->all_jit = jit;
	g->tabled = g->nnoted;
}

const struct wire_symtab *generated_read(struct generated *g, s32 pid, u64 addr,
					 generated_area *area, const void *of)
{
	const struct wire_symtab *jit = jit_symbols(g, pid);

	if (!g->nnoted)
		return jit;
	if (!g->all || g->all_jit != jit || g->nnoted > g->tabled + g->tabled / 4 ||
	    (g->nnoted > g->tabled && !symtab_find(g->all, addr)))
		make_table(g, jit, area, of);
	return g->all ? g->all : jit;
}

const struct wire_symtab *generated_symbols(struct generated *g, s32 pid, u64 addr,
					    generated_area *area, const void *of)
{
	return g->is_there || g->dump ? generated_read(g, pid, addr, area, of) : NULL;
}

const struct wire_symtab *generated_last(const struct generated *g)
{
	return g->all ? g->all : g->jit;
}

u64 generated_bytes(const struct generated *g, const struct wire_symtab *t)
{
	return t == g->all ? g->all_bytes : g->jit_bytes;
}
