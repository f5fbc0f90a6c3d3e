/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usertable.c - see usertable.h.
 *
 * x86-64: 4-byte distances from the table itself, whose address comes from a lea; or addresses.
 * arm64: distances of 1, 2 or 4 bytes, mostly counted in instructions, from the table or from an
 * address in the code.
 */
#include "translator/debuginfo/usertable.h"

#include <gelf.h>
#include <string.h>

/* of all tables of a function together, per reading */
#define ENTRIES_MAX	(1u << 20)

/* Entry number i: base + (the bytes at address << shift). */
struct table {
	guint64	address, base;
	guint64	last;			/* number of the last entry; G_MAXUINT64: unknown */
	guint8	bytes, shift, is_signed;
};

/* arm64: the last value put into a register. */
struct content {
	guint64	address;		/* 0: something else */
	guint64	bound;			/* upper bound; G_MAXUINT64: unknown */
	struct table table;		/* if its address is not 0: the value is an entry of it */
};

struct usertable {
	const struct userfile *file;
	GArray	*tables;		/* struct table */
	/* guint64: code addresses that distances may be relative to */
	GArray	*labels;
	struct content registers[DISASM_NO_REGISTER];
	struct usertable_bound bound;
};

struct usertable *usertable_new(const struct userfile *f)
{
	struct usertable *t = g_new0(struct usertable, 1);

	t->file = f;
	t->tables = g_array_new(FALSE, FALSE, sizeof(struct table));
	t->labels = g_array_new(FALSE, FALSE, sizeof(guint64));
	t->bound.value = G_MAXUINT64;
	for (guint i = 0; i < G_N_ELEMENTS(t->registers); i++)
		t->registers[i].bound = G_MAXUINT64;
	return t;
}

void usertable_free(struct usertable *t)
{
	g_array_unref(t->labels);
	g_array_unref(t->tables);
	g_free(t);
}

/* ---- noting instructions -----------------------------------------------------------*/

static void add_distances(struct usertable *t, guint64 address)
{
	struct table table = { address, address, G_MAXUINT64, 4, 0, 1 };

	g_array_append_val(t->tables, table);
}

static void add_addresses(struct usertable *t, guint64 address)
{
	struct table table = { address, 0, G_MAXUINT64, 8, 0, 0 };

	g_array_append_val(t->tables, table);
}

static void note_entry(struct usertable *t, const struct disasm_step *s)
{
	const struct content *from = &t->registers[s->from], *index = &t->registers[s->index];
	struct table table = { from->address, 0, index->bound, s->bytes, 0, s->is_signed };

	if (s->bytes == 8 && from->address)
		add_addresses(t, from->address);
	t->registers[s->to] = (struct content){ 0, G_MAXUINT64, table };
}

/*
 * Any value of a 1- or 2-byte entry is a plausible distance: if the number of entries is unknown,
 * such a table is useless.
 */
static void note_sum(struct usertable *t, const struct disasm_step *s)
{
	const struct content *from = &t->registers[s->from], *index = &t->registers[s->index];
	struct table table = index->table;

	if (!table.address && !s->shift) {		/* operands swapped */
		table = from->table;
		from = index;
	}
	table.base = from->address;
	table.shift = s->shift;
	table.is_signed |= s->is_signed;
	if (table.address && table.base && (table.bytes == 4 || table.last != G_MAXUINT64))
		g_array_append_val(t->tables, table);
	t->registers[s->to] = (struct content){ .bound = G_MAXUINT64 };
}

static void note_address(struct usertable *t, const struct disasm_step *s)
{
	if (s->to != DISASM_NO_REGISTER) {
		t->registers[s->to] = (struct content){ .address = s->value, .bound = G_MAXUINT64 };
		return;
	}
	if (userfile_is_code(t->file, s->value))
		g_array_append_val(t->labels, s->value);
	add_distances(t, s->value);
	add_addresses(t, s->value);
}

struct usertable_bound usertable_bound(const struct usertable *t)
{
	return t->bound;
}

void usertable_assume(struct usertable *t, struct usertable_bound bound)
{
	t->bound = bound;
	t->registers[bound.index].bound = bound.value;
}

void usertable_note(struct usertable *t, const struct disasm_step *s)
{
	switch (s->does) {
	case DISASM_ADDRESS:
		note_address(t, s);
		break;
	case DISASM_PLUS:
		t->registers[s->to] =
			(struct content){ .address = t->registers[s->from].address + s->value,
					  .bound = G_MAXUINT64 };
		break;
	case DISASM_ENTRY:
		if (s->from == DISASM_NO_REGISTER)
			add_addresses(t, s->value);
		else
			note_entry(t, s);
		break;
	case DISASM_SUM:
		note_sum(t, s);
		break;
	case DISASM_BOUND:
		usertable_assume(t, (struct usertable_bound){ s->from, s->value });
		break;
	case DISASM_ELSE:
		break;
	}
}

/* ---- reading tables ----------------------------------------------------------------*/

/* 0: the file has nothing there. */
static int read_entry(const struct usertable *t, const struct table *table, guint64 i,
		      guint64 *target)
{
	guint64 entry = 0;
	int unused = 64 - table->bytes * 8;

	if (userfile_bytes(t->file, table->address + i * table->bytes, &entry, table->bytes) !=
	    table->bytes)
		return 0;
	entry = GUINT64_FROM_LE(entry);
	if (!entry && table->bytes == 8)
		entry = userfile_relocated(t->file, table->address + i * table->bytes);
	if (table->is_signed)
		entry = (guint64)((gint64)(entry << unused) >> unused);
	*target = table->base + (entry << table->shift);
	return 1;
}

struct reading {
	const struct usertable *tables;
	guint64	left;			/* entries */
	int	(*leads)(void *data, guint64 target);
	void	*data;
};

static void read_table(struct reading *r, const struct table *table)
{
	guint64 target;

	for (guint64 i = 0; i <= table->last && r->left && read_entry(r->tables, table, i, &target);
	     i++) {
		r->left--;
		if (!r->leads(r->data, target))
			return;
	}
}

void usertable_read(struct usertable *t, int (*leads)(void *data, guint64 target), void *data)
{
	struct reading reading = { t, ENTRIES_MAX, leads, data };

	for (guint i = 0; i < t->tables->len; i++) {
		struct table table = g_array_index(t->tables, struct table, i);
		int is_x86 = table.bytes == 4 && table.base == table.address;

		read_table(&reading, &table);
		for (guint k = 0; k < t->labels->len && is_x86; k++) {
			table.base = g_array_index(t->labels, guint64, k);
			read_table(&reading, &table);
		}
	}
}
