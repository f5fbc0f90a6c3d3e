/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture.c - see capture.h. What a record refers to is written before it: threads, texts, images,
 * places, stacks. Functions and source lines of a place are those at the time of the first record
 * that has it, as the process may be gone when the run ends.
 */
#include "runtime/run/capture.h"

#include "config.h"
#include "lib/clock.h"
#include "runtime/core/caller.h"
#include "runtime/core/fmt.h"
#include "runtime/core/symbol.h"
#include "runtime/run/account.h"
#include "runtime/run/numbers.h"
#include "runtime/run/outfile.h"
#include "runtime/run/proto.h"
#include "runtime/run/spot.h"
#include "runtime/run/track.h"
#include "symbolize/elffile.h"
#include "symbolize/process.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define BATCH		4096		/* records of one call in a frame */
#define FRAMES_MAX	1024
#define INLINED_MAX	64		/* in each other */
#define CAPTURE_MAGIC	"lapwing capture\n"
#define COLUMNS_MAX	RT_MAXARGS

/* As in capture.proto. */
enum frame_kind { FRAME_HEADER = 1, FRAME_IMAGE, FRAME_PROCESS, FRAME_THREAD, FRAME_PLACES, FRAME_STACKS, FRAME_FUNCTIONS = 8,
		  FRAME_LINES, FRAME_BOOKS = 13, FRAME_COLUMNS = 16, FRAME_TEXTS, FRAME_PROBES, FRAME_RECORDS };
enum image_kind { IMAGE_FILE, IMAGE_KERNEL, IMAGE_VDSO, IMAGE_MADE, IMAGE_UNKNOWN };

/* Numbers that are waiting to be written. */
struct list { u64 *v; size_t n, room; };

/* The records of one call of stp(). */
struct call {
	int		is_known;	/* it has a number, and so columns in the capture */
	u32		number, ncolumns;
	char		kinds[COLUMNS_MAX + 1];
	u64		first, last;	/* times */
	struct list	elapsed, thread, cpu, probe, value;
};

/*
 * Generated code, of one process: an image, and the functions that were at its addresses, by address,
 * none over another. Where a process puts other code at an address, a new image begins.
 */
struct made_function { u64 start, end, name; };	/* name: hash_of() it */
struct maker {
	u32			image, images;
	struct made_function	*functions;
	size_t			n, room;
};

static struct maker *maker;		/* by number */
static struct call *calls;		/* by row of the formats */
static unsigned ncalls, nknown;
static struct numbers images, places, nodes, functions, makers, threads, processes, texts;
static struct list place_image, place_offset, node_parent, node_place;
static struct proto new_texts, warnings;
static char **text;			/* by number */
static u32 kernel_image, unknown_image, gap_image, nprobes;
static u64 written;			/* time */

static void list_add(struct list *l, u64 v)
{
	if (l->n == l->room) {
		l->room = l->room ? 2 * l->room : 256;
		l->v = realloc(l->v, l->room * sizeof(*l->v));
		if (!l->v)
			abort();
	}
	l->v[l->n++] = v;
}

/* ---- frames --------------------------------------------------------------------*/

/* CRC-32 of IEEE 802.3, as zlib has it. */
static u32 crc32(const u8 *p, size_t n)
{
	static u32 table[256];
	u32 crc = ~0U;

	for (u32 i = 0; !table[255] && i < 256; i++) {
		table[i] = i;
		for (int k = 0; k < 8; k++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320U : 0);
	}
	while (n--)
		crc = table[(crc ^ *p++) & 0xff] ^ crc >> 8;
	return ~crc;
}

/* Writes a message as a frame, and empties it. */
static void put(enum frame_kind kind, struct proto *m)
{
	struct proto body = { 0 };
	u32 head[2];

	proto_text_of(&body, kind, (const char *)m->p, m->used);
	head[0] = (u32)body.used;		/* our machines are little endian */
	head[1] = crc32(body.p, body.used);
	outfile_write(0, (const char *)head, sizeof(head));
	outfile_write(0, (const char *)body.p, body.used);
	free(body.p);
	free(m->p);
	*m = (struct proto){ 0 };
}

static void put_lists(enum frame_kind kind, struct list *first, struct list *second)
{
	struct proto m = { 0 };

	if (!first->n)
		return;
	proto_uints(&m, 1, first->v, first->n);
	proto_uints(&m, 2, second->v, second->n);
	put(kind, &m);
	first->n = second->n = 0;
}

/* FNV-1a */
static u64 hash_of(const char *p, size_t n)
{
	u64 hash = 0xcbf29ce484222325ULL;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (u8)p[i]) * 0x100000001b3ULL;
	return hash;
}

/* Of the program that runs at the record's time. */
static u32 process_number(s32 pid)
{
	const struct track_program program = track_program(pid);
	struct proto m = { 0 };
	int is_new;
	u32 number = numbers_of(&processes, (u64)pid, program.run, &is_new);

	if (!is_new)
		return number;
	proto_uint(&m, 1, (u64)pid);
	proto_text(&m, 2, pid && *program.name ? program.name : "?");
	proto_uint(&m, 3, program.start);
	put(FRAME_PROCESS, &m);
	return number;
}

/* ---- images and places ---------------------------------------------------------*/

static u32 image_number(enum image_kind kind, u64 key, struct image *im, const char *path)
{
	struct proto m = { 0 };
	char id[ELF_ID] = "";
	u8 bytes[ELF_ID / 2];
	struct elf elf;
	int is_new;
	u32 number = numbers_of(&images, kind, key, &is_new);
	const u8 *file;
	u64 size;

	if (!is_new)
		return number;
	if (kind == IMAGE_KERNEL && !key) {
		elf_kernel_id(id);
	} else if (im && (file = image_file(im, &size)) && !elf_look(&elf, file, size)) {
		elf_build_id(&elf, id);
	}
	proto_uint(&m, 1, kind);
	proto_text(&m, 2, path);
	for (size_t i = 0; id[2 * i]; i++)
		sscanf(id + 2 * i, "%2hhx", &bytes[i]);
	proto_bytes(&m, 3, bytes, strlen(id) / 2);
	put(FRAME_IMAGE, &m);
	return number;
}

/* A module of the kernel, as an image of its own: [name]. */
static u32 module_image(const struct spot *spot)
{
	const char *name = symtab_text(spot->table, spot->sym->module);
	char path[80];

	snprintf(path, sizeof(path), "[%s]", name);
	return image_number(IMAGE_KERNEL, hash_of(name, strlen(name)), NULL, path);
}

/* 1: no other function was there before. */
static int made_fits(struct maker *m, const struct made_function *f)
{
	size_t low = 0, high = m->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (m->functions[middle].end <= f->start)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < m->n && m->functions[low].start < f->end)
		return !memcmp(&m->functions[low], f, sizeof(*f));
	if (m->n == m->room) {
		m->room = m->room ? 2 * m->room : 16;
		m->functions = realloc(m->functions, m->room * sizeof(*f));
		if (!m->functions)
			abort();
	}
	memmove(m->functions + low + 1, m->functions + low, (m->n++ - low) * sizeof(*f));
	m->functions[low] = *f;
	return 1;
}

/* im: an area that the process named; NULL: none. */
static u32 made_image(const struct spot *spot, struct image *im)
{
	const struct wire_symbol *sym = spot->sym;
	u32 process = process_number(spot->pid), number;
	struct maker *m;
	char path[64];
	int is_new;

	number = numbers_of(&makers, process, (u64)(uintptr_t)im, &is_new);
	if (is_new) {
		maker = realloc(maker, (number + 1) * sizeof(*maker));
		if (!maker)
			abort();
		maker[number] = (struct maker){ 0 };
	}
	m = &maker[number];
	if (sym) {
		const char *name = symtab_text(spot->table, sym->name);
		const struct made_function f = { sym->start, sym->start + (sym->size ? sym->size : 1),
						 hash_of(name, strlen(name)) };

		if (!made_fits(m, &f)) {
			m->n = 0;
			made_fits(m, &f);
			m->images++;
		}
	}
	snprintf(path, sizeof(path), "[code made by process %d]", spot->pid);
	return image_number(IMAGE_MADE, (u64)number << 32 | m->images, NULL, im ? im->path : path);
}

static u32 image_of(const struct spot *spot, u64 *offset)
{
	struct image *im;

	*offset = spot->addr;
	if ((s64)spot->addr < 0)
		return spot->sym && spot->sym->module ? module_image(spot) : kernel_image;
	im = spot->pid ? process_image(spot->pid, spot->addr, offset) : NULL;
	if (im && *im->path == '/')
		return image_number(IMAGE_FILE, (u64)(uintptr_t)im, im, im->path);
	if (im && !strcmp(im->path, "[vdso]"))
		return image_number(IMAGE_VDSO, 0, NULL, im->path);
	*offset = spot->addr;
	if (!im && !spot->table)
		return unknown_image;
	return made_image(spot, im);
}

static void function_put(u32 image, u64 start, u64 size, const char *name)
{
	struct proto m = { 0 };

	proto_uint(&m, 1, image);
	proto_uints(&m, 2, &start, 1);
	proto_uints(&m, 3, &size, 1);
	proto_text_of(&m, 4, name, strlen(name));
	put(FRAME_FUNCTIONS, &m);
}

/* Source lines of a new place, which is `at` in the table: of functions inlined there first. */
static void lines_put(u32 image, u64 offset, const struct spot *spot, u64 at)
{
	const struct wire_symtab *t = spot->table;
	const struct wire_line *line = t ? symtab_line(t, at) : NULL;
	u64 offsets[INLINED_MAX], files[INLINED_MAX], lines[INLINED_MAX], n = 0;
	u32 file = line ? line->file : 0, number = line ? line->line : 0;
	struct proto m = { 0 };

	if (!line || !spot->sym)
		return;
	proto_uint(&m, 1, image);
	for (const struct wire_inlined *c = symtab_inlined(t, at);; c = symtab_outer(t, c)) {
		proto_text_of(&m, 2, symtab_text(t, file), strlen(symtab_text(t, file)));
		proto_text_of(&m, 6, symtab_text(t, c ? c->name : spot->sym->name),
			      strlen(symtab_text(t, c ? c->name : spot->sym->name)));
		offsets[n] = offset;
		files[n] = n;
		lines[n++] = number;
		if (!c || n == INLINED_MAX)
			break;
		file = c->file;
		number = c->line;
	}
	proto_uints(&m, 3, offsets, n);
	proto_uints(&m, 4, files, n);
	proto_uints(&m, 5, lines, n);
	put(FRAME_LINES, &m);
}

static void place_add(u32 image, u64 offset)
{
	list_add(&place_image, image);
	list_add(&place_offset, offset);
}

/* back: bytes before the address, as that of a return stands for the call. */
static u32 place_of(const struct spot *spot, u32 back)
{
	u64 offset;
	u32 image = image_of(spot, &offset), number;
	int is_new;

	offset -= back;
	number = numbers_of(&places, image, offset, &is_new);
	if (!is_new)
		return number;
	place_add(image, offset);
	if (spot->sym) {
		u64 start = spot->sym->start;

		numbers_of(&functions, image, start, &is_new);
		if (is_new)
			function_put(image, start, spot->sym->size,
				     symtab_text(spot->table, spot->sym->name));
	}
	lines_put(image, offset, spot, spot->at - back);
	return number;
}

static u32 gap_place(void)
{
	int is_new;
	u32 number = numbers_of(&places, gap_image, 0, &is_new);

	if (is_new)
		place_add(gap_image, 0);
	return number;
}

/* The innermost node of a stack, plus one; 0: it is empty. */
static u32 stack_number(const struct wire_stack *s, u32 len)
{
	static struct spot frame[FRAMES_MAX];
	u32 n = spots_of_stack(s, len, frame, FRAMES_MAX), node = 0, place, number;
	int is_new;

	while (n--) {
		place = frame[n].addr == STACK_GAP ? gap_place() : place_of(&frame[n], n > 0);
		number = numbers_of(&nodes, node, place, &is_new);
		if (is_new) {
			list_add(&node_parent, node);
			list_add(&node_place, place);
		}
		node = number + 1;
	}
	return node;
}

/* ---- texts and threads ---------------------------------------------------------*/

/* Texts of one hash are told apart by how many came before. */
static u32 text_number(const char *p, u32 n)
{
	u64 hash = hash_of(p, n);
	u32 number;
	int is_new;

	for (u64 other = 0;; other++) {
		number = numbers_of(&texts, hash, other, &is_new);
		if (is_new)
			break;
		if (strlen(text[number]) == n && !memcmp(text[number], p, n))
			return number;
	}
	text = realloc(text, (number + 1) * sizeof(*text));
	if (!text || !(text[number] = strndup(p, n)))
		abort();
	proto_text_of(&new_texts, 1, p, n);
	return number;
}


static u32 thread_number(u64 thread)
{
	struct proto m = { 0 };
	u32 process = process_number((s32)(thread >> 32));
	int is_new;
	u32 number = numbers_of(&threads, thread, process, &is_new);

	if (!is_new)
		return number;
	proto_uint(&m, 1, process);
	proto_uint(&m, 2, (u32)thread);
	put(FRAME_THREAD, &m);
	return number;
}

/* ---- records -------------------------------------------------------------------*/

static void columns_put(struct call *c, const char *format)
{
	static const char kinds[] = { RT_COLUMN_LONG, RT_COLUMN_STRING, RT_COLUMN_STACK, RT_COLUMN_ADDRESS, RT_COLUMN_RETURN, RT_COLUMN_FUNCTION,
				      RT_COLUMN_SYMBOL, RT_COLUMN_IMAGE, RT_COLUMN_FILE, RT_COLUMN_LINE, RT_COLUMN_PLACE };
	const char *name = format + strlen(format) + 1;
	u64 kind[COLUMNS_MAX];
	struct proto m = { 0 };

	c->is_known = 1;
	c->number = nknown++;
	for (const char *p = format + 2; *p && c->ncolumns < COLUMNS_MAX; p++) {
		size_t n = strcspn(name, "\t");
		const char *found = memchr(kinds, *p, sizeof(kinds));

		proto_text_of(&m, 1, name, n);
		name += n + (name[n] != 0);
		kind[c->ncolumns] = found ? (u64)(found - kinds) : 0;
		c->kinds[c->ncolumns++] = *p;
	}
	proto_uints(&m, 2, kind, c->ncolumns);
	put(FRAME_COLUMNS, &m);
}

static struct call *call_of(unsigned row, const char *format)
{
	if (row >= ncalls) {
		calls = realloc(calls, (row + 1) * sizeof(*calls));
		if (!calls)
			abort();
		memset(calls + ncalls, 0, (row + 1 - ncalls) * sizeof(*calls));
		ncalls = row + 1;
	}
	if (!calls[row].is_known)
		columns_put(&calls[row], format);
	return &calls[row];
}

static s64 value_of(char kind, s32 pid, struct fmt_item_source *values)
{
	const struct wire_stack *s;
	struct fmt_value v;
	struct spot spot;
	u32 len;

	if (kind == RT_COLUMN_STACK) {
		s = spot_stack(values, &len);
		return s ? stack_number(s, len) : 0;
	}
	if (!values->source.next(&values->source, kind == RT_COLUMN_STRING ? 's' : 'l', &v))
		return kind == RT_COLUMN_STRING ? text_number("", 0) : 0;
	if (kind == RT_COLUMN_STRING)
		return text_number(v.p, v.len > 0 ? (u32)v.len : 0);
	if (kind == RT_COLUMN_LONG || !v.l)
		return v.l;
	spot = spot_of(pid, (u64)v.l, kind == RT_COLUMN_RETURN);
	return (s64)place_of(&spot, kind == RT_COLUMN_RETURN) + 1;
}

void capture_take(unsigned row, const char *format, struct fmt_item_source *values,
		  const struct wire_record *rec)
{
	struct call *c = call_of(row, format);
	struct fmt_value thread, probe;

	if (!values->source.next(&values->source, 'l', &thread) ||
	    !values->source.next(&values->source, 'l', &probe))
		return;
	track_read();
	track_until(rec->stamp);
	if (!c->elapsed.n)
		c->first = c->last = rec->stamp;
	list_add(&c->elapsed, rec->stamp - c->last);
	c->last = rec->stamp;
	list_add(&c->thread, thread_number((u64)thread.l));
	list_add(&c->cpu, rec->cpu);
	list_add(&c->probe, (u64)probe.l);
	for (u32 i = 0; i < c->ncolumns; i++)
		list_add(&c->value, (u64)value_of(c->kinds[i], (s32)(thread.l >> 32), values));
	if (c->elapsed.n == BATCH)
		capture_write(1);
}

static void records_put(struct call *c)
{
	struct proto m = { 0 };

	if (!c->elapsed.n)
		return;
	proto_uint(&m, 1, c->number);
	proto_uint(&m, 2, c->first);
	proto_sints(&m, 3, (const s64 *)c->elapsed.v, c->elapsed.n);
	proto_uints(&m, 4, c->thread.v, c->thread.n);
	proto_uints(&m, 5, c->cpu.v, c->cpu.n);
	proto_uints(&m, 6, c->probe.v, c->probe.n);
	proto_sints(&m, 7, (const s64 *)c->value.v, c->value.n);
	put(FRAME_RECORDS, &m);
	c->elapsed.n = c->thread.n = c->cpu.n = c->probe.n = c->value.n = 0;
}

void capture_write(int all)
{
	u64 now = clock_ns();

	if (!all && now - written < 1000000000)
		return;
	written = now;
	if (new_texts.used)
		put(FRAME_TEXTS, &new_texts);
	put_lists(FRAME_PLACES, &place_image, &place_offset);
	put_lists(FRAME_STACKS, &node_parent, &node_place);
	for (unsigned i = 0; i < ncalls; i++)
		records_put(&calls[i]);
}

/* ---- beginning and end ---------------------------------------------------------*/

static void probes_put(void)
{
	struct proto m = { 0 };

	for (; nprobes < facts.nprobes; nprobes++) {
		const char *point = facts.probes[nprobes] ? facts.probes[nprobes] : "";

		proto_text_of(&m, 1, point, strlen(point));
	}
	put(FRAME_PROBES, &m);
}

void capture_begin(void)
{
	struct utsname name;
	struct proto m = { 0 };

	outfile_write(0, CAPTURE_MAGIC, strlen(CAPTURE_MAGIC));
	uname(&name);
	proto_uint(&m, 1, 1);
	proto_text(&m, 2, name.machine);
	proto_text(&m, 3, name.release);
	proto_text(&m, 4, name.nodename);
	proto_text(&m, 5, opt.command ? opt.command : facts.hello.script);
	proto_uint(&m, 6, facts.hello.time_wall);
	proto_uint(&m, 7, facts.hello.time_mono);
	proto_uint(&m, 8, (u64)sysconf(_SC_NPROCESSORS_CONF));
	proto_text(&m, 10, PACKAGE_STRING);
	proto_uint(&m, 11, !opt.only_target);
	put(FRAME_HEADER, &m);
	kernel_image = image_number(IMAGE_KERNEL, 0, NULL, "[kernel]");
	unknown_image = image_number(IMAGE_UNKNOWN, 0, NULL, "[unknown]");
	gap_image = image_number(IMAGE_UNKNOWN, 1, NULL, "(callers missing)");
	function_put(gap_image, 0, 1, "(callers missing)");
	probes_put();
}

void capture_warn(const char *text)
{
	proto_text_of(&warnings, 17, text, strlen(text));
}

void capture_end(const struct run_verdict *v)
{
	struct proto m = { 0 };
	char text[VERDICT_REASON] = "";
	struct sink why = { .p = text, .size = sizeof(text) - 1 };

	capture_write(1);
	if (v->partial)
		account_reason(v, &why);
	proto_uint(&m, 1, clock_ns());
	proto_uint(&m, 12, (u64)v->unknown);
	proto_uint(&m, 13, v->nrecords);
	proto_uint(&m, 14, v->nlost);
	proto_uint(&m, 15, v->nmissed);
	proto_text(&m, 16, text);
	proto_raw(&m, warnings.p, warnings.used);
	put(FRAME_BOOKS, &m);
}
