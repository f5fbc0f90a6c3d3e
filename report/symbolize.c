/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbolize.c - see symbolize.h. Functions come from symbol tables (symbolize/symfile.h), lines
 * from DWARF by libdw (lines.c).
 */
#include "report/symbolize.h"

#include "lib/boot.h"
#include "lib/foreign.h"
#include "report/address.h"
#include "report/build_id.h"
#include "report/demangle.h"
#include "report/lines.h"
#include "report/profile.h"
#include "lib/progress.h"
#include "runtime/core/symbol.h"
#include "symbolize/kernel.h"
#include "symbolize/symfile.h"

#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* bytes of one function that are kept; in a stripped library, one may be all of its code */
#define CODE_MAX	(1u << 20)

static void put_one(void (*put)(void *data, const Cap__Frame *frame), void *data,
		    Cap__Frame__WhatCase what, void *message)
{
	Cap__Frame frame = CAP__FRAME__INIT;

	frame.what_case = what;
	frame.header = message;		/* members of the union are pointers */
	put(data, &frame);
}

/* ---- functions -----------------------------------------------------------------*/

/* Functions that contain an offset: struct wire_symbol pointers, ascending. */
static GPtrArray *functions_hit(const struct wire_symtab *table, const GArray *offsets)
{
	GPtrArray *hit = g_ptr_array_new();
	const struct wire_symbol *last = NULL;

	for (guint i = 0; i < offsets->len; i++) {
		const struct wire_symbol *s =
			symtab_find(table, g_array_index(offsets, guint64, i));

		if (s && s != last)
			g_ptr_array_add(hit, (gpointer)s);
		last = s ? s : last;
	}
	return hit;
}

static char *function_name(const struct wire_symtab *table, const struct wire_symbol *s)
{
	const char *name = symtab_text(table, s->name);

	return s->module ? g_strdup_printf("%s [%s]", name, symtab_text(table, s->module))
			 : demangle_name(name);
}

static void put_functions(const struct symbolize_image *im, const struct wire_symtab *table,
			  const GPtrArray *hit, void (*put)(void *data, const Cap__Frame *frame),
			  void *data)
{
	Cap__Functions m = CAP__FUNCTIONS__INIT;

	m.image = im->id;
	m.n_start = m.n_size = m.n_name = hit->len;
	m.start = g_new(uint64_t, hit->len);
	m.size = g_new(uint64_t, hit->len);
	m.name = g_new(char *, hit->len + 1);
	m.name[hit->len] = NULL;
	for (guint i = 0; i < hit->len; i++) {
		const struct wire_symbol *s = g_ptr_array_index(hit, i);

		m.start[i] = s->start;
		m.size[i] = s->size;
		m.name[i] = function_name(table, s);
	}
	put_one(put, data, CAP__FRAME__WHAT_FUNCTIONS, &m);
	g_strfreev(m.name);
	g_free(m.start);
	g_free(m.size);
}

/* ---- code ----------------------------------------------------------------------*/

/*
 * The segment that holds a value of the field at `member` (of Elf64_Phdr): file offsets to
 * addresses and back. 0, or -1.
 */
static int find_segment(int fd, gsize member, guint64 value, Elf64_Phdr *found)
{
	Elf64_Ehdr head;

	if (pread(fd, &head, sizeof(head), 0) != sizeof(head) ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_ident[EI_CLASS] != ELFCLASS64)
		return -1;
	for (unsigned i = 0; i < head.e_phnum; i++) {
		guint64 from;

		if (pread(fd, found, sizeof(*found), (off_t)(head.e_phoff + i * sizeof(*found))) !=
		    sizeof(*found))
			return -1;
		memcpy(&from, (const char *)found + member, sizeof(from));
		if (found->p_type == PT_LOAD && value >= from && value - from < found->p_filesz)
			return 0;
	}
	return -1;
}

static void put_code(const struct symbolize_image *im, int fd, const struct wire_symbol *s,
		     void (*put)(void *data, const Cap__Frame *frame), void *data)
{
	gsize member = im->kernel ? G_STRUCT_OFFSET(Elf64_Phdr, p_vaddr)
				  : G_STRUCT_OFFSET(Elf64_Phdr, p_offset);
	Cap__Code m = CAP__CODE__INIT;
	Elf64_Phdr segment;
	gsize size = MIN(s->size, CODE_MAX);
	ssize_t n;

	if (find_segment(fd, member, s->start, &segment))
		return;
	m.image = im->id;
	m.offset = s->start;
	m.address = im->kernel ? s->start : s->start - segment.p_offset + segment.p_vaddr;
	m.bytes.data = g_malloc(size);
	n = pread(fd, m.bytes.data, size,
		  (off_t)(im->kernel ? s->start - segment.p_vaddr + segment.p_offset : s->start));
	if (n > 0) {
		m.bytes.len = (size_t)n;
		put_one(put, data, CAP__FRAME__WHAT_CODE, &m);
	}
	g_free(m.bytes.data);
}

/* ---- lines ---------------------------------------------------------------------*/

struct rows {
	GArray		*offset, *file_of, *line;
	GPtrArray	*function, *files;
	GHashTable	*file_ids;
};

static void row_add(void *data, guint64 offset, const char *file, guint32 line,
		    const char *function)
{
	struct rows *rows = data;
	guint32 id = GPOINTER_TO_UINT(g_hash_table_lookup(rows->file_ids, file));

	if (!id) {
		g_ptr_array_add(rows->files, g_strdup(file));
		id = rows->files->len;
		g_hash_table_insert(rows->file_ids, g_ptr_array_index(rows->files, id - 1),
				    GUINT_TO_POINTER(id));
	}
	id--;
	g_array_append_val(rows->offset, offset);
	g_array_append_val(rows->file_of, id);
	g_array_append_val(rows->line, line);
	g_ptr_array_add(rows->function, demangle_name(function));
}

static void put_lines(const struct symbolize_image *im, const GArray *ranges,
		      void (*put)(void *data, const Cap__Frame *frame), void *data)
{
	struct rows rows = {
		g_array_new(FALSE, FALSE, sizeof(guint64)),
		g_array_new(FALSE, FALSE, sizeof(guint32)),
		g_array_new(FALSE, FALSE, sizeof(guint32)),
		g_ptr_array_new_with_free_func(g_free),
		g_ptr_array_new_with_free_func(g_free),
		g_hash_table_new(g_str_hash, g_str_equal),
	};
	Cap__Lines m = CAP__LINES__INIT;

	lines_find(im->fd, im->path, im->offsets, ranges, row_add, &rows);
	m.image = im->id;
	m.n_file = rows.files->len;
	m.file = (char **)rows.files->pdata;
	m.n_offset = m.n_file_of = m.n_line = m.n_function = rows.offset->len;
	m.offset = (uint64_t *)(void *)rows.offset->data;
	m.file_of = (uint32_t *)(void *)rows.file_of->data;
	m.line = (uint32_t *)(void *)rows.line->data;
	m.function = (char **)rows.function->pdata;
	if (rows.offset->len)
		put_one(put, data, CAP__FRAME__WHAT_LINES, &m);
	g_array_free(rows.offset, TRUE);
	g_array_free(rows.file_of, TRUE);
	g_array_free(rows.line, TRUE);
	g_ptr_array_free(rows.function, TRUE);
	g_hash_table_destroy(rows.file_ids);
	g_ptr_array_free(rows.files, TRUE);
}

/* ---- whole ---------------------------------------------------------------------*/

static const struct wire_symtab *kernel_table(void)
{
	static struct wire_symtab *table;
	static int looked;
	u64 bytes;

	if (!looked++)
		table = symfile_kernel(0, &bytes);
	return table;
}

/* A file with the image's code; -1: none. */
static int code_open(const struct symbolize_image *im)
{
	u64 size;
	const u8 *bytes = im->vdso ? symfile_vdso_bytes(&size) : NULL;
	int fd = im->kernel ? open("/proc/kcore", O_RDONLY | O_CLOEXEC)
		 : bytes ? memfd_create("vdso", MFD_CLOEXEC)
		 : dup(im->fd);

	if (bytes && fd >= 0 && write(fd, bytes, size) != (ssize_t)size) {
		close(fd);
		fd = -1;
	}
	return fd;
}

void symbolize_image(const struct symbolize_image *im,
		     void (*put)(void *data, const Cap__Frame *frame), void *data)
{
	const struct wire_symtab *table = im->kernel ? kernel_table() : im->table;
	GArray *ranges = g_array_new(FALSE, FALSE, sizeof(struct lines_range));
	int fd = code_open(im);
	GPtrArray *hit;

	if (table) {
		hit = functions_hit(table, im->offsets);
		put_functions(im, table, hit, put, data);
		for (guint i = 0; fd >= 0 && i < hit->len; i++) {
			const struct wire_symbol *s = g_ptr_array_index(hit, i);
			struct lines_range range = { s->start, MIN(s->size, CODE_MAX) };

			put_code(im, fd, s, put, data);
			g_array_append_val(ranges, range);
		}
		g_ptr_array_free(hit, TRUE);
	}
	if (im->fd >= 0)
		put_lines(im, ranges, put, data);
	g_array_free(ranges, TRUE);
	if (fd >= 0)
		close(fd);
}

/* Offsets of an image's places, from number first on, whose functions are unknown. */
static GArray *offsets_of(const struct profile *p, guint image, guint first)
{
	GArray *offsets = g_array_new(FALSE, FALSE, sizeof(guint64));

	for (guint i = first; i < p->places->len; i++)
		if (PROFILE_AT(p->places, place, i)->image == image &&
		    PROFILE_AT(p->places, place, i)->function == PROFILE_NONE)
			g_array_append_val(offsets, PROFILE_AT(p->places, place, i)->offset);
	return offsets;
}

static int same_build(const struct profile_image *image, GBytes *id)
{
	int same = id && g_bytes_get_size(id) == image->build_id_size &&
		   !memcmp(g_bytes_get_data(id, NULL), image->build_id, image->build_id_size);

	if (id)
		g_bytes_unref(id);
	return same;
}

/* The kernel's addresses are others after each start (KASLR). */
static int is_this_boot(const struct profile *p)
{
	return *p->boot && !strcmp(p->boot, boot_id());
}

static void take_frame(void *data, const Cap__Frame *frame)
{
	profile_take(data, frame, NULL);
}

static void name_image(struct profile *p, guint i, guint first, int whole)
{
	struct profile_image *image = PROFILE_AT(p->images, image, i);
	struct symbolize_image what = {
		.id = i, .path = image->path, .fd = -1, .offsets = offsets_of(p, i, first)
	};
	struct wire_symtab *table = NULL;
	int fd = -1;
	u64 bytes;

	g_array_sort(what.offsets, address_compare);
	if (!what.offsets->len) {
		g_array_free(what.offsets, TRUE);
		return;
	}
	if (image->kind == IMAGE_KERNEL && is_this_boot(p) && same_build(image, build_id_of_kernel())) {
		what.kernel = 1;
	} else if (image->kind == IMAGE_FILE) {
		fd = foreign_open(image->path);
		what.fd = whole ? fd : -1;
		if (fd >= 0 && same_build(image, build_id_of_file(fd)))
			what.table = table = symfile_elf(fd, "", image->path, 0, &bytes);
	}
	if (what.kernel || what.table)
		symbolize_image(&what, take_frame, p);
	free(table);
	if (fd >= 0)
		close(fd);
	g_array_free(what.offsets, TRUE);
}

static volatile sig_atomic_t interrupted;

static void on_interrupt(int sig)
{
	interrupted = 1;
}

guint symbolize_profile(struct profile *p)
{
	/* the first ^C ends the naming, the second one the program */
	struct sigaction ask = { .sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND }, before;
	guint unnamed = 0;

	sigaction(SIGINT, &ask, &before);
	progress_begin();
	for (guint i = 0; i < p->images->len; i++) {
		if (PROFILE_AT(p->images, image, i)->functions->len)
			continue;
		unnamed += interrupted;
		if (interrupted)
			continue;
		progress_say("naming: image %u of %u %s", i + 1, p->images->len,
			     PROFILE_AT(p->images, image, i)->path);
		name_image(p, i, 0, 1);
	}
	progress_end();
	sigaction(SIGINT, &before, NULL);
	for (guint i = 0; i < p->images->len; i++)
		profile_sort_image(PROFILE_AT(p->images, image, i));
	profile_bind(p);
	return unnamed;
}

void symbolize_functions(struct profile *p, guint *named)
{
	if (*named == p->places->len)
		return;
	profile_bind(p);
	for (guint i = 0; i < p->images->len; i++)
		name_image(p, i, *named, 0);
	for (guint i = 0; i < p->images->len; i++)
		profile_sort_image(PROFILE_AT(p->images, image, i));
	profile_bind(p);
	*named = p->places->len;
}
