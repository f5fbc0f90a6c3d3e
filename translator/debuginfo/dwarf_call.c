/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_call.c - callers and callees by DWARF's call sites (dwarf.h): each callee's entry, and the
 * return addresses of its calls.
 *
 * An indirect call names no callee, and after a tail call the return address is in the caller's
 * caller: neither is found.
 */
#include "translator/debuginfo/dwarf_call.h"

#include "translator/debuginfo/dwarf.h"
#include "translator/debuginfo/dwarf_private.h"
#include "translator/debuginfo/dwarf_symbol.h"

#include <fnmatch.h>
#include <string.h>

void dwarf_frames_free(GPtrArray *frames)
{
	for (guint i = 0; i < frames->len; i++) {
		struct dwarf_frame *f = frames->pdata[i];

		g_array_unref(f->returns);
		g_free(f);
	}
	g_ptr_array_unref(frames);
}

static struct dwarf_frame *frame_new(struct dwarf *d, const struct dwarf_frame *above)
{
	struct dwarf_frame *f = g_new(struct dwarf_frame, 1);

	*f = (struct dwarf_frame){ g_array_new(FALSE, FALSE, sizeof(struct dwarf_return)), above };
	g_ptr_array_add(d->frames, f);
	return f;
}

/* A callee: known only by name until its definition is found. */
struct callee {
	struct dwarf_frame *frame;
	Dwarf_CU	*caller_unit;
	Dwarf_Die	definition;
	int		found;		/* 2: in the caller's own unit, which is preferred */
};

struct search {
	struct dwarf	*d;
	const struct dwarf_place *caller;
	Dwarf_CU	*unit;		/* of the caller */
	GHashTable	*callees;	/* name to struct callee, of one caller */
	GArray		*inlined;	/* struct dwarf_place: copies inlined in the caller */
};

static const char *target_name(Dwarf_Die *site)
{
	Dwarf_Attribute attr;
	Dwarf_Die target;

	if (!dwarf_attr(site, DW_AT_call_origin, &attr) &&
	    !dwarf_attr(site, DW_AT_abstract_origin, &attr))
		return NULL;
	return dwarf_formref_die(&attr, &target) ? dwarf_diename(&target) : NULL;
}

/* Before DWARF 5, the low_pc of GNU's call site is the address of the next instruction. */
static int return_address(Dwarf_Die *site, Dwarf_Addr *at)
{
	Dwarf_Attribute attr;

	if (dwarf_hasattr(site, DW_AT_call_tail_call) || dwarf_hasattr(site, DW_AT_GNU_tail_call))
		return 0;
	if (dwarf_attr(site, DW_AT_call_return_pc, &attr))
		return !dwarf_formaddr(&attr, at);
	return !dwarf_lowpc(site, at);
}

/* Looks up the call's last byte: a call to a noreturn function may end its function. */
static int returns_to(struct dwarf *d, Dwarf_Addr at, struct dwarf_return *r)
{
	r->address = at + d->bias;
	r->linked = at;
	if (!dwarf_symbol(d, r->address - 1, &r->symbol, &r->offset))
		return 0;
	r->offset++;
	return 1;
}

static void take_site(struct search *s, Dwarf_Die *site)
{
	const char *name = target_name(site);
	struct dwarf_return to;
	struct callee *c;
	Dwarf_Addr at;

	if (!name || !return_address(site, &at) || !returns_to(s->d, at, &to))
		return;
	c = g_hash_table_lookup(s->callees, name);
	if (!c) {
		c = g_new0(struct callee, 1);
		c->frame = frame_new(s->d, s->caller->frame);
		c->caller_unit = s->unit;
		g_hash_table_insert(s->callees, (char *)name, c);
	}
	g_array_append_val(c->frame->returns, to);
}

/* The calls of one function; calls in a copy inlined in it belong to that copy. */
static void take_calls(struct search *s, Dwarf_Die *die)
{
	Dwarf_Die child;

	if (dwarf_child(die, &child))
		return;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_call_site: case DW_TAG_GNU_call_site:
			take_site(s, &child);
			break;
		case DW_TAG_inlined_subroutine:
			if (dwarf_add_entry(s->d, s->inlined, &child))
				g_array_index(s->inlined, struct dwarf_place, s->inlined->len - 1)
					.frame = s->caller->frame;
			break;
		case DW_TAG_lexical_block:
			take_calls(s, &child);
			break;
		}
	} while (!dwarf_siblingof(&child, &child));
}

/* ---- definitions ------------------------------------------------------------------*/

/* Offers a definition to all callees of that name, of all callers. */
static void define(GPtrArray *callees, Dwarf_Die *die)
{
	for (guint i = 0; i < callees->len; i++) {
		struct callee *c = callees->pdata[i];
		int how = die->cu == c->caller_unit ? 2
						    : dwarf_hasattr_integrate(die, DW_AT_external);

		if (how > c->found) {
			c->definition = *die;
			c->found = how;
		}
	}
}

static int take_definition(void *wanted, Dwarf_Die *die)
{
	const char *name = dwarf_tag(die) == DW_TAG_subprogram ? dwarf_diename(die) : NULL;
	GPtrArray *callees = name ? g_hash_table_lookup(wanted, name) : NULL;
	Dwarf_Addr at;

	if (callees && !dwarf_entrypc(die, &at))
		define(callees, die);
	return 0;
}

/* ---- levels ----------------------------------------------------------------------*/

/* Collects the callees of all callers: by name in wanted, inlined copies in places. */
static void take_callers(struct dwarf *d, const GArray *callers, GHashTable *wanted, GArray *places)
{
	for (guint i = 0; i < callers->len; i++) {
		struct search s = { .d = d,
				    .caller = &g_array_index(callers, struct dwarf_place, i),
				    .inlined = places };
		GHashTableIter iter;
		gpointer name, callee;
		Dwarf_Die die;

		if (!dwarf_die_addr_die(d->dw, s.caller->die, &die))
			continue;
		s.unit = die.cu;
		s.callees = g_hash_table_new(g_str_hash, g_str_equal);
		take_calls(&s, &die);
		g_hash_table_iter_init(&iter, s.callees);
		while (g_hash_table_iter_next(&iter, &name, &callee)) {
			GPtrArray *same = g_hash_table_lookup(wanted, name);

			if (!same) {
				same = g_ptr_array_new_with_free_func(g_free);
				g_hash_table_insert(wanted, name, same);
			}
			g_ptr_array_add(same, callee);
		}
		g_hash_table_unref(s.callees);
	}
}

/* The direct callees of all callers, in source order. */
static GArray *one_level(struct dwarf *d, const GArray *callers)
{
	GHashTable *wanted = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
						   (GDestroyNotify)g_ptr_array_unref);
	GArray *places = g_array_new(FALSE, FALSE, sizeof(struct dwarf_place));
	GHashTableIter iter;
	gpointer same;

	take_callers(d, callers, wanted, places);
	dwarf_visit(d, take_definition, wanted);
	g_hash_table_iter_init(&iter, wanted);
	while (g_hash_table_iter_next(&iter, NULL, &same))
		for (guint i = 0; i < ((GPtrArray *)same)->len; i++) {
			struct callee *c = ((GPtrArray *)same)->pdata[i];

			if (c->found && dwarf_add_entry(d, places, &c->definition))
				g_array_index(places, struct dwarf_place, places->len - 1).frame =
					c->frame;
		}
	dwarf_sort_places(places);
	g_hash_table_unref(wanted);
	return places;
}

GArray *dwarf_callees(struct dwarf *d, const struct dwarf_query *callers, const char *pattern,
		      unsigned depth)
{
	struct dwarf_query q = *callers;
	GArray *level = dwarf_places(d, &q),
	       *found = g_array_new(FALSE, FALSE, sizeof(struct dwarf_place)), *inlined;

	q.kind = DWARF_INLINE;
	inlined = dwarf_places(d, &q);
	g_array_append_vals(level, inlined->data, inlined->len);
	g_array_unref(inlined);
	while (depth-- && level->len) {
		GArray *next = one_level(d, level);

		for (guint i = 0; i < next->len; i++) {
			const struct dwarf_place *p = &g_array_index(next, struct dwarf_place, i);

			if (!fnmatch(pattern, p->function, 0))
				g_array_append_val(found, *p);
		}
		g_array_unref(level);
		level = next;
	}
	g_array_unref(level);
	return found;
}
