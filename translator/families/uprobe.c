/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *   process("PATH") | process(PID) | process | process("")	[.library("LIB")] and one of
 *	.function("pat")	.call  .return  .return.maxactive(N)  .exported  .inline
 *				.label("pat")  .callee("pat")  .callees ...
 *	.function(ADDR)  .statement("pat@file:lines")[.nearest]  .statement(ADDR)[.absolute]
 *	.plt[("pat")][.return]
 *	.mark("pat")  .provider("pat").mark("pat")		marks of <sys/sdt.h>
 *
 * Code of user programs. Functions come from the file's symbol tables; all other places need DWARF.
 * Places are offsets in files: processes that start later are probed too. Context: user mode's
 * registers.
 */
#include "translator/debuginfo/debuginfo.h"
#include "translator/debuginfo/dwarf.h"
#include "translator/debuginfo/dwarf_call.h"
#include "translator/debuginfo/dwarf_function.h"
#include "translator/debuginfo/files.h"
#include "translator/debuginfo/stapsdt_note.h"
#include "translator/debuginfo/userfile.h"
#include "translator/debuginfo/userframe.h"
#include "translator/debuginfo/usergo.h"
#include "translator/debuginfo/usernop.h"
#include "translator/debuginfo/userpath.h"
#include "translator/debuginfo/userplt.h"
#include "translator/families/place.h"
#include "translator/families/shared.h"
#include "translator/families/uprobe_diag.h"
#include "translator/families/user_return.h"
#include "translator/families/user_site.h"
#include "translator/families/user_target.h"
#include "translator/program/program.h"

#include <fnmatch.h>
#include <string.h>

enum tag { ENTRY, CALL, RETURN, EXPORTED, STUB, STUB_RETURN, MARK, ADDRESS, PLACE, CALIBRATION };

#define CALLEES(prefix) \
	{ prefix, PLACE, PLACE_CALLEE }, \
	{ prefix ".call", PLACE, PLACE_CALLEE }, \
	{ prefix ".return", PLACE, PLACE_CALLEE }

#define FUNCTIONS(prefix) \
	{ prefix ".function(s)", ENTRY, 0 }, \
	{ prefix ".function(s).call", CALL, 0 }, \
	{ prefix ".function(s).exported", EXPORTED, 0 }, \
	{ prefix ".function(s).return", RETURN, 0 }, \
	{ prefix ".function(s).return.maxactive(n)", RETURN, 0 }, \
	{ prefix ".function(n)", ADDRESS, 0 }, \
	{ prefix ".statement(n)", ADDRESS, 0 }, \
	{ prefix ".statement(n).absolute", ADDRESS, 0 }, \
	{ prefix ".plt", STUB, 0 }, \
	{ prefix ".plt.return", STUB_RETURN, 0 }, \
	{ prefix ".plt(s)", STUB, 0 }, \
	{ prefix ".plt(s).return", STUB_RETURN, 0 }, \
	{ prefix ".function(s).inline", PLACE, PLACE_INLINE }, \
	{ prefix ".function(s).label(s)", PLACE, PLACE_LABEL }, \
	CALLEES(prefix ".function(s).callee(s)"), \
	CALLEES(prefix ".function(s).callees"), \
	CALLEES(prefix ".function(s).callees(n)"), \
	{ prefix ".statement(s)", PLACE, PLACE_STATEMENT }, \
	{ prefix ".statement(s).nearest", PLACE, PLACE_NEAREST }, \
	{ prefix ".mark(s)", MARK, 0 }, \
	{ prefix ".provider(s).mark(s)", MARK, 0 }
#define PROGRAMS(program) FUNCTIONS(program), FUNCTIONS(program ".library(s)")

static const struct family_pattern patterns[] = {
	PROGRAMS("process(s)"),
	PROGRAMS("process(n)"),
	PROGRAMS("process"),
	{ "process.calibration", CALIBRATION, 0 },
	{ "process.calibration.return", CALIBRATION, RETURN },
	{ 0 },
};

/* The search of one file. */
struct search {
	struct family_call *call;
	const struct user_target *target;
	const struct userpath *path;
	struct userfile	*file;
	struct user_return returns;	/* for .return points */
	unsigned	added, slow;
	const char	*slow_example;
	int		refused;	/* a requested probe was refused, which is reported */
};

/* ---- the best address ------------------------------------------------------------------
 *
 * A hit costs about 440 ns on a 5-byte nop (new kernels), 830 ns on an instruction that the kernel
 * emulates, 5,000 ns on one that it single-steps. */

/* Instructions emulated by arch/x86/kernel/uprobes.c: nop, push, call, jmp, jcc. */
static int x86_is_emulated(const guint8 *code, gsize n)
{
	if (n > 1 && code[0] == 0x0f)
		return (code[1] & 0xf0) == 0x80 || code[1] == 0x1f;
	if (n > 1 && code[0] == 0x41)
		return (code[1] & 0xf8) == 0x50;
	return n && ((code[0] & 0xf8) == 0x50 || (code[0] & 0xf0) == 0x70 ||
		     memchr("\x90\xe8\xe9\xeb", code[0], 4));
}

/* Instructions simulated on arm64: PC-relative branches, addresses and loads. */
static int arm64_is_emulated(const guint8 *code, gsize n)
{
	guint32 i = n >= 4 ? (guint32)code[0] | (guint32)code[1] << 8 | (guint32)code[2] << 16 |
				     (guint32)code[3] << 24
			   : 0;

	return (i & 0x7c000000) == 0x14000000 || (i & 0xff000010) == 0x54000000 ||
	       (i & 0x7c000000) == 0x34000000 || (i & 0x1f000000) == 0x10000000 ||
	       (i & 0x3b000000) == 0x18000000;
}

static int is_emulated(const struct search *s, guint64 address)
{
	guint8 code[4];
	gsize n = userfile_bytes(s->file, address, code, sizeof(code));

	return strcmp(userfile_arch(s->file), "arm64") ? x86_is_emulated(code, n)
						       : arm64_is_emulated(code, n);
}

static const guint8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };

/*
 * endbr64 does nothing but must be single-stepped. A push or nop after it is emulated, and no jump
 * within the same call leads to it, because the stack would grow. So it is hit as often, with the
 * same registers and stack. A Go function starts again if its stack is too small.
 */
static guint64 best_entry(const struct search *s, guint64 address)
{
	guint8 code[6];
	guint64 again;

	if (usergo_of(s->file, address) != USERGO_NONE)
		return usergo_entry(s->file, address, &again);
	if (userfile_bytes(s->file, address, code, sizeof(code)) < sizeof(code) ||
	    memcmp(code, endbr64, sizeof(endbr64)))
		return address;
	return (code[4] & 0xf8) == 0x50 || (code[4] == 0x41 && (code[5] & 0xf8) == 0x50) ||
			       code[4] == 0x90
		       ? address + sizeof(endbr64)
		       : address;
}

/*
 * True if perf recognizes this as an entry: push %rbp or endbr64, the first instruction of
 * functions with frame pointers.
 */
static int is_known_entry(const struct search *s, guint64 address)
{
	guint8 code[sizeof(endbr64)] = { 0 };

	userfile_bytes(s->file, address, code, sizeof(code));
	return !strcmp(userfile_arch(s->file), "x86_64") &&
	       (*code == 0x55 || !memcmp(code, endbr64, sizeof(endbr64)));
}

static void report_slow(const struct search *s, const struct point_comp *comp)
{
	if (s->slow && s->call->diag->verbose)
		diag(s->call->diag, &comp->loc, D_POINT_SLOW, s->slow, s->added, s->slow_example);
}

static const struct point_comp *what_comp(const struct probe_point *point)
{
	static const char *const names[] = { "function", "statement", "plt", "mark" };

	for (unsigned i = 0; i < G_N_ELEMENTS(names); i++)
		if (family_comp(point, names[i]))
			return family_comp(point, names[i]);
	return &point->comps[0];
}

/* ---- adding ---------------------------------------------------------------------------*/

static int is_wild(const struct probe_point *point)
{
	for (unsigned i = 0; i < point->ncomps; i++)
		if (point->comps[i].arg == POINT_STRING && strpbrk(point->comps[i].string, "*?["))
			return 1;
	return 0;
}

/*
 * Finds another instruction to probe for a 5-byte nop that kernels may break. If there is none, the
 * probe is optional only if the point is, or is a wildcard: one of several places of a name must
 * not be skipped, because together they are what the script asks for.
 */
static void look_aside(struct search *s, struct user_site *site, int is_entry)
{
	struct rt_uprobe *row = &site->row;
	int aside = 0;

	site->nop = usernop_find(s->file, row->address, is_entry, &aside, &row->stuck);
	row->aside = aside;
	if (site->nop == USERNOP_BESIDE)
		row->stuck = NULL;
	else if (site->nop == USERNOP_STUCK)
		row->optional = s->call->point->optional || s->call->point->sufficient ||
				is_wild(s->call->point);
}

/* Fills in the row; is_entry: a function begins there. NULL: the address is not in the file. */
static struct user_site *new_site(struct search *s, guint64 address, int is_entry, int optional)
{
	struct user_site *site = s->call->alloc(s->call, sizeof(*site));
	guint64 offset;

	if (!userfile_offset(s->file, address, &offset))
		return NULL;
	site->file = s->file;
	site->row.path = family_keep(s->call, s->path->target);
	site->row.program = family_keep(s->call, s->target->program);
	site->row.pid = s->target->pid;
	site->row.address = address;
	site->row.offset = offset;
	site->row.optional = optional || s->call->point->optional || s->call->point->sufficient;
	site->row.known_entry = is_known_entry(s, address);
	look_aside(s, site, is_entry);
	return site;
}

static int way_of(const struct search *s, const struct user_site *site)
{
	int way = is_emulated(s, site->row.address) ? 0 : RT_WAY_SLOW;

	if (site->row.is_return)
		way |= site->row.exits ? RT_WAY_INSTRUCTIONS : RT_WAY_REPLACES;
	if (site->nop != USERNOP_SAFE)
		way |= RT_WAY_NOP5;
	if (site->row.aside &&
	    !is_emulated(s, site->row.address + (guint64)(gint64)site->row.aside))
		way |= RT_WAY_NOP5_SLOW;
	return way;
}

static void add_site(struct search *s, struct user_site *site, const char *function,
		     const char *rest, int optional, const struct dwarf_place *place)
{
	struct family_probe probe = { .function = function,
				      .phase = RT_RUNNING,
				      .row = &site->row,
				      .optional = optional,
				      .place = place };
	GString *point = g_string_new(s->target->text);

	if (family_comp(s->call->point, "library"))
		g_string_append_printf(point, ".library(\"%s\")", s->path->target);
	g_string_append(point, rest);
	if (site->row.is_return)
		g_string_append(point, ".return");
	probe.point = point->str;
	probe.way = way_of(s, site);
	if (probe.way & RT_WAY_SLOW) {
		if (!s->slow++)
			s->slow_example = family_keep(s->call, point->str);
	}
	s->added++;
	s->call->add(s->call, &probe);
	g_string_free(point, TRUE);
}

/*
 * The kernel replaces what it expects to be the return address, so it must be one, at the probed
 * instruction and at its alternative. Wildcards skip code that is jumped to; by its exact name, its
 * entry can be probed.
 */
static int is_wanted(struct search *s, struct user_site *site, const struct userfile_function *f,
		     int is_plt, int wild)
{
	const char *why = userframe_problem(s->file, f, site->row.address, is_plt);

	if (!why && site->row.aside)
		why = userframe_problem(
			s->file, f, site->row.address + (guint64)(gint64)site->row.aside, is_plt);
	if (!why && site->row.is_return && userframe_returns_twice(s->file, f))
		why = "it keeps its return address for a second return, and the program would die "
		      "of the kernel's there";
	if (!why && site->row.is_return)
		why = user_return_site(&s->returns, s->call, site, f, is_plt);
	if (wild)
		return is_plt ? !why || !site->row.is_return : !why && !debuginfo_is_part(f->name);
	if (!why || !site->row.is_return)
		return 1;
	diag(s->call->diag, &what_comp(s->call->point)->arg_loc, D_POINT_RETURN, f->name, why);
	s->refused = 1;
	return 0;
}

static void add_function(struct search *s, const struct userfile_function *f, int optional,
			 int wild)
{
	int tag = s->call->pattern->tag, is_plt = tag == STUB || tag == STUB_RETURN;
	struct user_site *site = new_site(s, best_entry(s, f->address), !is_plt, optional);
	char *rest = g_strdup_printf(".%s(\"%s\")", is_plt ? "plt" : "function", f->name);

	if (site)
		site->row.is_return = tag == RETURN || tag == STUB_RETURN;
	if (site && is_wanted(s, site, f, is_plt, wild)) {
		site->at_entry = !is_plt;
		site->no_frame = 1;
		add_site(s, site, f->name, rest, optional, NULL);
	}
	g_free(rest);
}

static void add_mark(struct search *s, const struct stapsdt_mark *m, int optional)
{
	struct user_site *site = new_site(s, m->address, 0, optional);
	char *rest = g_strdup_printf(".provider(\"%s\").mark(\"%s\")", m->provider, m->name);
	u64 semaphore = 0;

	if (site &&
	    (!m->semaphore || userfile_offset(s->file, m->semaphore, (guint64 *)&semaphore))) {
		site->row.semaphore = semaphore;
		site->mark = *m;
		add_site(s, site, m->name, rest, optional, NULL);
	}
	g_free(rest);
}

static int point_is_return(const struct probe_point *point)
{
	return family_comp(point, "return") != NULL;
}

static char *place_text(struct search *s, const struct dwarf_place *p, enum place_kind kind)
{
	char *what = g_strdup_printf("\"%s@%s:%d\"", p->function, p->file, p->line), *text;

	if (kind == PLACE_CALLEE)
		text = g_strdup_printf(".function(\"%s\").callee(%s)",
				       family_comp(s->call->point, "function")->string, what);
	else if (p->label)
		text = g_strdup_printf(".function(%s).label(\"%s\")", what, p->label);
	else if (kind == PLACE_STATEMENT || kind == PLACE_NEAREST)
		text = g_strdup_printf(".statement(%s)", what);
	else
		text = g_strdup_printf(".function(%s)%s", what, p->inlined ? ".inline" : "");
	g_free(what);
	return text;
}

static void add_place(struct search *s, struct dwarf *d, const struct dwarf_place *p,
		      enum place_kind kind, int optional)
{
	int is_entry = !p->inlined && (kind == PLACE_FUNCTION || kind == PLACE_CALLEE);
	guint64 at = dwarf_linked(d, p);
	struct user_site *site = new_site(s, is_entry ? best_entry(s, at) : at, is_entry, optional);
	struct dwarf_place *kept = s->call->alloc(s->call, sizeof(*kept));
	struct userfile_function f;
	char *text;

	if (!site || (point_is_return(s->call->point) && p->inlined))
		return;
	site->row.is_return = point_is_return(s->call->point);
	if (!userfile_function_at(s->file, at, &f) || f.address != at)
		f.size = 0;
	else if (kind == PLACE_FUNCTION && is_entry && usergo_wraps(s->file, &f, &f))
		return;
	f.name = p->function;
	f.address = at;
	if (is_entry && !is_wanted(s, site, &f, 0, is_wild(s->call->point)))
		return;
	*kept = *p;
	site->at_entry = site->no_frame = is_entry;
	text = place_text(s, p, kind);
	add_site(s, site, p->function, text, optional, kept);
	g_free(text);
}

/* ---- resolving a point ------------------------------------------------------------------*/

/*
 * True for a complete function that was not found by its symbol's name, which may be a mangled C++
 * name or that of a compiler's copy.
 */
static int is_another(struct search *s, guint64 address, GHashTable *known)
{
	struct userfile_function f;

	return !g_hash_table_contains(known, &address) &&
	       userfile_function_at(s->file, address, &f) &&
	       !g_hash_table_contains(known, &f.address) && !f.chooses &&
	       !debuginfo_is_rest(f.name) && (s->call->pattern->tag != EXPORTED || f.global);
}

/* known: addresses of the functions found so far; adds those found here. */
static void resolve_described(struct search *s, const char *pattern, GHashTable *known)
{
	const struct dwarf_query q = { .kind = DWARF_ENTRY, .function = pattern };
	const char *why;
	struct dwarf *d = userfile_dwarf(s->file, &why);
	GArray *places = d ? dwarf_places(d, &q) : NULL;
	int several = places && places->len + g_hash_table_size(known) > 1;

	for (guint i = 0; places && i < places->len; i++) {
		const struct dwarf_place *p = &g_array_index(places, struct dwarf_place, i);
		guint64 address = dwarf_linked(d, p);

		if (!is_another(s, address, known))
			continue;
		add_place(s, d, p, PLACE_FUNCTION, several);
		g_hash_table_add(known, g_memdup2(&address, sizeof(address)));
	}
	if (places)
		g_array_unref(places);
}

/* True if this is the name of a compiler's copy, or of the .part, of a function that matches. */
static int is_copy_of(const char *name, const char *pattern, int wild)
{
	gsize n = debuginfo_original(name);
	char *own;
	int is;

	if (!name[n])
		return 0;
	own = g_strndup(name, n);
	is = wild ? !fnmatch(pattern, own, 0) : !strcmp(pattern, own);
	g_free(own);
	return is;
}

/*
 * Adds the compiler's copies of matching functions that debuginfo did not describe; with rests, the
 * .part functions whose beginnings are inlined.
 */
static void resolve_copies(struct search *s, const char *pattern, int wild, GHashTable *known,
			   int rests)
{
	const GArray *all = userfile_all(s->file);

	for (guint i = 0; i < all->len; i++) {
		const struct userfile_function *f =
			&g_array_index(all, struct userfile_function, i);

		if (debuginfo_is_rest(f->name) != rests || !is_copy_of(f->name, pattern, wild) ||
		    g_hash_table_contains(known, &f->address) ||
		    (s->call->pattern->tag == EXPORTED && !f->global))
			continue;
		g_hash_table_add(known, g_memdup2(&f->address, sizeof(f->address)));
		family_report_copy(s->call, pattern, f->name);
		add_function(s, f, 1, wild);
	}
}

/*
 * A Go function and its ABI wrapper have the same name and count as one function: a call through
 * both is hit once. A script that names the symbol itself (NAME.abi0) gets that symbol.
 */
static void skip_wrappers(const struct search *s, GArray *found, int wild)
{
	GHashTable *seen = g_hash_table_new(g_int64_hash, g_int64_equal);
	guint n = 0;

	for (guint i = 0; i < found->len; i++) {
		struct userfile_function *f = &g_array_index(found, struct userfile_function, i),
					 wrapped;

		if ((wild || !g_str_has_suffix(f->name, ".abi0")) &&
		    usergo_wraps(s->file, f, &wrapped))
			*f = wrapped;
		g_array_index(found, struct userfile_function, n) = *f;
		n += g_hash_table_add(seen,
				      &g_array_index(found, struct userfile_function, n).address);
	}
	g_array_set_size(found, n);
	g_hash_table_unref(seen);
}

static void resolve_functions(struct search *s, const char *pattern)
{
	int wild = strpbrk(pattern, "*?[") != NULL,
	    is_plt = s->call->pattern->tag == STUB || s->call->pattern->tag == STUB_RETURN;
	GArray *found =
		is_plt ? userfile_stubs(s->file, pattern) : userfile_functions(s->file, pattern);

	GHashTable *known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	const char *why;

	if (!is_plt)
		skip_wrappers(s, found, wild);
	for (guint i = 0; i < found->len; i++) {
		const struct userfile_function *f =
			&g_array_index(found, struct userfile_function, i);

		if (s->call->pattern->tag != EXPORTED || f->global)
			add_function(s, f, wild || found->len > 1, wild);
		g_hash_table_add(known, g_memdup2(&f->address, sizeof(f->address)));
	}
	if (!is_plt) {
		resolve_described(s, pattern, known);
		resolve_copies(s, pattern, wild, known, 0);
		if (!g_hash_table_size(known) &&
		    (s->call->pattern->tag != ENTRY || !userfile_dwarf(s->file, &why)))
			resolve_copies(s, pattern, wild, known, 1); /* else inlined parts are */
	}
	g_hash_table_unref(known);
	g_array_unref(found);
}

static void resolve_marks(struct search *s)
{
	const struct point_comp *provider = family_comp(s->call->point, "provider"),
				*mark = family_comp(s->call->point, "mark");
	GArray *found = stapsdt_marks(s->file, provider ? provider->string : NULL, mark->string);

	for (guint i = 0; i < found->len; i++)
		add_mark(s, &g_array_index(found, struct stapsdt_mark, i), found->len > 1);
	g_array_unref(found);
}

/*
 * function(ADDR) is the function that contains the address; a statement is the address itself: a
 * link address, or, with .absolute in a process, one in the process. 0: no instruction begins
 * there, which is reported.
 */
static int resolve_address(struct search *s)
{
	const struct point_comp *statement = family_comp(s->call->point, "statement"), *comp;
	struct userfile_function f = { .name = NULL };
	struct user_site *site;
	guint64 address;
	const char *why;
	char *rest;

	comp = statement ? statement : family_comp(s->call->point, "function");
	address = (guint64)comp->number;
	if ((s->target->offset && !userfile_linked(s->file, s->target->offset, &address)) ||
	    !userfile_is_code(s->file, address))
		return 1;
	if (!userfile_function_at(s->file, address, &f) && !statement)
		return 1;
	if (!statement) {
		add_function(s, &f, 0, 0);
		return 1;
	}
	if (!family_comp(s->call->point, "absolute") &&
	    !user_begins_instruction(s->call, s->file, address, &why)) {
		diag(s->call->diag, &comp->arg_loc, D_POINT_VALUE, why);
		return 0;
	}
	site = new_site(s, address, 0, 0);
	rest = g_strdup_printf(".statement(0x%llx)%s", (unsigned long long)comp->number,
			       family_comp(s->call->point, "absolute") ? ".absolute" : "");
	if (site)
		add_site(s, site, f.name, rest, 0, NULL);
	g_free(rest);
	return 1;
}

static GArray *find_places(struct search *s, struct dwarf *d, const struct dwarf_query *q,
			   enum place_kind kind)
{
	const struct point_comp *comp = family_comp(s->call->point, "callee");

	if (kind != PLACE_CALLEE)
		return dwarf_places(d, q);
	if (comp)
		return dwarf_callees(d, q, comp->string, 1);
	comp = family_comp(s->call->point, "callees");
	return dwarf_callees(d, q, "*",
			     comp->arg == POINT_NUMBER ? (unsigned)CLAMP(comp->number, 1, 16) : 1);
}

static void resolve_places(struct search *s, const char *pattern, enum place_kind kind)
{
	const struct point_comp *label = family_comp(s->call->point, "label");
	struct dwarf_query q = { .kind = (enum dwarf_kind)place_asks(kind),
				 .label = label ? label->string : NULL };
	const char *why;
	struct dwarf *d = userfile_dwarf(s->file, &why);
	char *text = g_strdup(pattern);
	GArray *found;

	place_cut(text, &q);
	if ((kind == PLACE_STATEMENT || kind == PLACE_NEAREST) && !q.lines)
		q.kind = DWARF_ENTRY;
	found = d ? find_places(s, d, &q, kind) : NULL;
	for (guint i = 0; found && i < found->len; i++)
		add_place(s, d, &g_array_index(found, struct dwarf_place, i), kind, found->len > 1);
	if (found)
		g_array_unref(found);
	g_free(text);
}

/*
 * A plain name matches the symbol's function, and with debuginfo its inlined copies; a name with a
 * file is looked up in DWARF.
 */
static void resolve_named(struct search *s, const char *pattern)
{
	int tag = s->call->pattern->tag;

	if (tag == PLACE) {
		resolve_places(s, pattern, (enum place_kind)s->call->pattern->scale);
		return;
	}
	if (strchr(pattern, '@') && tag != STUB && tag != STUB_RETURN)
		resolve_places(s, pattern, PLACE_FUNCTION);
	else
		resolve_functions(s, pattern);
	if (tag == ENTRY)
		resolve_places(s, pattern, PLACE_INLINE);
}

static unsigned resolve_file(struct search *s, const struct point_comp *comp)
{
	char **names;

	switch (s->call->pattern->tag) {
	case MARK:
		resolve_marks(s);
		break;
	case ADDRESS:
		if (!resolve_address(s))
			return 1;
		break;
	default:
		if (point_is_return(s->call->point))
			s->returns = user_return_of(s->call, s->target, s->file);
		names = family_alternatives(comp->arg == POINT_STRING ? comp->string : "*");
		for (char **name = names; *name; name++)
			resolve_named(s, *name);
		g_strfreev(names);
	}
	report_slow(s, comp);
	user_return_report(&s->returns, s->call, s->path->target, comp);
	return s->refused ? 1 : s->added;
}

/*
 * Adds a probe on a calibration function of the consumer. The runtime knows the address of the
 * function and of its return instruction.
 */
static void add_calibration(struct family_call *call, int is_return, int way)
{
	static const struct rt_exit exit;
	struct user_site *site = call->alloc(call, sizeof(*site));
	const struct family_probe probe = { .point = is_return ? "process.calibration.return"
							       : "process.calibration",
					    .function = "calibration",
					    .phase = RT_RUNNING,
					    .optional = 1,
					    .calibrates = RT_EMPTY_PROGRAM,
					    .way = way,
					    .row = &site->row };

	site->at_entry = site->row.optional = 1;
	site->row.is_return = (u8)is_return;
	if (is_return && way & RT_WAY_INSTRUCTIONS) {
		site->row.exits = &exit;
		site->row.nexits = 1;
	}
	call->add(call, &probe);
}

/*
 * Adds one of each kind: the first instruction is emulated or single-stepped; also at the return
 * instruction, if other probes have theirs there.
 */
static void add_calibrations(struct family_call *call)
{
	int is_return = call->pattern->scale == RETURN;

	for (int slow = 0; slow <= RT_WAY_SLOW; slow += RT_WAY_SLOW) {
		add_calibration(call, is_return, slow);
		if (call->has_instructions)
			add_calibration(call, is_return, slow | RT_WAY_INSTRUCTIONS);
	}
}

/* One of several, of a pattern, is left out: without a word if it is no program at all, as scripts are. */
static void refuse_file(const struct search *s, const char *why, int one_of_several)
{
	const struct point_comp *comps = s->call->point->comps,
				*named = s->call->point->ncomps > 1 &&
							 !strcmp(comps[1].name, "library")
						 ? &comps[1]
						 : &comps[0];
	const char *unreadable;
	char *hint;

	if (!one_of_several) {
		hint = g_strdup_printf(": %s", why);
		diag(s->call->diag, named->arg ? &named->arg_loc : &named->loc, D_POINT_PROGRAM,
		     s->path->target, hint);
		g_free(hint);
	} else if (debuginfo_userfile(s->call->info, s->path->host, &unreadable)) {
		diag(s->call->diag, named->arg ? &named->arg_loc : &named->loc, D_POINT_FILE,
		     s->path->target, why);
	}
}

static void resolve(struct family_call *call)
{
	const struct point_comp *comp = what_comp(call->point);
	GPtrArray *targets;
	struct search last = { .file = NULL };
	unsigned added = 0;

	if (call->pattern->tag == CALIBRATION) {
		add_calibrations(call);
		return;
	}
	targets = user_targets(call);
	for (guint t = 0; t < targets->len; t++) {
		const struct user_target *target = targets->pdata[t];

		for (guint i = 0; i < target->files->len; i++) {
			struct search s = { .call = call,
					    .target = target,
					    .path = target->files->pdata[i] };
			const char *why;

			s.file = user_target_file(call, s.path->host, &why);
			if (s.file) {
				added += resolve_file(&s, comp);
				last = s;
			} else {
				refuse_file(&s, why, targets->len > 1 || target->files->len > 1);
			}
		}
	}
	if (last.file && !added)
		uprobe_diag_report(call, last.file, last.path->target, comp);
	g_ptr_array_unref(targets);
}

static void emit_exits(GString *out, const struct rt_uprobe *row)
{
	g_string_append_printf(out, ", .nexits = %u, .exits = (const struct rt_exit[]){",
			       row->nexits);
	for (u32 i = 0; i < row->nexits; i++)
		g_string_append_printf(out, "%s{ 0x%llx, %u }", i ? ", " : " ",
				       row->exits[i].offset, row->exits[i].how);
	g_string_append(out, row->nexits ? " }" : " { 0 } }");
}

/* ", .fetch = { ... }", or nothing. */
static void emit_fetch(GString *out, const char *member, const struct rt_fetch *fetch)
{
	if (!fetch->registers && !fetch->npieces)
		return;
	g_string_append_printf(out, ", .%s = { 0x%llx", member, fetch->registers);
	if (fetch->npieces)
		g_string_append(out, ", (const struct rt_piece[]){ ");
	for (guint i = 0; i < fetch->npieces; i++)
		g_string_append_printf(out, "{ \"%s\", %lld, %u }, ", fetch->pieces[i].base,
				       fetch->pieces[i].offset, fetch->pieces[i].bytes);
	if (fetch->npieces)
		g_string_append_printf(out, "}, %u", fetch->npieces);
	g_string_append(out, " }");
}

static void emit_row(GString *out, const struct probe *probe)
{
	const struct rt_uprobe *row = probe->row;
	char *path = row->path ? g_strescape(row->path, NULL) : NULL,
	     *program = row->program ? g_strescape(row->program, NULL) : NULL;

	g_string_append_printf(out, "{ &probes[%u]", probe->index);
	if (path)
		g_string_append_printf(out, ", \"%s\", 0x%llx, 0x%llx", path, row->offset,
				       row->address);
	if (row->semaphore)
		g_string_append_printf(out, ", .semaphore = 0x%llx", row->semaphore);
	if (program)
		g_string_append_printf(out, ", .program = \"%s\"", program);
	if (row->pid)
		g_string_append_printf(out, ", .pid = %d", row->pid);
	if (row->is_return)
		g_string_append(out, ", .is_return = 1");
	if (row->optional)
		g_string_append(out, ", .optional = 1");
	if (row->known_entry &&
	    (probe->capture | (probe->keeper ? probe->keeper->capture : 0)) & RT_CAP_USTACK)
		g_string_append(out, ", .known_entry = 1");
	if (row->aside)
		g_string_append_printf(out, ", .aside = %d", row->aside);
	if (row->stuck)
		g_string_append_printf(out, ", .stuck = \"%s\"", row->stuck);
	if (row->exits)
		emit_exits(out, row);
	if (row->goroutine)
		g_string_append(out, ", .goroutine = 1");
	family_emit_keeper(out, probe);
	emit_fetch(out, "fetch", &probe->fetch);
	if (probe->keeper)
		emit_fetch(out, "keeper_fetch", &probe->keeper->fetch);
	if (probe->counts)
		g_string_append_printf(out, ", .counter = &%s, .step = %lld", probe->counts->cname,
				       (long long)probe->step);
	g_string_append(out, " }");
	g_free(path);
	g_free(program);
}

static int returns(const void *row)
{
	return ((const struct user_site *)row)->row.is_return;
}

static void enter_row(void *row)
{
	struct rt_uprobe *entry = &((struct user_site *)row)->row;

	entry->is_return = 0;
	entry->exits = NULL;
	entry->nexits = 0;
	entry->goroutine = 0;
}

const struct family family_uprobe = {
	.name		= "uprobe",
	.row		= ROW_USER_SITE,
	.patterns	= patterns,
	.resolve	= resolve,
	.row_type	= "struct rt_uprobe",
	.emit_row	= emit_row,
	.returns	= returns,
	.enter_row	= enter_row,
	.row_bytes	= sizeof(struct user_site),
	.runtime	= "uprobe",
};
