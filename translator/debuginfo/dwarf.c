/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf.c - see dwarf.h: files, functions, inlined copies, lines and labels, by libdw. Variables
 * are in dwarf_var.c.
 *
 * A module's file is relocatable: libdwfl lays out its sections and relocates its DWARF; only
 * symbols and offsets are passed on.
 */
#include "translator/debuginfo/dwarf.h"

#include "lib/foreign.h"
#include "translator/debuginfo/dwarf_call.h"
#include "translator/debuginfo/dwarf_function.h"
#include "translator/debuginfo/dwarf_private.h"
#include "translator/debuginfo/dwarf_symbol.h"
#include "translator/debuginfo/dwarf_type.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Next to the file and below these, by debug link or build ID: libdwfl's own default. */
#define USUAL_FOLDERS	":.debug:/usr/lib/debug"

static int may_ask;	/* may query debuginfod servers */

void dwarf_ask_servers(void)
{
	may_ask = 1;
}

/*
 * Does not use the network unless requested: elfutils would query debuginfod servers and wait for
 * them.
 */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word crc, char **found)
{
	char *urls = g_strdup(g_getenv("DEBUGINFOD_URLS"));
	int fd;

	if (!may_ask)
		g_unsetenv("DEBUGINFOD_URLS");
	fd = dwfl_standard_find_debuginfo(module, data, name, base, file, link, crc, found);
	if (urls)
		g_setenv("DEBUGINFOD_URLS", urls, 1);
	g_free(urls);
	return fd;
}

Dwfl_Module *dwarf_module(const char *path, Dwfl **dwfl)
{
	static char *folders;		/* libdwfl keeps the address */
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf, .find_debuginfo = find_debuginfo,
		.section_address = dwfl_offline_section_address, .debuginfo_path = &folders,
	};
	const char *more = g_getenv("SYSTEMTAP_DEBUGINFO_PATH");
	Dwfl_Module *module;
	int fd = foreign_open(path);

	if (!folders)
		folders = g_strconcat(more ? more : "", more ? ":" : "", USUAL_FOLDERS, NULL);
	*dwfl = dwfl_begin(&callbacks);
	dwfl_report_begin(*dwfl);
	/* On success it owns the descriptor. */
	module = fd >= 0 ? dwfl_report_offline(*dwfl, "target", path, fd) : NULL;
	dwfl_report_end(*dwfl, NULL, NULL);
	if (!module && fd >= 0)
		close(fd);
	return module;
}

struct dwarf *dwarf_open(const char *path, const struct btf *base, const char **why)
{
	struct dwarf *d = g_new0(struct dwarf, 1);

	*why = "it is no file that libdw reads";
	d->module = dwarf_module(path, &d->dwfl);
	if (d->module) {
		Dwarf_Addr bias;

		*why = "it has no DWARF";
		/* relocates .eh_frame of a module */
		dwfl_module_getelf(d->module, &bias);
		d->dw = dwfl_module_getdwarf(d->module, &d->bias);
	}
	d->types = dwarf_types_new(base);
	d->frames = g_ptr_array_new();
	if (d->dw)
		return d;
	dwarf_close(d);
	return NULL;
}

void dwarf_close(struct dwarf *d)
{
	if (!d)
		return;
	dwarf_types_free(d->types);
	dwarf_frames_free(d->frames);
	if (d->inlined)
		g_hash_table_unref(d->inlined);
	if (d->symbols)
		g_array_unref(d->symbols);
	dwfl_end(d->dwfl);
	g_free(d);
}

int dwarf_file_matches(const char *path, const char *wanted)
{
	char *ending;
	int matches;

	if (!wanted || !path)
		return !wanted;
	ending = g_strconcat("*/", wanted, NULL);
	matches = !fnmatch(wanted, path, 0) || !fnmatch(ending, path, 0);
	g_free(ending);
	return matches;
}

/* ---- lines ------------------------------------------------------------------------*/

/* True if line is in lines: "12", "12-15", "3,7-9", "*", "+4". first: the function's first line. */
static int line_wanted(const char *lines, int first, int line)
{
	char **parts = g_strsplit(lines, ",", -1);
	int wanted = 0;

	for (char **p = parts; *p; p++) {
		int low = 0, high = 0, n = sscanf(*p, "%d-%d", &low, &high);

		if (!strcmp(*p, "*"))
			wanted = 1;
		else if (**p == '+')
			wanted |= line == first + atoi(*p + 1);
		else
			wanted |= n == 2 ? line >= low && line <= high : line == low;
	}
	g_strfreev(parts);
	return wanted;
}

struct walk {
	struct dwarf	*d;
	const struct dwarf_query *q;
	GArray		*places;
	Dwarf_Die	*unit;
	GArray		*near;		/* int: lines with code, if requested */
};

/*
 * libdw reads no file table of a split unit (.dwo), and takes file 0 for none, which since DWARF 5
 * is the unit's own: the unit's name is used instead.
 */
const char *dwarf_source(Dwarf_Die *die)
{
	Dwarf_Die unit;
	uint8_t type;
	int known = !dwarf_cu_info(die->cu, NULL, &type, &unit, NULL, NULL, NULL, NULL);
	const char *file = known && type == DW_UT_split_compile ? NULL : dwarf_decl_file(die);

	return file || !known ? file : dwarf_diename(&unit);
}

static int first_line(Dwarf_Die *die)
{
	Dwarf_Die origin = *die;
	Dwarf_Attribute attr;
	int line = 0;

	while (dwarf_attr(&origin, DW_AT_abstract_origin, &attr) &&
	       dwarf_formref_die(&attr, &origin))
		;
	dwarf_decl_line(&origin, &line);
	return line;
}

/* at: DWARF's address, without the bias. */
static void add_place(struct dwarf *d, GArray *places, Dwarf_Die *die, Dwarf_Addr at,
		      const char *file, int line, const char *label)
{
	struct dwarf_place p = { .function = dwarf_diename(die),
				 .line = line,
				 .label = label,
				 .die = die->addr,
				 .inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine };

	p.address = at + d->bias;
	p.file = file ? g_intern_string(strrchr(file, '/') ? strrchr(file, '/') + 1 : file) : "?";
	if (p.function && dwarf_symbol(d, p.address, &p.symbol, &p.offset))
		g_array_append_val(places, p);
}

/* The first of a unit's rows, which libdw sorts by address, at or after the address. */
static size_t row_from(Dwarf_Lines *lines, size_t n, Dwarf_Addr address)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		Dwarf_Addr there;

		if (!dwarf_lineaddr(dwarf_onesrcline(lines, middle), &there) && there < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
	Dwarf_Addr left = 0, right = 0;

	dwarf_lineaddr(*(Dwarf_Line *const *)a, &left);
	dwarf_lineaddr(*(Dwarf_Line *const *)b, &right);
	return left < right ? -1 : left > right;
}

/*
 * The rows that begin a statement in a function or inlined copy, by address. A unit may have
 * thousands of copies: only their own rows are read.
 */
static GPtrArray *statements(Dwarf_Die *unit, Dwarf_Die *die)
{
	GPtrArray *rows = g_ptr_array_new();
	Dwarf_Addr base, begin, end, at;
	Dwarf_Lines *lines;
	ptrdiff_t next = 0;
	size_t n;

	if (dwarf_getsrclines(unit, &lines, &n))
		return rows;
	while ((next = dwarf_ranges(die, next, &base, &begin, &end)) > 0)
		for (size_t i = row_from(lines, n, begin); i < n; i++) {
			Dwarf_Line *row = dwarf_onesrcline(lines, i);
			bool begins, ends;

			if (dwarf_lineaddr(row, &at) || at >= end)
				break;
			if (!dwarf_linebeginstatement(row, &begins) && begins &&
			    !dwarf_lineendsequence(row, &ends) && !ends)
				g_ptr_array_add(rows, row);
		}
	g_ptr_array_sort(rows, compare_rows);
	return rows;
}

/* The first instruction of each requested line in a function or inlined copy. */
static void add_lines(struct walk *w, Dwarf_Die *die)
{
	GHashTable *seen = g_hash_table_new(NULL, NULL);
	GPtrArray *rows = statements(w->unit, die);
	int first = first_line(die);

	for (guint i = 0; i < rows->len; i++) {
		Dwarf_Line *row = rows->pdata[i];
		const char *file = dwarf_linesrc(row, NULL, NULL);
		Dwarf_Addr at;
		int line;

		if (dwarf_lineaddr(row, &at) || dwarf_lineno(row, &line) ||
		    !dwarf_file_matches(file, w->q->file))
			continue;
		if (w->near)
			g_array_append_val(w->near, line);
		else if (line_wanted(w->q->lines, first, line) &&
			 g_hash_table_add(seen, GINT_TO_POINTER(line)))
			add_place(w->d, w->places, die, at, file, line, NULL);
	}
	g_ptr_array_unref(rows);
	g_hash_table_unref(seen);
}

/* ---- functions ----------------------------------------------------------------------*/

/*
 * In DWARF, an arm64 function begins after the instructions reserved for ftrace; their size in
 * bytes, at most.
 */
#define PATCHED_ENTRY 16

static int begins_line(Dwarf_Die *die, Dwarf_Addr at)
{
	Dwarf_Die unit;
	Dwarf_Line *row = dwarf_diecu(die, &unit, NULL, NULL) ? dwarf_getsrc_die(&unit, at) : NULL;
	Dwarf_Addr begin;

	return row && !dwarf_lineaddr(row, &begin) && begin == at;
}

/* The first line of the function, in its own file, that has a statement in this copy of it. */
static int first_statement(Dwarf_Die *die, Dwarf_Addr *at)
{
	Dwarf_Die unit;
	GPtrArray *rows;
	int from = 0, best = 0;
	const char *file = dwarf_source(die);

	if (!file || dwarf_decl_line(die, &from) || !dwarf_diecu(die, &unit, NULL, NULL))
		return 0;
	file = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;	/* one may be relative */
	rows = statements(&unit, die);
	for (guint i = 0; i < rows->len; i++) {
		Dwarf_Line *row = rows->pdata[i];
		Dwarf_Addr address;
		int line;

		if (dwarf_lineno(row, &line) || line < from || (best && line >= best) ||
		    !dwarf_file_matches(dwarf_linesrc(row, NULL, NULL), file) ||
		    dwarf_lineaddr(row, &address))
			continue;
		best = line;
		*at = address;
	}
	g_ptr_array_unref(rows);
	return best > 0;
}

/* The start of the body: an inlined copy may have several ranges, and starts at its entry. */
static int entry_of(Dwarf_Die *die, Dwarf_Addr *at)
{
	Dwarf_Attribute attr;
	Dwarf_Addr base, end;

	if (dwarf_attr(die, DW_AT_entry_pc, &attr)) {
		Dwarf_Word offset;

		if (!dwarf_formaddr(&attr, at))
			return 1;
		if (!dwarf_formudata(&attr, &offset) && dwarf_ranges(die, 0, &base, at, &end) > 0) {
			*at += offset;
			return 1;
		}
	} else if (dwarf_tag(die) == DW_TAG_inlined_subroutine &&
		   (dwarf_lowpc(die, at) || !begins_line(die, *at)) && first_statement(die, at)) {
		/*
		 * Clang names no entry, and the lowest range may begin with padding, which runs at
		 * other times or never.
		 */
		return 1;
	}
	return !dwarf_entrypc(die, at) || dwarf_ranges(die, 0, &base, at, &end) > 0;
}

static int file_of(struct walk *w, Dwarf_Die *die)
{
	return dwarf_file_matches(dwarf_source(die), w->q->file);
}

/*
 * True if a function contains the requested line or is declared there (for listings), or if no line
 * is requested.
 */
static int has_line(struct walk *w, Dwarf_Die *die)
{
	struct walk probe = *w;
	int has;

	if (!w->q->lines || line_wanted(w->q->lines, first_line(die), first_line(die)))
		return 1;
	probe.places = g_array_new(FALSE, FALSE, sizeof(struct dwarf_place));
	probe.near = NULL;
	add_lines(&probe, die);
	has = probe.places->len > 0;
	g_array_unref(probe.places);
	return has;
}

/*
 * gcc may give a function's label an address in the shared part of its inlined copies: use the DIE
 * of the function that contains the address.
 */
static void add_label(struct walk *w, Dwarf_Die *function, Dwarf_Die *label, Dwarf_Addr at)
{
	guint before = w->places->len;
	struct dwarf_place own;
	int line = 0;

	dwarf_decl_line(label, &line);
	add_place(w->d, w->places, function, at, dwarf_source(label), line, dwarf_diename(label));
	if (w->places->len > before && dwarf_haspc(function, at) <= 0 &&
	    dwarf_place_at(w->d, at, &own))
		g_array_index(w->places, struct dwarf_place, before).die = own.die;
}

static void add_labels(struct walk *w, Dwarf_Die *function, Dwarf_Die *die)
{
	Dwarf_Die child;
	Dwarf_Addr at;

	if (dwarf_child(die, &child))
		return;
	do {
		if (dwarf_tag(&child) == DW_TAG_label && dwarf_diename(&child) &&
		    !dwarf_lowpc(&child, &at) && !fnmatch(w->q->label, dwarf_diename(&child), 0))
			add_label(w, function, &child, at);
		else if (dwarf_tag(&child) == DW_TAG_lexical_block)
			add_labels(w, function, &child);
	} while (!dwarf_siblingof(&child, &child));
}

int dwarf_add_entry(struct dwarf *d, GArray *places, Dwarf_Die *die)
{
	guint before = places->len;
	struct dwarf_place *p;
	Dwarf_Addr at;

	if (entry_of(die, &at))
		add_place(d, places, die, at, dwarf_source(die), first_line(die), NULL);
	if (places->len == before)
		return 0;
	p = &g_array_index(places, struct dwarf_place, before);
	if (!p->inlined && p->offset <= PATCHED_ENTRY)
		p->offset = 0;
	return 1;
}

/* The text after the last "::" that is not inside <>. */
static const char *last_name(const char *pattern)
{
	const char *last = pattern;
	int depth = 0;

	for (const char *p = pattern; *p; p++) {
		depth += (*p == '<') - (*p == '>');
		if (!depth && p[0] == ':' && p[1] == ':')
			last = p + 2;
	}
	return last;
}

char *dwarf_scoped_name(Dwarf_Die *die)
{
	GString *name = g_string_new(dwarf_diename(die));
	Dwarf_Die declared = *die, *scopes = NULL;
	Dwarf_Attribute attr;
	int n;

	while ((dwarf_attr(&declared, DW_AT_abstract_origin, &attr) ||
		dwarf_attr(&declared, DW_AT_specification, &attr)) &&
	       dwarf_formref_die(&attr, &declared))
		;
	n = dwarf_getscopes_die(&declared, &scopes);
	for (int i = 1; i < n - 1; i++)
		if (dwarf_diename(&scopes[i])) {
			g_string_prepend(name, "::");
			g_string_prepend(name, dwarf_diename(&scopes[i]));
		}
	free(scopes);
	return g_string_free(name, FALSE);
}

/* "add" matches every "add<...>", and "Box::get" every "Box<...>::get". */
static int is_template(const char *name, const char *pattern)
{
	GString *plain;
	int depth = 0, is;

	if (!strchr(name, '<') || strchr(pattern, '<') || strstr(name, "operator"))
		return 0;
	plain = g_string_new(NULL);
	for (; *name; name++) {
		depth += *name == '<';
		if (!depth)
			g_string_append_c(plain, *name);
		depth -= *name == '>';
	}
	is = !fnmatch(pattern, plain->str, 0);
	g_string_free(plain, TRUE);
	return is;
}

/* True if the plain name or the qualified name ("Class::method") matches. */
static int is_called(Dwarf_Die *die, const char *pattern)
{
	const char *name = dwarf_diename(die), *last = last_name(pattern);
	char *scoped;
	int is;

	if (!name || (fnmatch(last, name, 0) && !is_template(name, last)))
		return 0;
	if (last == pattern)
		return 1;
	scoped = dwarf_scoped_name(die);
	is = !fnmatch(pattern, scoped, 0) || is_template(scoped, pattern);
	g_free(scoped);
	return is;
}

static int is_of_same(Dwarf_Die *die, Dwarf_Die *other)
{
	Dwarf_Attribute attr;
	Dwarf_Die one, two;

	return dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin, &attr), &one) &&
	       dwarf_formref_die(dwarf_attr(other, DW_AT_abstract_origin, &attr), &two) &&
	       dwarf_dieoffset(&one) == dwarf_dieoffset(&two);
}

/*
 * If only a function's beginning is inlined, the rest is another function (NAME.part.0), which may
 * be inlined after it. That is not another call: gcc nests it in the beginning, and gives the
 * function's declaration as its call line and column.
 */
static int is_rest(Dwarf_Die *die, Dwarf_Die *inside_of)
{
	Dwarf_Attribute attr;
	Dwarf_Word line, column;
	int declared_line, declared_column;

	return inside_of && is_of_same(die, inside_of) &&
	       !dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &line) &&
	       !dwarf_formudata(dwarf_attr(die, DW_AT_call_column, &attr), &column) &&
	       !dwarf_decl_line(die, &declared_line) && !dwarf_decl_column(die, &declared_column) &&
	       line == (Dwarf_Word)declared_line && column == (Dwarf_Word)declared_column;
}

/* inside_of: the innermost enclosing function or inlined copy, or NULL. */
static void take_function(struct walk *w, Dwarf_Die *die, Dwarf_Die *inside_of)
{
	int inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;
	Dwarf_Addr at;

	if (!is_called(die, w->q->function) || (w->q->kind != DWARF_LABEL && !entry_of(die, &at)) ||
	    (inlined && is_rest(die, inside_of)))
		return;
	switch (w->q->kind) {
	case DWARF_ENTRY: case DWARF_INLINE:
		if (inlined == (w->q->kind == DWARF_INLINE) && file_of(w, die) && has_line(w, die))
			dwarf_add_entry(w->d, w->places, die);
		break;
	case DWARF_STATEMENT: case DWARF_NEAREST:
		add_lines(w, die);
		break;
	case DWARF_LABEL:
		if (file_of(w, die))
			add_labels(w, die, die);
		break;
	}
}

/*
 * Functions are children of a unit or of a namespace; inlined copies are below them, at any depth.
 */
static void walk_dies(struct walk *w, Dwarf_Die *die, Dwarf_Die *inside_of)
{
	Dwarf_Die child;

	if (dwarf_tag(die) == DW_TAG_subprogram || dwarf_tag(die) == DW_TAG_inlined_subroutine)
		inside_of = die;
	if (dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
			take_function(w, &child, inside_of);
		if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
		    tag == DW_TAG_namespace ||
		    (tag == DW_TAG_subprogram && w->q->kind != DWARF_ENTRY))
			walk_dies(w, &child, inside_of);
	} while (!dwarf_siblingof(&child, &child));
}

/* True if a unit can contain a match: its file list is much cheaper to check than its functions. */
static int unit_has_file(Dwarf_Die *unit, const char *wanted)
{
	Dwarf_Files *files;
	size_t n;

	if (!wanted)
		return 1;
	if (dwarf_getsrcfiles(unit, &files, &n))
		return 0;
	for (size_t i = 0; i < n; i++)
		if (dwarf_file_matches(dwarf_filesrc(files, i, NULL, NULL), wanted))
			return 1;
	return 0;
}

int dwarf_whole_unit(Dwarf_Die *unit, Dwarf_Die *whole)
{
	Dwarf_Die split;
	uint8_t type;

	*whole = *unit;
	if (dwarf_cu_info(unit->cu, NULL, &type, NULL, &split, NULL, NULL, NULL) ||
	    type != DW_UT_skeleton)
		return 1;
	*whole = split;
	return split.cu != NULL;
}

const char *dwarf_missing(struct dwarf *d)
{
	Dwarf_Die *unit = NULL, whole;
	Dwarf_Addr bias;
	Dwarf_Attribute attr;

	while ((unit = dwfl_module_nextcu(d->module, unit, &bias)))
		if (!dwarf_whole_unit(unit, &whole) &&
		    (dwarf_attr(unit, DW_AT_dwo_name, &attr) ||
		     dwarf_attr(unit, DW_AT_GNU_dwo_name, &attr)))
			return dwarf_formstring(&attr);
	return NULL;
}

int dwarf_visit_scope(Dwarf_Die *scope, dwarf_visit_fn *visit, void *data)
{
	Dwarf_Die child;
	int done = 0;

	if (dwarf_child(scope, &child))
		return 0;
	do {
		done = visit(data, &child) || (dwarf_tag(&child) == DW_TAG_namespace &&
					       dwarf_visit_scope(&child, visit, data));
	} while (!done && !dwarf_siblingof(&child, &child));
	return done;
}

int dwarf_visit(struct dwarf *d, dwarf_visit_fn *visit, void *data)
{
	Dwarf_Die *unit = NULL, whole;
	Dwarf_Addr bias;
	int done = 0;

	while (!done && (unit = dwfl_module_nextcu(d->module, unit, &bias)))
		done = dwarf_whole_unit(unit, &whole) && dwarf_visit_scope(&whole, visit, data);
	return done;
}

static void walk_units(struct walk *w)
{
	Dwarf_Addr bias;
	Dwarf_Die *unit = NULL, whole;

	while ((unit = dwfl_module_nextcu(w->d->module, unit, &bias)))
		if (unit_has_file(unit, w->q->file) && dwarf_whole_unit(unit, &whole)) {
			w->unit = unit;
			walk_dies(w, &whole, NULL);
		}
}

static int take_inlined(Dwarf_Die *function, void *names)
{
	if (dwarf_func_inline(function) && dwarf_diename(function))
		g_hash_table_add(names, (char *)dwarf_diename(function));
	return DWARF_CB_OK;
}

int dwarf_inlines(struct dwarf *d, const char *pattern)
{
	Dwarf_Die *unit = NULL, whole;
	GHashTableIter names;
	const char *name;
	Dwarf_Addr bias;

	if (!d->inlined) {
		d->inlined = g_hash_table_new(g_str_hash, g_str_equal);
		while ((unit = dwfl_module_nextcu(d->module, unit, &bias)))
			if (dwarf_whole_unit(unit, &whole))
				dwarf_getfuncs(&whole, take_inlined, d->inlined, 0);
	}
	if (!strpbrk(pattern, "*?["))
		return g_hash_table_contains(d->inlined, pattern);
	g_hash_table_iter_init(&names, d->inlined);
	while (g_hash_table_iter_next(&names, (gpointer *)&name, NULL))
		if (!fnmatch(pattern, name, 0))
			return 1;
	return 0;
}

static int by_source(const void *a, const void *b)
{
	const struct dwarf_place *p = a, *q = b;
	int order = strcmp(p->function, q->function);

	if (!order)
		order = p->line - q->line;
	return order ? order : (p->address > q->address) - (p->address < q->address);
}

void dwarf_sort_places(GArray *places)
{
	g_array_sort(places, by_source);
}

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* The smallest line with code at or after the requested one; 0: none. */
static int line_after(const GArray *lines, int asked)
{
	for (guint i = 0; i < lines->len; i++)
		if (g_array_index(lines, int, i) >= asked)
			return g_array_index(lines, int, i);
	return 0;
}

static GArray *lines_with_code(struct dwarf *d, const struct dwarf_query *query)
{
	struct walk w = { .d = d, .q = query, .near = g_array_new(FALSE, FALSE, sizeof(int)) };

	walk_units(&w);
	g_array_sort(w.near, by_number);
	return w.near;
}

GArray *dwarf_places(struct dwarf *d, const struct dwarf_query *query)
{
	struct dwarf_query q = *query;
	struct walk w = { .d = d,
			  .q = &q,
			  .places = g_array_new(FALSE, FALSE, sizeof(struct dwarf_place)) };
	struct dwarf_place *p = NULL;
	char *nearest = NULL;
	guint kept = 0;

	if (q.kind == DWARF_NEAREST) {
		GArray *lines = lines_with_code(d, query);

		q.lines = nearest = g_strdup_printf("%d", line_after(lines, atoi(query->lines)));
		g_array_unref(lines);
	}
	walk_units(&w);
	dwarf_sort_places(w.places);
	p = (struct dwarf_place *)(void *)w.places->data;
	/* a function may be described in several units */
	for (guint i = 0; i < w.places->len; i++)
		if (!kept || p[i].address != p[kept - 1].address)
			p[kept++] = p[i];
	g_array_set_size(w.places, kept);
	g_free(nearest);
	return w.places;
}

char *dwarf_lines_near(struct dwarf *d, const struct dwarf_query *query)
{
	GArray *lines = lines_with_code(d, query);
	int asked = atoi(query->lines), before = 0, after = line_after(lines, asked);
	char *text = NULL;

	for (guint i = 0; i < lines->len && g_array_index(lines, int, i) < asked; i++)
		before = g_array_index(lines, int, i);
	if (before && after)
		text = g_strdup_printf("%d and %d", before, after);
	else if (before || after)
		text = g_strdup_printf("%d", before ? before : after);
	g_array_unref(lines);
	return text;
}
