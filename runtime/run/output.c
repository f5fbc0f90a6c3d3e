/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.c - rings to text.
 *
 * Each round reads every ring up to its head, sorts the records by (stamp, cpu) and prints those
 * that are older than the previous round's clock: no slower CPU can add an older record by then.
 * Pieces of one handler (WIRE_MORE) have one stamp and stay together. With -b each CPU's records go
 * to a file of their own as they come.
 */
#include "runtime/run/output.h"

#include "lib/clock.h"
#include "runtime/core/fmt.h"
#include "runtime/core/frame.h"
#include "runtime/core/hist.h"
#include "runtime/core/sink.h"
#include "runtime/run/capture.h"
#include "runtime/run/outfile.h"
#include "runtime/run/run.h"
#include "runtime/run/script_error.h"
#include "runtime/run/stacks.h"
#include "runtime/run/terminal.h"
#include "runtime/run/trace.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct piece {
	u64		stamp, sequence;
	u32		cpu;
	struct wire_record *rec;	/* a copy */
};

static struct piece *pieces;
static size_t npieces, room;
static u64 sequence, previous;
static volatile sig_atomic_t turn;	/* number of requests for the next file */
static struct target {
	int	going_on;	/* the last printed record did not end its handler's output */
	int	turn;		/* of this file */
} *targets;			/* by file: CPU with -b, else one */
static unsigned ntargets, current;	/* current: the destination of out */
static char text[65536], aside_text[4096];
static struct output_books *books;	/* [hello.nrings], set once a ring was read */
static u64 staged, unwritten;	/* records in out; records not written */
static struct sink out = { .p = text, .size = sizeof(text) };

static void flush(struct sink *s)
{
	/* beside a capture */
	if (opt.capture)
		fwrite(s->p, 1, s->used, opt.output ? stdout : stderr);
	else
		outfile_write(current, s->p, s->used);
	s->used = 0;
	if (outfile_failed())
		unwritten += staged;
	staged = 0;
}

void output_init(void)
{
	out.drain = flush;
}

void output_next(void)
{
	turn++;
}

static void flush_aside(struct sink *s)
{
	fwrite(s->p, 1, s->used, stderr);
	s->used = 0;
}

/* For WIRE_ASIDE. */
static struct sink aside = { .p = aside_text, .size = sizeof(aside_text), .drain = flush_aside };

static void print_hist(struct sink *to, const struct wire_item *item)
{
	const struct wire_hist *h = (const struct wire_hist *)(item + 1);
	u32 left = item->len - (u32)sizeof(*item);

	if (left >= sizeof(*h) && h->nbuckets <= (left - sizeof(*h)) / 8)
		hist_print(to, h, h->count);
}

static void print_items(struct sink *to, const struct wire_record *rec)
{
	const struct wire_item *item;
	struct fmt_item_source source;
	u32 at = 0;

	while ((item = record_item(rec, &at))) {
		const char *format;

		if (item->format == WIRE_ITEM_HIST) {
			print_hist(to, item);
			continue;
		}
		if (item->format == WIRE_ITEM_STACK) {
			stacks_print(to, (const struct wire_stack *)(item + 1),
				     item->len - (u32)sizeof(*item), rec->stamp);
			continue;
		}
		if (item->format == WIRE_ITEM_USER_STACK) {
			stacks_unwind(to, (const struct wire_user_stack *)(item + 1),
				      item->len - (u32)sizeof(*item), rec->stamp);
			continue;
		}
		fmt_item_source_init(&source, item);
		if (item->format == WIRE_ITEM_TEXT) {
			fmt_print(to, "%s", &source.source);
			continue;
		}
		format = item->format < facts.nformats ? facts.formats[item->format] : NULL;
		if (format && *format == RT_COLUMN_THREAD && opt.capture)
			capture_take(item->format, format, &source, rec);
		else if (format && *format == RT_COLUMN_THREAD)
			trace_print(to, format, &source, rec->stamp);
		else if (format)
			fmt_print(to, format + strlen(format) + 1, &source.source);
	}
}

static void print_record(const struct wire_record *rec)
{
	if (rec->type != WIRE_OUTPUT)
		return;
	if (rec->flags & WIRE_ASIDE) {
		aside.put_value = terminal_is(stderr) ? terminal_put : NULL;
		print_items(&aside, rec);
		flush_aside(&aside);
		return;
	}
	staged++;
	print_items(&out, rec);
}

static void take(const struct wire_record *rec, u32 len, u32 cpu)
{
	struct piece *more;

	if (npieces == room) {
		room = room ? 2 * room : 1024;
		more = realloc(pieces, room * sizeof(*more));
		if (!more)
			abort();
		pieces = more;
	}
	pieces[npieces].rec = malloc(len);
	if (!pieces[npieces].rec)
		abort();
	memcpy(pieces[npieces].rec, rec, len);
	pieces[npieces].rec->len = len;
	pieces[npieces].stamp = pieces[npieces].rec->stamp;
	pieces[npieces].cpu = opt.bulk ? pieces[npieces].rec->cpu : cpu;
	pieces[npieces++].sequence = sequence++;
}

static void read_ring(u32 cpu)
{
	u64 size, head, pos;
	struct wire_ring *r = session->ring(cpu, &size);
	const struct wire_record *rec;
	u32 len;
	int bad = 0;
	char what[32];

	if (!r)
		return;
	head = ring_head(r);
	pos = r->tail;
	while ((rec = ring_next(r, size, &pos, head, &len, &bad))) {
		books[cpu].records++;
		take(rec, len, cpu);
	}
	if (bad) {
		snprintf(what, sizeof(what), "output ring of CPU %u",
			 cpu % facts.hello.ncpus);
		run_error_show(RUN_DAMAGED, what);
	}
	ring_release(r, pos);
}

static int in_order(const void *a, const void *b)
{
	const struct piece *p = a, *q = b;

	if (!opt.bulk && p->stamp != q->stamp)
		return p->stamp < q->stamp ? -1 : 1;
	if (p->cpu != q->cpu)
		return p->cpu < q->cpu ? -1 : 1;
	return (p->sequence > q->sequence) - (p->sequence < q->sequence);
}

/* Selects the file for the next output; a handler's output stays in one file. */
static void choose_file(unsigned file)
{
	if (file != current)
		flush(&out);
	current = file;
	if (file >= ntargets) {
		targets = realloc(targets, (file + 1) * sizeof(*targets));
		if (!targets)
			abort();
		for (; ntargets <= file; ntargets++)
			targets[ntargets] = (struct target){ .turn = turn };
	}
	out.put_value = outfile_is_terminal(file) ? terminal_put : NULL;
	if (targets[file].going_on || (targets[file].turn == turn && !outfile_full(file, out.used)))
		return;
	flush(&out);
	outfile_next(file);
	targets[file].turn = turn;
}

static void read_rings(void)
{
	if (!books)
		books = calloc(facts.hello.nrings + 1, sizeof(*books));
	if (!books)
		abort();
	for (u32 cpu = 0; cpu < facts.hello.nrings; cpu++)
		read_ring(cpu);
	qsort(pieces, npieces, sizeof(*pieces), in_order);
}

void output_drain(int last)
{
	int waits = !last && !opt.bulk && facts.hello.nrings > 1;	/* a single ring need not
									 * wait for others */
	u64 now = clock_ns();
	size_t done = 0;

	read_rings();
	while (done < npieces && (!waits || pieces[done].stamp <= previous)) {
		struct piece *p = &pieces[done++];

		choose_file(opt.bulk ? p->cpu : 0);
		targets[current].going_on = p->rec->flags & WIRE_MORE;
		print_record(p->rec);
		free(p->rec);
	}
	memmove(pieces, pieces + done, (npieces - done) * sizeof(*pieces));
	npieces -= done;
	previous = now;
	if (opt.capture)
		capture_write(last);
	flush(&out);
}

struct output_books output_books(u32 cpu)
{
	struct output_books b = books ? books[cpu] : (struct output_books){ 0 };
	u64 size;
	const struct wire_ring *r = session->ring(cpu, &size);

	if (r) {
		b.lost = r->lost;
		b.lost_bytes = r->lost_bytes;
	}
	return b;
}

u64 output_unwritten(void)
{
	return unwritten;
}

void output_close(void)
{
	flush(&out);
	free(pieces);
	free(books);
	free(targets);
}
