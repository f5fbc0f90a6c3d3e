/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export_gmon.c - gmon.out, as gprof of GNU binutils reads it with the program: a histogram of its
 * code, and arcs between its functions.
 *
 * One file holds one program; its symbols give the functions their addresses, so the program must
 * be available. Arcs count calls if a script counted them; otherwise samples, by which gprof
 * distributes time too.
 */
#include "report/export.h"

#include "lib/failure.h"
#include "lib/foreign.h"
#include "report/address.h"
#include "report/build_id.h"
#include "report/graph.h"
#include "runtime/core/symbol.h"
#include "symbolize/symfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BINS_MAX	(1u << 20)
/* the most that a bin holds: the rest goes into another histogram, which gprof adds */
#define BIN_TICKS	G_MAXUINT16
#define TICKS_MAX	(16u * BIN_TICKS)
enum { TAG_HISTOGRAM, TAG_ARC };

static const char who[] = "lapwing export";

struct gmon {
	const struct profile *p;
	const char	*path;
	void		*bytes;		/* of that file */
	Elf		*elf;
	GHashTable	*functions;	/* name to GElf_Addr *; the first of that name */
	GElf_Addr	low, high, step;	/* of code; bytes of a bin */
	double		*seconds;	/* or counts, of each bin */
	double		rate;		/* ticks per second, or per count */
	int		counts;
	GByteArray	*out;
};

/* ---- the program -------------------------------------------------------------------*/

static const char *heaviest_image(const struct graph *g)
{
	GHashTable *weights = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	const char *best = NULL;
	guint64 most = 0;

	for (guint i = 0; i < g->functions->len; i++) {
		const struct graph_function *f =
			&g_array_index(g->functions, struct graph_function, i);
		guint64 *sum = g_hash_table_lookup(weights, f->image);

		if (*f->image != '/')
			continue;
		if (!sum)
			g_hash_table_insert(weights, (gpointer)f->image, sum = g_new0(guint64, 1));
		*sum += f->self;
		if (!best || *sum > most) {
			best = f->image;
			most = *sum;
		}
	}
	g_hash_table_destroy(weights);
	return best;
}

/* 0 if the file is the recorded one, as far as known. */
static int is_another(const struct gmon *m, int fd)
{
	GBytes *id = build_id_of_file(fd);
	int another = 0;

	for (guint i = 0; i < m->p->images->len; i++) {
		const struct profile_image *image = PROFILE_AT(m->p->images, image, i);

		if (!strcmp(image->path, m->path) && image->build_id_size)
			another = !id || g_bytes_get_size(id) != image->build_id_size ||
				  memcmp(g_bytes_get_data(id, NULL), image->build_id,
					 image->build_id_size);
	}
	if (id)
		g_bytes_unref(id);
	return another;
}

static void take_functions(struct gmon *m, const struct wire_symtab *table)
{
	for (u32 i = 0; table && i < table->nsyms; i++) {
		const struct wire_symbol *s = &symtab_symbols(table)[i];
		char *name = g_strdup(symtab_text(table, s->name));
		GElf_Addr address;

		if (address_of(m->elf, s->start, &address) ||
		    g_hash_table_contains(m->functions, name))
			g_free(name);
		else
			g_hash_table_insert(m->functions, name,
					    g_memdup2(&address, sizeof(address)));
	}
}

static void take_code(struct gmon *m)
{
	size_t n = 0;

	m->low = ~0ULL;
	elf_getphdrnum(m->elf, &n);
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr segment;

		if (!gelf_getphdr(m->elf, (int)i, &segment) || segment.p_type != PT_LOAD ||
		    !(segment.p_flags & PF_X))
			continue;
		m->low = MIN(m->low, segment.p_vaddr);
		m->high = MAX(m->high, segment.p_vaddr + segment.p_memsz);
	}
	for (m->step = 4; m->high > m->low && (m->high - m->low) / m->step >= BINS_MAX; )
		m->step *= 2;
	m->low -= m->low % m->step;
	m->high += m->step - m->high % m->step;
}

/* 0, or -1, reported. The descriptor is not needed afterwards, but m->elf is. */
static int open_program(struct gmon *m, int fd)
{
	struct wire_symtab *table;
	size_t size = 0;
	u64 bytes;

	if (fd < 0) {
		failure_print(who, FAILURE_FILE_READ,
			      "'%s': %s: gmon.out needs the program; --program names another", m->path,
			      g_strerror(errno));
		return -1;
	}
	elf_version(EV_CURRENT);
	m->bytes = foreign_map(fd, 0, &size);
	m->elf = m->bytes ? elf_memory(m->bytes, size) : NULL;
	if (!m->elf || elf_kind(m->elf) != ELF_K_ELF || is_another(m, fd)) {
		failure_print(who, FAILURE_FILE_READ, "'%s' is not the program that was recorded", m->path);
		return -1;
	}
	table = symfile_elf(fd, "", m->path, 0, &bytes);
	take_functions(m, table);
	free(table);
	take_code(m);
	return m->high > m->low ? 0 : -1;
}

/* ---- the histogram -----------------------------------------------------------------*/

static void add_to_bin(struct gmon *m, GElf_Addr address, double amount)
{
	if (address >= m->low && address < m->high)
		m->seconds[(address - m->low) / m->step] += amount;
}

static void add_samples(struct gmon *m, const struct sample_filter *filter)
{
	const struct profile_event *e = PROFILE_AT(m->p->events, event, filter->event);

	m->counts = !e->nanoseconds;
	m->rate = m->counts ? 1 : e->period ? 1e9 / (double)e->period : 1e6;
	for (guint i = 0; i < m->p->samples->len; i++) {
		const struct profile_sample *s = PROFILE_AT(m->p->samples, sample, i);
		const struct profile_place *place;
		GElf_Addr address;

		if (s->node == PROFILE_NONE || !filter_passes(m->p, s, filter))
			continue;
		place = PROFILE_AT(m->p->places, place,
				   PROFILE_AT(m->p->nodes, node, s->node)->place);
		if (!strcmp(PROFILE_AT(m->p->images, image, place->image)->path, m->path) &&
		    !address_of(m->elf, place->offset, &address))
			add_to_bin(m, address,
				   m->counts ? (double)s->count : (double)s->weight / 1e9);
	}
}

/* Call times have no addresses within their functions: they go to the start. */
static void add_times(struct gmon *m, const struct graph *g)
{
	double most = 0;

	for (guint i = 0; i < g->functions->len; i++) {
		const struct graph_function *f =
			&g_array_index(g->functions, struct graph_function, i);
		const GElf_Addr *address = strcmp(f->image, m->path)
						   ? NULL
						   : g_hash_table_lookup(m->functions, f->name);

		if (address)
			add_to_bin(m, *address, (double)f->self / 1e9);
		most = MAX(most, (double)f->self / 1e9);
	}
	for (m->rate = 1e6; most * m->rate > TICKS_MAX && m->rate > 1; )
		m->rate /= 10;
}

static void put(struct gmon *m, const void *bytes, guint n)
{
	g_byte_array_append(m->out, bytes, n);
}

static void put_histogram(struct gmon *m, const guint16 *bins, guint32 n)
{
	const guint8 tag = TAG_HISTOGRAM;
	guint32 rate = (guint32)(m->rate + 0.5);
	char dimension[16] = { 0 };

	/* 15 bytes and an abbreviation, which gprof shows as "s". */
	strncpy(dimension, m->counts ? "samples" : "seconds", 15);
	dimension[15] = 's';
	put(m, &tag, 1);
	put(m, &m->low, 8);
	put(m, &m->high, 8);
	put(m, &n, 4);
	put(m, &rate, 4);
	put(m, dimension, 16);
	put(m, bins, n * 2);
}

static void put_histograms(struct gmon *m)
{
	guint32 n = (guint32)((m->high - m->low) / m->step);
	guint64 *left = g_new(guint64, n), most;
	guint16 *bins = g_new(guint16, n);

	for (guint32 i = 0; i < n; i++)
		left[i] = (guint64)(m->seconds[i] * m->rate + 0.5);
	do {
		most = 0;
		for (guint32 i = 0; i < n; i++) {
			bins[i] = (guint16)MIN(left[i], BIN_TICKS);
			left[i] -= bins[i];
			most = MAX(most, left[i]);
		}
		put_histogram(m, bins, n);
	} while (most);
	g_free(bins);
	g_free(left);
}

/* ---- arcs --------------------------------------------------------------------------*/

static void put_arc(struct gmon *m, GElf_Addr from, GElf_Addr to, guint64 count)
{
	const guint8 tag = TAG_ARC;
	guint32 n = (guint32)MIN(count, G_MAXUINT32);

	put(m, &tag, 1);
	put(m, &from, 8);
	put(m, &to, 8);
	put(m, &n, 4);
}

static const GElf_Addr *address_of_function(const struct gmon *m, const struct graph *g, guint i)
{
	const struct graph_function *f = &g_array_index(g->functions, struct graph_function, i);

	return strcmp(f->image, m->path) ? NULL : g_hash_table_lookup(m->functions, f->name);
}

static void put_arcs(struct gmon *m, const struct graph *g)
{
	guint64 unit = g->samples ? MAX(g->weight / g->samples, 1) : 1;

	for (guint i = 0; i < g->arcs->len; i++) {
		const struct graph_arc *a = &g_array_index(g->arcs, struct graph_arc, i);
		const GElf_Addr *from = address_of_function(m, g, a->caller),
				*to = address_of_function(m, g, a->callee);
		guint64 count = g->exact ? a->calls : (a->self + a->below) / unit;

		if (from && to && count)
			put_arc(m, *from, *to, count);
	}
}

static void put_all(struct gmon *m, const struct graph *g, const struct sample_filter *filter)
{
	/* version, little-endian as this machine is, and 12 spare bytes */
	static const char head[20] = "gmon\1";

	m->seconds = g_new0(double, (m->high - m->low) / m->step);
	if (g->samples)
		add_samples(m, filter);
	else
		add_times(m, g);
	put(m, head, sizeof(head));
	put_histograms(m);
	put_arcs(m, g);
	g_free(m->seconds);
}

char *export_gmon(const struct profile *p, const struct sample_filter *filter, gsize *size)
{
	struct graph *g = graph_make(p, filter);
	struct gmon m = { .p = p,
			  .path = export_program ? export_program : heaviest_image(g),
			  .out = g_byte_array_new() };
	int fd = m.path ? foreign_open(m.path) : -1, rc = -1;

	m.functions = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	if (!m.path)
		failure_print(who, FAILURE_CAPTURE_LACKS,
			      "there are no samples or calls in a program's file: nothing to write to gmon.out");
	else
		rc = open_program(&m, fd);
	if (!rc)
		put_all(&m, g, filter);
	elf_end(m.elf);
	foreign_unmap(m.bytes);
	if (fd >= 0)
		close(fd);
	g_hash_table_destroy(m.functions);
	graph_free(g);
	*size = m.out->len;
	return (char *)g_byte_array_free(m.out, rc != 0);
}
