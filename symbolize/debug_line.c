/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug_line.c - line programs; see debug.h.
 */
#include "symbolize/debug_line.h"

#include "symbolize/debug.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>

#define FILES_MAX	(1U << 16)

struct program {
	struct debug_unit as;		/* how values are encoded */
	struct reader	r;
	s64		line_base, line_range;
	u64		opcode_base, step;
	u8		lengths[256];
	const char	*folder[FILES_MAX / 16];
	u64		nfolders;
};

static void add_file(struct program *p, struct debug_files *files, const char *name, u64 folder)
{
	char **more = files->n & (files->n - 1)
			      ? files->name
			      : realloc(files->name, (files->n ? 2 * files->n : 1) * sizeof(*more));
	const char *in = *name != '/' && folder < p->nfolders ? p->folder[folder] : "";

	if (!more)
		return;
	files->name = more;
	if (asprintf(&more[files->n], "%s%s%s", in, *in ? "/" : "", name) >= 0)
		files->n++;
}

static void add_folder(struct program *p, const char *name)
{
	if (p->nfolders < sizeof(p->folder) / sizeof(p->folder[0]))
		p->folder[p->nfolders++] = name;
}

/* Up to version 4: strings; an empty one ends each list; files are numbered from 1. */
static void take_lists(struct program *p, struct debug_files *files, const char *folder)
{
	const char *name;

	add_folder(p, folder);
	while (*(name = take_text(&p->r)))
		add_folder(p, name);
	add_file(p, files, "", 0);
	while (*(name = take_text(&p->r))) {
		add_file(p, files, name, take_uleb(&p->r));
		take_uleb(&p->r);
		take_uleb(&p->r);
	}
}

/* From version 5 on: a list of entries, which starts with their format; numbered from 0. */
static void take_entries(struct debug *d, struct program *p, struct debug_files *files)
{
	u64 nkinds = take(&p->r, 1), kind[16], form[16], n;

	for (u64 i = 0; i < nkinds; i++) {
		kind[i & 15] = take_uleb(&p->r);
		form[i & 15] = take_uleb(&p->r);
	}
	n = take_uleb(&p->r);
	if (nkinds > 16 || (n && !nkinds))
		p->r.failed = 1;
	for (; n-- && !p->r.failed; ) {
		const char *name = "";
		u64 folder = 0;

		for (u64 i = 0; i < nkinds; i++) {
			struct debug_value v = debug_form(d, &p->as, &p->r, form[i], 0);

			name = kind[i] == DW_LNCT_path && v.text ? v.text : name;
			folder = kind[i] == DW_LNCT_directory_index ? v.n : folder;
		}
		if (files)
			add_file(p, files, name, folder);
		else
			add_folder(p, name);
	}
}

/* 0, or -1: an unsupported program. */
static int take_header(struct debug *d, const struct debug_unit *u, struct program *p,
		       struct debug_files *files)
{
	u64 length, header;
	const u8 *from;

	*p = (struct program){ .as = *u, .r = debug_reader(&d->line, u->lines) };
	p->as.offset_size = 4;
	length = take(&p->r, 4);
	if (length == 0xffffffff) {
		length = take(&p->r, 8);
		p->as.offset_size = 8;
	}
	if (length > (u64)(p->r.end - p->r.at))
		return -1;
	p->r.end = p->r.at + length;
	p->as.version = (u16)take(&p->r, 2);
	if (p->as.version >= 5) {
		p->as.address_size = (u8)take(&p->r, 1);
		take(&p->r, 1);
	}
	header = take(&p->r, p->as.offset_size);
	from = p->r.at;
	p->step = take(&p->r, 1);
	if (p->as.version >= 4)
		take(&p->r, 1);
	take(&p->r, 1);
	p->line_base = take_signed(&p->r, 1);
	p->line_range = (s64)take(&p->r, 1);
	p->opcode_base = take(&p->r, 1);
	for (u64 i = 1; i < p->opcode_base; i++)
		p->lengths[i] = (u8)take(&p->r, 1);
	if (p->r.failed || p->as.version < 2 || p->as.version > 5 || !p->line_range ||
	    header > (u64)(p->r.end - from) || p->as.address_size > 8)
		return -1;
	if (p->as.version >= 5) {
		take_entries(d, p, NULL);
		take_entries(d, p, files);
	} else {
		take_lists(p, files, u->folder);
	}
	p->r.at = from + header;
	return p->r.failed ? -1 : 0;
}

struct row { u64 address, file; s64 line; };

static const char *file_of(const struct debug_files *files, const struct row *row)
{
	return row->file < files->n ? files->name[row->file] : "";
}

/* An extended opcode, which follows a 0. */
static int extended(struct program *p, struct row *row)
{
	u64 length = take_uleb(&p->r), op = length ? take(&p->r, 1) : 0;
	int ends = op == DW_LNE_end_sequence;

	if (op == DW_LNE_set_address && length > 1 && length <= 9)
		row->address = take(&p->r, (u32)length - 1);
	else if (length)
		take_skip(&p->r, length - 1);
	return ends;
}

static void standard(struct program *p, u64 op, struct row *row)
{
	switch (op) {
	case DW_LNS_advance_pc:		row->address += p->step * take_uleb(&p->r); break;
	case DW_LNS_advance_line:	row->line += take_sleb(&p->r); break;
	case DW_LNS_set_file:		row->file = take_uleb(&p->r); break;
	case DW_LNS_const_add_pc:
		row->address += p->step * ((255 - p->opcode_base) / (u64)p->line_range);
		break;
	case DW_LNS_fixed_advance_pc:	row->address += take(&p->r, 2); break;
	default:
		for (u32 i = 0; i < p->lengths[op]; i++)
			take_uleb(&p->r);
	}
}

void debug_lines(struct debug *d, const struct debug_unit *u, struct debug_files *files,
		 void (*row)(void *data, u64 address, const char *file, s64 line), void *data)
{
	const struct row first = { .file = 1, .line = 1 };
	struct program *p = malloc(sizeof(*p));
	struct row at = first;

	*files = (struct debug_files){ 0 };
	if (!p || u->lines == ~0ULL || take_header(d, u, p, files)) {
		free(p);
		return;
	}
	while (p->r.at < p->r.end && !p->r.failed) {
		u64 op = take(&p->r, 1);

		if (op >= p->opcode_base) {
			at.address += p->step * ((op - p->opcode_base) / (u64)p->line_range);
			at.line += p->line_base + (s64)(op - p->opcode_base) % p->line_range;
		} else if (op && op != DW_LNS_copy) {
			standard(p, op, &at);
			continue;
		} else if (!op) {
			if (extended(p, &at)) {
				row(data, at.address, "", -1);
				at = first;
			}
			continue;
		}
		row(data, at.address, file_of(files, &at), at.line < 0 ? 0 : at.line);
	}
	free(p);
}

void debug_files_free(struct debug_files *files)
{
	while (files->n)
		free(files->name[--files->n]);
	free(files->name);
}
