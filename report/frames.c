/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frames.c - see frames.h.
 */
#include "report/frames.h"

#include <string.h>

#define DEPTH_MAX 1024

/* A stack on its way into the tree, outermost first. */
struct path_step {
	const char	*name, *image;
	int		kernel, inlined;
};

static struct frame *frame_new(const char *name, struct frame *parent)
{
	struct frame *f = g_new0(struct frame, 1);

	f->name = name;
	f->parent = parent;
	f->children = g_ptr_array_new();
	return f;
}

static gint by_name(gconstpointer a, gconstpointer b)
{
	const struct frame *const *f = a, *const *g = b;
	int order = strcmp((*f)->name, (*g)->name);

	if (order)
		return order;
	return (*f)->kernel - (*g)->kernel;
}

/*
 * The child for a step, created if new. Few frames have many children, and each path is looked up
 * once.
 */
static struct frame *child_of(struct frames *tree, struct frame *parent,
			      const struct path_step *step)
{
	struct frame *child;

	for (guint i = 0; i < parent->children->len; i++) {
		child = g_ptr_array_index(parent->children, i);
		if (!strcmp(child->name, step->name) && child->kernel == step->kernel &&
		    child->inlined == step->inlined)
			return child;
	}
	child = frame_new(g_string_chunk_insert_const(tree->names, step->name), parent);
	child->image = step->image;
	child->kernel = step->kernel;
	child->inlined = step->inlined;
	g_ptr_array_add(parent->children, child);
	return child;
}

static void push(GArray *path, const char *name, const char *image, int kernel, int inlined)
{
	struct path_step step = { name, image, kernel, inlined };

	g_array_append_val(path, step);
}

/* A place's function, followed by the functions inlined there. */
static void push_place(GArray *path, const struct profile *p, guint32 place)
{
	const struct profile_image *image =
		PROFILE_AT(p->images, image, PROFILE_AT(p->places, place, place)->image);
	const struct profile_function *f = profile_function_of(p, place);
	int kernel = profile_in_kernel(p, place);
	const struct profile_line *lines;
	guint n;

	push(path, f ? f->name : image->path, image->path, kernel, 0);
	lines = profile_lines_of(p, place, &n);
	/* the outermost row is the function itself */
	for (guint i = n; i-- > 1 && path->len < DEPTH_MAX; )
		push(path, lines[i - 1].function, image->path, kernel, 1);
}

static void path_of(GArray *path, const struct profile *p, const struct profile_sample *s,
		    int inverted)
{
	const char *program = PROFILE_AT(p->processes, process,
					 PROFILE_AT(p->threads, thread, s->thread)->process)
				      ->name;
	guint32 nodes[DEPTH_MAX];
	guint n = 0;

	g_array_set_size(path, 0);
	for (guint32 node = s->node; node != PROFILE_NONE && n < G_N_ELEMENTS(nodes);
	     node = PROFILE_AT(p->nodes, node, node)->parent)
		nodes[n++] = PROFILE_AT(p->nodes, node, node)->place;
	if (profile_is_idle(p, s)) {
		push(path, "(idle)", NULL, 0, 0);
		return;
	}
	push(path, program, NULL, 0, 0);
	while (n && path->len < DEPTH_MAX)
		push_place(path, p, nodes[--n]);
	for (guint i = 0; inverted && i < path->len / 2; i++) {
		struct path_step *a = &g_array_index(path, struct path_step, i),
				 *b = &g_array_index(path, struct path_step, path->len - 1 - i);
		struct path_step step = *a;

		*a = *b;
		*b = step;
	}
}

static void add_weight(struct frame *f, const struct profile_sample *s)
{
	f->self += s->weight;
	for (; f; f = f->parent) {
		f->total += s->weight;
		f->samples += s->count;
	}
}

static void sort_children(struct frame *f)
{
	g_ptr_array_sort(f->children, by_name);
	for (guint i = 0; i < f->children->len; i++)
		sort_children(g_ptr_array_index(f->children, i));
}

static void free_frame(struct frame *f)
{
	for (guint i = 0; i < f->children->len; i++)
		free_frame(g_ptr_array_index(f->children, i));
	g_ptr_array_free(f->children, TRUE);
	g_free(f);
}

/* Samples with the same process and stack share a path, which is made once. */
struct known { guint32 process, node; };

static guint known_hash(gconstpointer p)
{
	const struct known *k = p;

	return k->node * 2654435761u ^ k->process;	/* Knuth's multiplicative hashing */
}

static gboolean known_equal(gconstpointer a, gconstpointer b)
{
	return !memcmp(a, b, sizeof(struct known));
}

static struct frame *leaf_of(struct frames *tree, const struct profile *p,
			     const struct profile_sample *s, int inverted, GArray *path)
{
	struct frame *f = tree->root;

	path_of(path, p, s, inverted);
	for (guint i = 0; i < path->len; i++)
		f = child_of(tree, f, &g_array_index(path, struct path_step, i));
	tree->depth = MAX(tree->depth, path->len + 1);
	return f;
}

struct frames *frames_make(const struct profile *p, const struct sample_filter *filter,
			   int inverted)
{
	GHashTable *known = g_hash_table_new_full(known_hash, known_equal, g_free, NULL);
	GArray *path = g_array_new(FALSE, FALSE, sizeof(struct path_step));
	struct frames *tree = g_new0(struct frames, 1);

	tree->names = g_string_chunk_new(65536);
	tree->root = frame_new("all", NULL);
	tree->depth = 1;
	for (guint i = 0; i < p->samples->len; i++) {
		const struct profile_sample *s = PROFILE_AT(p->samples, sample, i);
		struct known key = { PROFILE_AT(p->threads, thread, s->thread)->process, s->node };
		struct frame *leaf;

		if (!filter_passes(p, s, filter))
			continue;
		leaf = g_hash_table_lookup(known, &key);
		if (!leaf) {
			leaf = leaf_of(tree, p, s, inverted, path);
			g_hash_table_insert(known, g_memdup2(&key, sizeof(key)), leaf);
		}
		add_weight(leaf, s);
		tree->cut += s->cut ? s->count : 0;
	}
	sort_children(tree->root);
	g_array_free(path, TRUE);
	g_hash_table_destroy(known);
	return tree;
}

void frames_free(struct frames *tree)
{
	free_frame(tree->root);
	g_string_chunk_free(tree->names);
	g_free(tree);
}
