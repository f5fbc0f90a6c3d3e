/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks.c - see stacks.h.
 *
 * A sample's call chain is looked up as a whole first: most samples have a known chain, and cost
 * one hash of it. Without stacks most addresses are in a small cache.
 */
#include "record/stacks.h"

#include "lib/pair_ids.h"
#include "perf/perf_regs.h"
#include "report/address.h"
#include "report/build_id.h"
#include "symbolize/chain.h"
#include "symbolize/process.h"
#include "symbolize/unwind.h"

#include <stdlib.h>
#include <string.h>

#define FRAMES_MAX	512
#define CHAINS_MAX	200000		/* cached chains; all are dropped beyond that */
#define NEAR		8192		/* cached addresses; a power of two */
#define GENERATIONS	4096		/* a power of two */

/* Frames of a sample, innermost first; the first nkernel are the kernel's. */
struct frames {
	guint64	ip[FRAMES_MAX];
	guint	n, nkernel;
	enum stack_flaws flaws;
	int	arm64;
	/* number of addresses after those: from frame pointers alone, not checked yet */
	guint	nrest;
};

struct known_chain {
	gint32	pid;
	guint32	generation, n, nkernel, nrest;
	enum stack_flaws known;		/* flaws known before the rest was checked */
	guint32	node;			/* number plus one */
	enum stack_flaws flaws;
	guint64	ip[];			/* n and nrest */
};

/* An address whose node is known. */
struct near {
	guint64	ip;
	gint32	pid;			/* 0: the kernel's */
	guint32	generation, node;	/* node: number plus one; 0: not used */
};

static struct capture_writer *writer;
static enum stack_method how;
static GHashTable *chains;		/* struct known_chain, to itself */
/* how often the addresses of a process changed, by its ID's last bits */
static guint32 generations[GENERATIONS];
static struct near nears[NEAR];
static GHashTable *image_ids;		/* struct image, or -pid of generated code, to number + 1 */
static GArray *images;			/* struct kept_image */
/*
 * Image, offset; parent's number plus one, place. Without stacks each place is a node of the same
 * number, and `nodes` is empty.
 */
static struct pair_ids places, nodes;
static guint32 flushed_places, flushed_nodes;
static guint32 kernel_id, unknown_id, gap_id;

/* ---- hashing -------------------------------------------------------------------*/

static guint64 mix(guint64 h, guint64 v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ull;	/* 2^64 over the golden ratio: Fibonacci hashing */
	return h ^ h >> 32;
}

static guint chain_hash(gconstpointer p)
{
	const struct known_chain *c = p;
	guint64 h = mix(mix(c->generation, (guint64)c->pid), c->nkernel);

	for (guint i = 0; i < c->n + c->nrest; i++)
		h = mix(h, c->ip[i]);
	return (guint)h;
}

static gboolean chain_equal(gconstpointer a, gconstpointer b)
{
	const struct known_chain *c = a, *d = b;

	return c->pid == d->pid && c->generation == d->generation && c->n == d->n &&
	       c->nkernel == d->nkernel && c->nrest == d->nrest && c->known == d->known &&
	       !memcmp(c->ip, d->ip, (c->n + c->nrest) * sizeof(c->ip[0]));
}

static guint32 *generation_of(gint32 pid)
{
	return &generations[(guint32)pid % GENERATIONS];
}

/* ---- images --------------------------------------------------------------------*/

static void put(const Cap__Frame *frame)
{
	if (writer)
		capture_put(writer, frame);
}

static guint32 image_add(Cap__Image__Kind kind, struct image *image, gint32 pid, const char *path)
{
	struct kept_image kept = { kind, image, pid, g_strdup(path) };
	Cap__Image m = CAP__IMAGE__INIT;
	Cap__Frame frame = CAP__FRAME__INIT;
	GBytes *id = kind == CAP__IMAGE__KIND__KERNEL ? build_id_of_kernel()
		     : image && image->fd >= 0 ? build_id_of_file(image->fd)
		     : NULL;

	m.kind = kind;
	m.path = kept.path;
	if (id)
		m.build_id.data = (uint8_t *)g_bytes_get_data(id, &m.build_id.len);
	frame.what_case = CAP__FRAME__WHAT_IMAGE;
	frame.image = &m;
	put(&frame);
	kept.build_id = id;
	g_array_append_val(images, kept);
	return images->len - 1;
}

/* Adds the function "(callers missing)", which stands for missing callers in a stack. */
static guint32 gap_add(void)
{
	static char name[] = "(callers missing)";
	char *names[] = { name };
	uint64_t start = 0, size = 1;
	Cap__Functions m = CAP__FUNCTIONS__INIT;
	Cap__Frame frame = CAP__FRAME__INIT;

	m.image = image_add(CAP__IMAGE__KIND__UNKNOWN, NULL, 0, name);
	m.n_start = m.n_size = m.n_name = 1;
	m.start = &start;
	m.size = &size;
	m.name = names;
	frame.what_case = CAP__FRAME__WHAT_FUNCTIONS;
	frame.functions = &m;
	put(&frame);
	return m.image;
}

/* True for memory named by its process, whose places are addresses. */
static int is_named(const struct image *image)
{
	return *image->path != '/' && strcmp(image->path, "[vdso]");
}

static guint32 image_number(struct image *image, gint32 pid)
{
	gpointer key = image ? (gpointer)image : GINT_TO_POINTER(-pid);
	gpointer id = g_hash_table_lookup(image_ids, key);
	char *path;
	guint32 i;

	if (id)
		return GPOINTER_TO_UINT(id) - 1;
	path = image ? g_strdup(image->path) : g_strdup_printf("[code made by process %d]", pid);
	i = image_add(!image || is_named(image) ? CAP__IMAGE__KIND__MADE
		      : *path == '/' ? CAP__IMAGE__KIND__FILE
		      : CAP__IMAGE__KIND__VDSO,
		      image, pid, path);
	g_free(path);
	g_hash_table_insert(image_ids, key, GUINT_TO_POINTER(i + 1));
	return i;
}

static guint32 place_of(gint32 pid, guint64 addr, int kernel)
{
	u64 at = addr;
	guint32 image = unknown_id;

	if (!kernel && addr == STACK_GAP) {
		image = gap_id;
	} else if (kernel) {
		image = kernel_id;
	} else {
		struct image *found = process_image(pid, addr, &at);

		if (found || process_symbols(pid, addr, &at))
			image = image_number(found, pid);
		else
			at = addr;
		if (found && is_named(found))
			at = addr;
	}
	return pair_ids_number(&places, image, at);
}

/* ---- stacks --------------------------------------------------------------------*/

static void frame_add(struct frames *f, guint64 ip, int kernel)
{
	if (f->n == FRAMES_MAX) {
		f->flaws |= STACK_CUT;
		return;
	}
	f->ip[f->n++] = ip;
	f->nkernel += (guint)kernel;
}

/*
 * Splits perf's chain at its context markers. user, n: the addresses of user mode, which come
 * last.
 */
static void from_chain(struct frames *f, const struct record_sample *s, const guint64 **user,
		       guint *n)
{
	int kernel = s->kernel;

	*n = 0;
	for (guint64 i = 0; i < s->nchain; i++) {
		if (s->chain[i] >= (guint64)PERF_CONTEXT_MAX)
			kernel = s->chain[i] == (guint64)PERF_CONTEXT_KERNEL;
		else if (kernel)
			frame_add(f, s->chain[i], 1);
		else if (!(*n)++)
			*user = s->chain + i;
	}
}

static struct chain user_part(struct frames *f, gint32 pid)
{
	return (struct chain){ .ip = (u64 *)f->ip + f->nkernel,
			       .n = f->n - f->nkernel,
			       .max = FRAMES_MAX - f->nkernel,
			       .pid = pid,
			       .arm64 = f->arm64 };
}

/*
 * Finds the innermost user frames; the rest of perf's chain is appended unchecked.
 */
static void top_of_chain(struct frames *f, const struct record_sample *s, const guint64 *user,
			 guint n)
{
	struct caller_frame at = { 0 };
	struct chain_from from = { .ip = *user,
				   .pid = s->pid,
				   .tid = s->tid,
				   .stack = s->stack,
				   .bytes = s->stack_bytes };
	struct chain c = user_part(f, s->pid);

	if (s->regs) {
		at = perf_regs_frame((const u64 *)s->regs, s->regs_mask);
		from.at = &at;
	}
	f->nrest =
		chain_top(&c, &from) ? MIN(n - 1, FRAMES_MAX - f->nkernel - MIN(c.n, c.max)) : 0;
	f->arm64 = c.arm64;
	f->flaws |= f->nrest ? (c.uncertain ? STACK_UNCERTAIN : 0) : chain_end(&c);
	f->n = f->nkernel + MIN(c.n, c.max);
	memcpy(f->ip + f->n, user + 1, f->nrest * sizeof(f->ip[0]));
}

/*
 * Checks the rest of perf's chain: frame pointers skip callers without a record, and may not lead
 * to code at all. Sets f->flaws.
 */
static void rest_of_chain(struct frames *f, gint32 pid)
{
	struct chain c = user_part(f, pid);
	guint64 rest[FRAMES_MAX];

	if (!f->nrest)
		return;
	memcpy(rest, f->ip + f->n, f->nrest * sizeof(rest[0]));
	chain_rest(&c, (const u64 *)rest, f->nrest);
	f->flaws |= chain_end(&c);
	f->n = f->nkernel + MIN(c.n, c.max);
}

static void from_registers(struct frames *f, const struct record_sample *s)
{
	struct wire_regs regs = perf_regs_take((const u64 *)s->regs, s->regs_mask);
	const struct unwind_from from = { s->pid, s->tid, &regs, s->stack, s->stack_bytes, NULL };
	u64 ip[FRAMES_MAX];
	int cut = 0;
	u32 n = unwind_user(&from, ip, FRAMES_MAX, &cut);

	for (u32 i = 0; i < n; i++)
		frame_add(f, ip[i], 0);
	f->flaws |= (cut & ~UNWIND_UNCERTAIN ? STACK_CUT : 0) |
		    (cut & UNWIND_UNCERTAIN ? STACK_UNCERTAIN : 0);
}

static guint32 new_node(const struct frames *f, gint32 pid)
{
	guint32 node = 0;		/* plus one */

	for (guint i = f->n; i-- > 0; ) {
		int kernel = i < f->nkernel;
		int returns = i > 0 && i != f->nkernel && (kernel || f->ip[i] != STACK_GAP);

		node = pair_ids_number(&nodes, node,
				       place_of(pid, f->ip[i] - (guint64)returns, kernel)) + 1;
	}
	return node;
}

static struct known_chain *chain_make(const struct frames *f, gint32 pid)
{
	guint n = f->n + f->nrest;
	struct known_chain *c = g_malloc(sizeof(*c) + n * sizeof(c->ip[0]));

	*c = (struct known_chain){ .pid = pid, .generation = *generation_of(pid), .n = f->n,
			     .nkernel = f->nkernel, .nrest = f->nrest, .known = f->flaws };
	memcpy(c->ip, f->ip, n * sizeof(c->ip[0]));
	return c;
}

static void take_frames(struct frames *f, const struct record_sample *s)
{
	const guint64 *user = NULL;
	guint n = 0;

	f->n = f->nkernel = f->nrest = 0;
	f->flaws = 0;
	from_chain(f, s, &user, &n);
	if (how == STACKS_DWARF && s->regs)
		from_registers(f, s);
	else if (n)
		top_of_chain(f, s, user, n);
	if (!f->n && s->ip)
		frame_add(f, s->ip, s->kernel);
}

/* Of the address alone. */
static guint32 take_address(const struct record_sample *s)
{
	gint32 pid = s->kernel ? 0 : s->pid;
	guint32 generation = *generation_of(pid);
	struct near *near = &nears[mix((guint64)pid, s->ip) % NEAR];

	if (near->node && near->ip == s->ip && near->pid == pid && near->generation == generation)
		return near->node;
	*near = (struct near){ s->ip, pid, generation, place_of(pid, s->ip, s->kernel) + 1 };
	return near->node;
}

guint32 stacks_take(const struct record_sample *s, enum stack_flaws *flaws)
{
	static struct frames f;
	struct known_chain *c, *found;

	if (how == STACKS_NONE) {
		*flaws = 0;
		return take_address(s);
	}
	take_frames(&f, s);
	c = chain_make(&f, s->pid);
	found = g_hash_table_lookup(chains, c);
	if (found) {
		g_free(c);
		*flaws = found->flaws;
		return found->node;
	}
	if (g_hash_table_size(chains) >= CHAINS_MAX)
		g_hash_table_remove_all(chains);
	rest_of_chain(&f, s->pid);
	c->node = new_node(&f, s->pid);
	*flaws = c->flaws = f.flaws;
	g_hash_table_add(chains, c);
	return c->node;
}

void stacks_forget(gint32 pid)
{
	++*generation_of(pid);
}

/* ---- whole ---------------------------------------------------------------------*/

static void clear_image(void *data)
{
	struct kept_image *kept = data;

	g_free(kept->path);
	g_clear_pointer(&kept->build_id, g_bytes_unref);
}

static void add_images(void)
{
	kernel_id = image_add(CAP__IMAGE__KIND__KERNEL, NULL, 0, "[kernel]");
	unknown_id = image_add(CAP__IMAGE__KIND__UNKNOWN, NULL, 0, "[unknown]");
	gap_id = gap_add();
}

void stacks_clear(void)
{
	pair_ids_clear(&places);
	pair_ids_clear(&nodes);
	flushed_places = flushed_nodes = 0;
	memset(nears, 0, sizeof(nears));
	g_hash_table_remove_all(chains);
	g_hash_table_remove_all(image_ids);
	g_array_set_size(images, 0);
	add_images();
}

void stacks_place(guint32 stack, guint32 *image, guint64 *offset)
{
	guint32 place;

	if (!stack) {
		*image = unknown_id;
		*offset = 0;
		return;
	}
	place = how == STACKS_NONE ? stack - 1 : (guint32)nodes.pairs[stack - 1].b;
	*image = (guint32)places.pairs[place].a;
	*offset = places.pairs[place].b;
}

guint32 stacks_caller(guint32 stack)
{
	return !stack || how == STACKS_NONE ? 0 : (guint32)nodes.pairs[stack - 1].a;
}

void stacks_open(struct capture_writer *w, enum stack_method taken)
{
	writer = w;
	how = taken;
	chains = g_hash_table_new_full(chain_hash, chain_equal, g_free, NULL);
	image_ids = g_hash_table_new(NULL, NULL);
	images = g_array_new(FALSE, FALSE, sizeof(struct kept_image));
	g_array_set_clear_func(images, clear_image);
	add_images();
}

static void put_places(const struct pair *new, size_t n)
{
	Cap__Frame frame = CAP__FRAME__INIT;
	Cap__Places m = CAP__PLACES__INIT;

	m.n_image = m.n_offset = n;
	m.image = g_new(uint32_t, n);
	m.offset = g_new(uint64_t, n);
	for (size_t i = 0; i < n; i++) {
		m.image[i] = (uint32_t)new[i].a;
		m.offset[i] = new[i].b;
	}
	frame.what_case = CAP__FRAME__WHAT_PLACES;
	frame.places = &m;
	put(&frame);
	g_free(m.image);
	g_free(m.offset);
}

/* new: NULL for nodes that are places, from the number `first` on. */
static void put_nodes(const struct pair *new, guint32 first, size_t n)
{
	Cap__Frame frame = CAP__FRAME__INIT;
	Cap__Stacks m = CAP__STACKS__INIT;

	m.n_parent = m.n_place = n;
	m.parent = g_new(uint32_t, n);
	m.place = g_new(uint32_t, n);
	for (size_t i = 0; i < n; i++) {
		m.parent[i] = new ? (uint32_t)new[i].a : 0;
		m.place[i] = new ? (uint32_t)new[i].b : first + (uint32_t)i;
	}
	frame.what_case = CAP__FRAME__WHAT_STACKS;
	frame.stacks = &m;
	put(&frame);
	g_free(m.parent);
	g_free(m.place);
}

void stacks_flush(void)
{
	guint32 n = how == STACKS_NONE ? places.n : nodes.n;

	if (places.n > flushed_places)
		put_places(places.pairs + flushed_places, places.n - flushed_places);
	if (n > flushed_nodes)
		put_nodes(nodes.n ? nodes.pairs + flushed_nodes : NULL, flushed_nodes,
			  n - flushed_nodes);
	flushed_places = places.n;
	flushed_nodes = n;
}

guint stacks_images(void)
{
	return images->len;
}

const struct kept_image *stacks_image(guint i)
{
	return &g_array_index(images, struct kept_image, i);
}

GArray *stacks_offsets(guint image)
{
	GArray *offsets = g_array_new(FALSE, FALSE, sizeof(guint64));

	for (guint32 i = 0; i < places.n; i++)
		if (places.pairs[i].a == image)
			g_array_append_val(offsets, places.pairs[i].b);
	g_array_sort(offsets, address_compare);
	return offsets;
}
