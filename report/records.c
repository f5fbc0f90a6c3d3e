/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records.c - see records.h.
 */
#include "report/records.h"

#include "lib/failure_error.h"

#include <string.h>

/* ---- texts ---------------------------------------------------------------------*/

static const struct profile_image *image_of(const struct profile *p, guint32 place)
{
	return PROFILE_AT(p->images, image, PROFILE_AT(p->places, place, place)->image);
}

static void append_offset(GString *to, guint64 offset)
{
	g_string_append_printf(to, "+0x%" G_GINT64_MODIFIER "x", offset);
}

/* Without a function: the place in its file; without a file, the address. */
void record_function_text(GString *to, const struct profile *p, guint32 place)
{
	const struct profile_function *f = profile_function_of(p, place);
	const struct profile_image *image = image_of(p, place);
	const char *base = strrchr(image->path, '/');
	guint64 offset = PROFILE_AT(p->places, place, place)->offset;

	if (f)
		g_string_append(to, f->name);
	else if (base)
		append_offset(g_string_append(to, base + 1), offset);
	else
		g_string_append_printf(to, "0x%" G_GINT64_MODIFIER "x", offset);
}

/* back: bytes from the place to the address. */
static void append_address(GString *to, const struct profile *p, guint32 place, guint64 back)
{
	const struct profile_function *f = profile_function_of(p, place);
	guint64 offset = PROFILE_AT(p->places, place, place)->offset + back;

	record_function_text(to, p, place);
	if (f && offset != f->start)
		append_offset(to, offset - f->start);
}

/* The kernel and its modules, [kernel] in captures, by their names. */
static void append_image(GString *to, const struct profile *p, guint32 place)
{
	const struct profile_image *image = image_of(p, place);
	gsize n = strlen(image->path);

	if (image->kind == IMAGE_KERNEL && n > 2 && *image->path == '[')
		g_string_append_len(to, image->path + 1, (gssize)n - 2);
	else
		g_string_append(to, image->path);
}

static void append_symbol(GString *to, const struct profile *p, guint32 place)
{
	const struct profile_function *f = profile_function_of(p, place);

	record_function_text(to, p, place);
	if (!f)
		return;
	append_offset(to, PROFILE_AT(p->places, place, place)->offset - f->start);
	g_string_append_printf(to, "/0x%" G_GINT64_MODIFIER "x [", f->size);
	append_image(to, p, place);
	g_string_append_c(to, ']');
}

static void append_line(GString *to, const struct profile *p, guint32 place,
			enum column_kind kind)
{
	guint n = 0;
	const struct profile_line *line = profile_lines_of(p, place, &n);

	if (!n)
		g_string_append(to, "(no line)");
	else if (kind == COLUMN_FILE)
		g_string_append(to, line->file);
	else if (kind == COLUMN_LINE)
		g_string_append_printf(to, "%u", line->line);
	else
		g_string_append_printf(to, "%s:%u", line->file, line->line);
}

void record_stack_text(GString *to, const struct profile *p, guint32 node)
{
	GArray *frames = g_array_new(FALSE, FALSE, sizeof(guint32));

	for (; node != PROFILE_NONE; node = PROFILE_AT(p->nodes, node, node)->parent)
		g_array_append_val(frames, PROFILE_AT(p->nodes, node, node)->place);
	for (guint i = frames->len; i-- > 0; ) {
		gsize at = to->len;

		record_function_text(to, p, g_array_index(frames, guint32, i));
		g_strdelimit(to->str + at, ";", ':');
		if (i)
			g_string_append_c(to, ';');
	}
	g_array_free(frames, TRUE);
}

static void append_place(GString *to, const struct profile *p, guint32 place,
			 enum column_kind kind)
{
	switch (kind) {
	case COLUMN_FUNCTION:
		record_function_text(to, p, place);
		break;
	case COLUMN_SYMBOL:
		append_symbol(to, p, place);
		break;
	case COLUMN_IMAGE:
		append_image(to, p, place);
		break;
	case COLUMN_FILE:
	case COLUMN_LINE:
	case COLUMN_SOURCE:
		append_line(to, p, place, kind);
		break;
	default:
		append_address(to, p, place, kind == COLUMN_RETURN);
	}
}

static void append_value(GString *to, const struct profile *p, enum column_kind kind, gint64 value)
{
	if (kind == COLUMN_NUMBER)
		g_string_append_printf(to, "%" G_GINT64_FORMAT, value);
	else if (kind == COLUMN_TEXT)
		g_string_append(to, p->texts->pdata[value]);
	else if (!value)		/* an empty stack; the address 0 */
		g_string_append(to, kind == COLUMN_STACK || kind == COLUMN_IMAGE ? "" : "0x0");
	else if (kind == COLUMN_STACK)
		record_stack_text(to, p, (guint32)value - 1);
	else
		append_place(to, p, (guint32)value - 1, kind);
}

static const struct profile_thread *thread_of(const struct profile *p,
					      const struct profile_record *r)
{
	return PROFILE_AT(p->threads, thread, r->thread);
}

static const struct profile_process *process_of(const struct profile *p,
						const struct profile_record *r)
{
	return PROFILE_AT(p->processes, process, thread_of(p, r)->process);
}

/* A fact that is a number. */
static guint64 fact_of(const struct profile *p, const struct profile_record *r,
		       enum record_fact fact)
{
	switch (fact) {
	case FACT_TIME:	return r->time - p->start;
	case FACT_CPU:	return r->cpu;
	case FACT_TID:	return (guint32)thread_of(p, r)->tid;
	default:	return (guint32)process_of(p, r)->pid;
	}
}

static gint64 value_of(const struct profile *p, const struct profile_record *r, guint32 column)
{
	return g_array_index(p->values, gint64,
			     r->first + column - PROFILE_AT(p->calls, call, r->call)->first);
}

/* The column of a record; NULL: its call has none. */
static const struct profile_column *column_of(const struct profile *p,
					      const struct profile_record *r,
					      const struct record_key *key, gint64 *value)
{
	guint32 column = key->column[r->call];

	if (column == PROFILE_NONE)
		return NULL;
	*value = value_of(p, r, column);
	return PROFILE_AT(p->columns, column, column);
}

void record_column_text(GString *to, const struct profile *p, const struct profile_record *r,
			guint32 i)
{
	guint32 column = PROFILE_AT(p->calls, call, r->call)->first + i;

	append_value(to, p, PROFILE_AT(p->columns, column, column)->kind, value_of(p, r, column));
}

void record_interval_text(GString *to, guint64 n, const struct record_key *key)
{
	g_string_append_printf(to, "%.6f", (double)(n * key->interval) / 1e9);
}

void record_text(GString *to, const struct profile *p, const struct profile_record *r,
		 const struct record_key *key)
{
	const struct profile_column *column;
	gint64 value;

	if (key->fact == FACT_PROBE) {
		g_string_append(to, r->probe < p->probes->len ? p->probes->pdata[r->probe] : "-");
	} else if (key->fact == FACT_INTERVAL) {
		record_interval_text(to, (r->time - p->start) / key->interval, key);
	} else if (key->fact == FACT_PROGRAM) {
		g_string_append(to, process_of(p, r)->name);
	} else if (key->fact != FACT_COLUMN) {
		g_string_append_printf(to, "%" G_GUINT64_FORMAT, fact_of(p, r, key->fact));
	} else {
		column = column_of(p, r, key, &value);
		if (column)
			append_value(to, p, key->view ? key->view : column->kind, value);
		else
			g_string_append_c(to, '-');
	}
}

int record_has(const struct profile_record *r, const struct record_key *key)
{
	return key->fact != FACT_COLUMN || key->column[r->call] != PROFILE_NONE;
}

int record_key_is_number(const struct profile *p, const struct record_key *key)
{
	if (key->fact != FACT_COLUMN)
		return key->fact < FACT_PROGRAM;
	for (guint i = 0; !key->view && i < p->calls->len; i++)
		if (key->column[i] != PROFILE_NONE &&
		    PROFILE_AT(p->columns, column, key->column[i])->kind == COLUMN_NUMBER)
			return 1;
	return 0;
}

int record_number(const struct profile *p, const struct profile_record *r,
		  const struct record_key *key, gint64 *value)
{
	const struct profile_column *column;

	if (key->fact >= FACT_PROGRAM)
		return 0;
	if (key->fact != FACT_COLUMN) {
		*value = (gint64)fact_of(p, r, key->fact);
		return 1;
	}
	column = column_of(p, r, key, value);
	return column && column->kind == COLUMN_NUMBER;
}

/* ---- keys ----------------------------------------------------------------------*/

static int find_named(const struct profile *p, struct record_key *key)
{
	int found = 0;

	for (guint i = 0; i < p->calls->len; i++) {
		const struct profile_call *call = PROFILE_AT(p->calls, call, i);

		for (guint32 c = call->first; c < call->first + call->n; c++)
			if (!strcmp(PROFILE_AT(p->columns, column, c)->name, key->name)) {
				key->column[i] = c;
				found = 1;
			}
	}
	return found;
}

/* The key is called as the columns are, if all calls' are called the same. */
static int find_numbered(const struct profile *p, struct record_key *key)
{
	char *end;
	guint64 n = g_ascii_strtoull(key->name, &end, 10);
	const char *name = NULL;
	int same = 1;

	if (*end || !n)
		return 0;
	for (guint i = 0; i < p->calls->len; i++) {
		const struct profile_call *call = PROFILE_AT(p->calls, call, i);

		if (n > call->n)
			continue;
		key->column[i] = call->first + (guint32)n - 1;
		same &= !g_strcmp0(name ? name : PROFILE_AT(p->columns, column, key->column[i])->name,
				   PROFILE_AT(p->columns, column, key->column[i])->name);
		name = PROFILE_AT(p->columns, column, key->column[i])->name;
	}
	if (name && same) {
		g_free(key->name);
		key->name = g_strdup(name);
	}
	return name != NULL;
}

const char *const record_facts[] = { "time", "cpu", "tid", "pid", "program", "probe", NULL };

static int find_fact(struct record_key *key)
{
	for (guint i = 0; record_facts[i]; i++)
		if (!strcmp(key->name, record_facts[i]))
			key->fact = i + 1;
	return key->fact != FACT_COLUMN;
}

/* What can be said about a call's first address. */
static int find_view(const struct profile *p, struct record_key *key)
{
	static const struct { const char *name; enum column_kind view; } views[] = {
		{ "ip", COLUMN_ADDRESS },	{ "address", COLUMN_ADDRESS },
		{ "function", COLUMN_FUNCTION }, { "symbol", COLUMN_SYMBOL },
		{ "image", COLUMN_IMAGE },	{ "line", COLUMN_SOURCE },
		{ "file", COLUMN_FILE },
	};
	int found = 0;

	for (guint i = 0; i < G_N_ELEMENTS(views); i++)
		if (!strcmp(key->name, views[i].name))
			key->view = views[i].view;
	for (guint i = 0; key->view && i < p->calls->len; i++) {
		const struct profile_call *call = PROFILE_AT(p->calls, call, i);

		for (guint32 c = call->first + call->n; c-- > call->first; )
			if (PROFILE_AT(p->columns, column, c)->kind >= COLUMN_ADDRESS) {
				key->column[i] = c;
				found = 1;
			}
	}
	return found;
}

static void add_once(GPtrArray *names, const char *name)
{
	if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
		g_ptr_array_add(names, (char *)name);
}

static void unknown(const struct profile *p, const char *name, GError **error)
{
	GPtrArray *names = g_ptr_array_new();
	char *known;

	for (guint i = 0; i < p->columns->len; i++)
		add_once(names, PROFILE_AT(p->columns, column, i)->name);
	for (guint i = 0; record_facts[i]; i++)
		add_once(names, record_facts[i]);
	g_ptr_array_add(names, NULL);
	known = g_strjoinv(", ", (char **)names->pdata);
	g_set_error(error, FAILURE_ERROR, FAILURE_NAME_UNKNOWN, "unknown column '%s' (columns: %s)",
		    name, known);
	g_free(known);
	g_ptr_array_unref(names);
}

struct record_key *record_key_new(const struct profile *p, const char *name, GError **error)
{
	struct record_key *key = g_new0(struct record_key, 1);

	key->name = g_strdup(name);
	key->column = g_new(guint32, p->calls->len + 1);
	for (guint i = 0; i < p->calls->len; i++)
		key->column[i] = PROFILE_NONE;
	if (find_named(p, key) || find_numbered(p, key) || find_fact(key) || find_view(p, key))
		return key;
	unknown(p, name, error);
	record_key_free(key);
	return NULL;
}

struct record_key *record_key_interval(guint64 interval)
{
	struct record_key *key = g_new0(struct record_key, 1);

	key->name = g_strdup("interval");
	key->fact = FACT_INTERVAL;
	key->interval = interval;
	return key;
}

void record_key_free(struct record_key *key)
{
	if (!key)
		return;
	g_free(key->name);
	g_free(key->column);
	g_free(key);
}

GPtrArray *record_keys_parse(const struct profile *p, const char *list, GError **error)
{
	GPtrArray *keys = g_ptr_array_new_with_free_func((GDestroyNotify)record_key_free);
	char **names = g_strsplit(list, ",", 0);
	struct record_key *key = NULL;

	for (char **name = names; *name; name++) {
		key = record_key_new(p, *name, error);
		if (!key)
			break;
		g_ptr_array_add(keys, key);
	}
	g_strfreev(names);
	if (key)
		return keys;
	g_ptr_array_unref(keys);
	return NULL;
}

/* ---- conditions ----------------------------------------------------------------*/

enum comparison { IS, IS_NOT, AT_MOST, AT_LEAST, BELOW, ABOVE, MATCHES };

struct record_where {
	struct record_key *key;
	enum comparison	how;
	char		*text;		/* what is compared with */
	gint64		number;
	int		is_number;
	GRegex		*pattern;
};

static int bad_where(const char *text, GError **error)
{
	g_set_error(error, FAILURE_ERROR, FAILURE_OPTION_VALUE,
		    "'%s' is no condition: expected COLUMN, one of == != < <= > >= =~, and a number or a \"text\"",
		    text);
	return -1;
}

/* The value behind the operator: a number, or a text, in quotes or not. */
static int take_operand(struct record_where *w, char *value, GError **error)
{
	gsize n = strlen(value);
	char *end;

	w->number = g_ascii_strtoll(value, &end, 0);
	w->is_number = *value && !*end;
	if (n >= 2 && *value == '"' && value[n - 1] == '"') {
		value[n - 1] = 0;
		value++;
	}
	w->text = g_strdup(value);
	if (w->how != MATCHES)
		return 0;
	w->pattern = g_regex_new(w->text, 0, 0, error);
	return w->pattern ? 0 : -1;
}

static int take_where(const struct profile *p, struct record_where *w, const char *text,
		      GError **error)
{
	static const char *const operators[] = { "==", "!=", "<=", ">=", "<", ">", "=~" };
	const char *at = strpbrk(text, "=!<>");
	char *name, *value;
	guint i = 0;
	int rc;

	while (at && i < G_N_ELEMENTS(operators) && !g_str_has_prefix(at, operators[i]))
		i++;
	if (!at || i == G_N_ELEMENTS(operators))
		return bad_where(text, error);
	w->how = i;
	name = g_strstrip(g_strndup(text, (gsize)(at - text)));
	value = g_strstrip(g_strdup(at + strlen(operators[i])));
	w->key = record_key_new(p, name, error);
	rc = w->key ? take_operand(w, value, error) : -1;
	g_free(name);
	g_free(value);
	return rc;
}

struct record_where *record_where_parse(const struct profile *p, const char *text, GError **error)
{
	struct record_where *w = g_new0(struct record_where, 1);

	if (!take_where(p, w, text, error))
		return w;
	record_where_free(w);
	return NULL;
}

static int compare(enum comparison how, int order)
{
	switch (how) {
	case IS:	return !order;
	case IS_NOT:	return order != 0;
	case AT_MOST:	return order <= 0;
	case AT_LEAST:	return order >= 0;
	case BELOW:	return order < 0;
	default:	return order > 0;
	}
}

int record_passes(const struct profile *p, const struct profile_record *r,
		  const struct record_where *w)
{
	GString *text;
	gint64 value;
	int passes;

	if (!w)
		return 1;
	if (w->is_number && w->how != MATCHES && record_number(p, r, w->key, &value))
		return compare(w->how, (value > w->number) - (value < w->number));
	text = g_string_new(NULL);
	record_text(text, p, r, w->key);
	passes = w->pattern ? g_regex_match(w->pattern, text->str, 0, NULL)
			    : compare(w->how, strcmp(text->str, w->text));
	g_string_free(text, TRUE);
	return passes;
}

void record_where_free(struct record_where *w)
{
	if (!w)
		return;
	record_key_free(w->key);
	g_free(w->text);
	if (w->pattern)
		g_regex_unref(w->pattern);
	g_free(w);
}

/* ---- samples -------------------------------------------------------------------*/

/* The first column of a call that is a stack, else its first address; PROFILE_NONE: it has neither. */
static guint32 column_of_stack(const struct profile *p, const struct profile_call *call)
{
	guint32 address = PROFILE_NONE;

	for (guint32 c = call->first; c < call->first + call->n; c++) {
		enum column_kind kind = PROFILE_AT(p->columns, column, c)->kind;

		if (kind == COLUMN_STACK)
			return c;
		if (kind >= COLUMN_ADDRESS && address == PROFILE_NONE)
			address = c;
	}
	return address;
}

/* A stack of that place alone. */
static guint32 node_of_place(struct profile *p, guint32 place, GHashTable *nodes)
{
	gpointer known = g_hash_table_lookup(nodes, GUINT_TO_POINTER(place));
	struct profile_node node = { .parent = PROFILE_NONE, .place = place, .depth = 1 };

	if (known)
		return GPOINTER_TO_UINT(known) - 1;
	g_array_append_val(p->nodes, node);
	g_hash_table_insert(nodes, GUINT_TO_POINTER(place), GUINT_TO_POINTER(p->nodes->len));
	return p->nodes->len - 1;
}

/* True if one of the columns that a key names holds stacks or addresses. */
static int holds_places(const struct profile *p, const struct record_key *key)
{
	for (guint i = 0; key->fact == FACT_COLUMN && i < p->calls->len; i++)
		if (key->column[i] != PROFILE_NONE &&
		    PROFILE_AT(p->columns, column, key->column[i])->kind >= COLUMN_STACK)
			return 1;
	return 0;
}

static struct record_key *stack_key(const struct profile *p, const char *name, GError **error)
{
	struct record_key *key = record_key_new(p, name, error);

	if (!key || holds_places(p, key))
		return key;
	g_set_error(error, FAILURE_ERROR, FAILURE_OPTION_VALUE,
		    "--stack %s: expected a column of stacks or addresses", name);
	record_key_free(key);
	return NULL;
}

/* The column whose stack a record stands for. */
static guint32 chosen_stack(const struct profile *p, guint32 call, const struct record_key *key)
{
	guint32 column = key ? key->column[call] : column_of_stack(p, PROFILE_AT(p->calls, call, call));

	if (column == PROFILE_NONE || PROFILE_AT(p->columns, column, column)->kind < COLUMN_STACK)
		return PROFILE_NONE;
	return column;
}

int records_to_samples(struct profile *p, const char *stack, GError **error)
{
	struct profile_event event = { .period = 1 };
	struct record_key *key = NULL;
	GHashTable *nodes;

	if (!p->calls->len || p->events->len)
		return 0;
	if (stack && !(key = stack_key(p, stack, error)))
		return -1;
	nodes = g_hash_table_new(NULL, NULL);
	event.name = g_strdup("records");
	g_array_append_val(p->events, event);
	for (guint i = 0; i < p->records->len; i++) {
		const struct profile_record *r = PROFILE_AT(p->records, record, i);
		guint32 column = chosen_stack(p, r->call, key);
		struct profile_sample s = { .time = r->time,
					    .count = 1,
					    .weight = 1,
					    .thread = r->thread,
					    .cpu = r->cpu,
					    .node = PROFILE_NONE,
					    .phase = PROFILE_NONE };
		gint64 value = column == PROFILE_NONE ? 0 : value_of(p, r, column);

		if (value)
			s.node = PROFILE_AT(p->columns, column, column)->kind == COLUMN_STACK
					 ? (guint32)value - 1
					 : node_of_place(p, (guint32)value - 1, nodes);
		g_array_append_val(p->samples, s);
	}
	g_hash_table_unref(nodes);
	p->books.received = p->records->len;
	p->books.lost = p->books.records_lost;
	p->books.expected = p->books.received + p->books.lost;
	record_key_free(key);
	return 0;
}
