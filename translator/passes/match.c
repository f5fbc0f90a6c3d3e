/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.c - pass match: matches probe points to families, which resolve them to concrete probes.
 *
 * In: PROBE nodes with plain points (pass alias). Out: prog->probes, each with its own body. Knows
 * no family's meaning; `?`, `!` and "did you mean" are the same for all.
 */
#include "translator/passes/match.h"

#include "parser/outline.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/program/options.h"
#include "translator/families/family.h"
#include "translator/families/user_runtime.h"
#include "translator/families/wild.h"
#include "translator/passes/confirm.h"
#include "translator/passes/pass.h"
#include "translator/program/privilege.h"
#include "translator/program/program.h"
#include "translator/tapset/tapset.h"
#include "translator/target_var/perf_counter.h"

#include <stdlib.h>
#include <string.h>

struct request {
	struct program	*prog;
	struct ast_node	*node;		/* AST_PROBE */
	const struct probe_point *point;
	const struct family *family;
	unsigned	added;
	struct diag_sink *sink;
};

static void add_probe(struct family_call *call, const struct family_probe *made)
{
	struct request *r = call->data;
	struct program *prog = r->prog;
	struct probe *p = ast_alloc(prog->ast, sizeof(*p));

	p->family = r->family;
	p->point = ast_strdup(prog->ast, made->point);
	p->written = r->point->written ? r->point->written : p->point;
	p->function = made->function ? ast_strdup(prog->ast, made->function) : NULL;
	p->loc = r->point->loc;
	p->body = ast_copy(prog->ast, r->node->u.probe.body);
	p->condition = r->point->condition ? ast_copy(prog->ast, r->point->condition) : NULL;
	p->locals = g_ptr_array_new();
	p->row = made->row;
	p->place = made->place;
	p->phase = made->phase;
	p->optional = made->optional;
	p->calibrates = made->calibrates;
	p->way = made->way;
	perf_counter_bind(prog, p, r->point, r->sink);
	g_ptr_array_add(prog->probes, p);
	r->added++;
}

static void *alloc(struct family_call *call, size_t bytes)
{
	return ast_alloc(((struct request *)call->data)->prog->ast, bytes);
}

static gint64 define(struct family_call *call, const char *name)
{
	return options_define(((struct request *)call->data)->prog->opt, name, 0);
}

static int event(struct family_call *call, const struct point_comp *text, struct rt_event *made,
		 u64 *period, u64 *hertz)
{
	return perf_counter_event(((struct request *)call->data)->prog, text->string,
				  &text->arg_loc, made, period, hertz, call->diag);
}

/*
 * First words of all patterns, or the words that may follow the matched ones: for "did you mean".
 */
static GPtrArray *words_after(const struct probe_point *point, unsigned matched)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

	for (unsigned f = 0; families[f]; f++)
		for (const struct family_pattern *p = families[f]->patterns; p->text; p++) {
			char **parts = g_strsplit(p->text, ".", -1);
			unsigned same = 0;

			while (same < matched && parts[same] && same < point->ncomps) {
				char *name = g_strndup(parts[same], strcspn(parts[same], "("));
				int equal = !strcmp(name, point->comps[same].name);

				g_free(name);
				if (!equal)
					break;
				same++;
			}
			if (same == matched && parts[matched]) {
				char *word =
					g_strndup(parts[matched], strcspn(parts[matched], "("));

				if (g_ptr_array_find_with_equal_func(words, word, g_str_equal,
								     NULL))
					g_free(word);
				else
					g_ptr_array_add(words, word);
			}
			g_strfreev(parts);
		}
	return words;
}

/* The kind of argument that patterns have after the matched words and the point's next word. */
static const char *argument_of(const struct probe_point *point, unsigned matched)
{
	unsigned kinds = 0;

	for (unsigned f = 0; families[f]; f++)
		for (const struct family_pattern *p = families[f]->patterns; p->text; p++) {
			char **parts = g_strsplit(p->text, ".", -1);
			size_t len = strlen(point->comps[matched].name);

			if (g_strv_length(parts) > matched &&
			    !strncmp(parts[matched], point->comps[matched].name, len))
				kinds |= !strcmp(parts[matched] + len, "(s)") ? 1
					 : !strcmp(parts[matched] + len, "(n)") ? 2
					 : !parts[matched][len] ? 4
					 : 0;
			g_strfreev(parts);
		}
	return kinds == 1 ? "takes a string, e.g. (\"name\")"
	       : kinds == 2 ? "takes a number, e.g. (1)"
	       : kinds == 4 ? "takes no argument"
	       : kinds == 6 ? "takes a number, or nothing"
	       : "takes another argument";
}

/* No family's pattern begins with that word: suggests a similar alias of the library. */
static int suggest_alias(struct program *prog, const struct probe_point *point)
{
	GPtrArray *all = g_ptr_array_new(), *names = g_ptr_array_new();
	GString *written = g_string_new(point->comps[0].name);
	char *similar;

	for (unsigned i = 1; i < point->ncomps; i++)
		g_string_append_printf(written, ".%s", point->comps[i].name);
	library_names(prog, OUTLINE_ALIAS, all);
	for (unsigned i = 0; i < all->len; i++)
		if (!strstr(all->pdata[i], "__"))
			g_ptr_array_add(names, all->pdata[i]);
	similar = diag_similar(written->str, names, 5);
	if (similar) {
		char *text = g_strdup_printf(" (similar: %s)", similar);

		diag(prog->ast->diag, &point->comps[0].loc, D_POINT_MISMATCH, text);
		diag_suggest(prog->ast->diag, written->str, similar);
		g_free(text);
	}
	g_free(similar);
	g_string_free(written, TRUE);
	g_ptr_array_unref(names);
	g_ptr_array_unref(all);
	return similar != NULL;
}

/* Probe points of SystemTap that there are not here: why, and what to use. NULL: another word. */
static const char *why_absent(const char *word)
{
	static const char *const absent[][2] = {
		{ "java", "Java methods need Byteman's agent in the JVM; the JVM has marks of its own: "
			  "process(\"libjvm.so\").mark(\"*\")" },
		{ "python2", "that Python tells nobody of its calls" },
		{ "python3", "Python functions are no symbols; an interpreter that has marks tells of them: "
			     "process(\"python3\").mark(\"function__entry\")" },
		{ "debuginfod", "name the program, process(\"PATH\"); --download-debuginfo asks servers" },
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(absent); i++)
		if (!strcmp(word, absent[i][0]))
			return absent[i][1];
	return NULL;
}

static void report_mismatch(struct program *prog, const struct probe_point *point, unsigned matched)
{
	GPtrArray *words = words_after(point, matched);
	const struct point_comp *comp = matched < point->ncomps ? &point->comps[matched] : NULL;
	char *similar = NULL, *text = NULL;
	int known;

	if (comp)
		similar = diag_similar(comp->name, words, 5);
	known = comp && g_ptr_array_find_with_equal_func(words, comp->name, g_str_equal, NULL);
	if (!matched && comp && why_absent(comp->name)) {
		diag(prog->ast->diag, &comp->loc, D_POINT_MISMATCH, "");
		diag_hint(prog->ast->diag, "%s", why_absent(comp->name));
		g_free(similar);
		g_ptr_array_free(words, TRUE);
		return;
	}
	if (comp && !matched && !known && !diag_is_close(comp->name, similar) &&
	    suggest_alias(prog, point)) {
		g_free(similar);
		g_ptr_array_free(words, TRUE);
		return;
	}
	if (similar && known) {
		text = g_strdup_printf(" ('%s' %s)", comp->name, argument_of(point, matched));
	} else if (similar) {
		text = g_strdup_printf(" (similar: %s)", similar);
	} else if (words->len) {
		g_ptr_array_add(words, NULL);
		similar = g_strjoinv(", ", (char **)words->pdata);
		text = g_strdup_printf(" (%s: %s)", comp ? "expected" : "follow", similar);
	}
	diag(prog->ast->diag, comp ? &comp->loc : &point->loc, D_POINT_MISMATCH, text ? text : "");
	if (comp && !known)
		diag_suggest(prog->ast->diag, comp->name, similar);
	g_free(text);
	g_free(similar);
	g_ptr_array_free(words, TRUE);
}

static int has_instructions(const struct program *prog)
{
	int has = 0;

	for (unsigned i = 0; i < prog->probes->len; i++)
		has |= ((const struct probe *)prog->probes->pdata[i])->way & RT_WAY_INSTRUCTIONS;
	return has;
}

/* Resolves one point and returns the number of its probes. Reports through sink. */
static unsigned resolve(struct program *prog, struct ast_node *node,
			const struct probe_point *point, struct diag_sink *sink)
{
	struct request r = { prog, node, point, NULL, 0, sink };
	struct family_call call = { .point = point,
				    .info = prog->info,
				    .arch = prog->arch ? prog->arch : "",
				    .user = prog->opt->runtime == RUNTIME_USER,
				    .guru = prog->opt->guru,
				    .diag = sink,
				    .instructions = prog->opt->returns == RETURNS_INSTRUCTIONS,
				    .addresses = prog->opt->returns == RETURNS_ADDRESSES,
				    .has_instructions = has_instructions(prog),
				    .sysroot = prog->opt->sysroot,
				    .command = prog->opt->command,
				    .pid = prog->opt->pid,
				    .add = add_probe,
				    .define = define,
				    .event = event,
				    .alloc = alloc,
				    .data = &r };
	unsigned matched = 0, errors = sink->errors;

	call.pattern = family_match(point, &r.family, &matched);
	if (!call.pattern) {
		if (!point->optional && !point->sufficient)
			report_mismatch(prog, point, matched);
		return 0;
	}
	if (prog->opt->runtime == RUNTIME_USER && r.family->no_user) {
		user_runtime_refuse(sink, point, r.family->no_user);
		return 0;
	}
	if (privilege_is_user(prog) && !r.family->unprivileged) {
		diag(sink, &point->loc, D_POINT_PRIVILEGE, prog->opt->privilege);
		return 0;
	}
	r.family->resolve(&call);
	confirm_many(prog->opt, sink, point, r.added);
	if (!r.added && sink->errors == errors && !point->optional && !point->sufficient)
		diag(sink, &point->comps[0].loc, D_POINT_MISMATCH, ": no match");
	return r.added;
}

/* Resolves an optional point: discards its messages. */
static unsigned resolve_quietly(struct program *prog, struct ast_node *node,
				const struct probe_point *point)
{
	char *text = NULL;
	size_t len = 0;
	FILE *nowhere = open_memstream(&text, &len);
	struct diag_sink quiet;
	unsigned added;

	diag_init(&quiet, nowhere);
	added = resolve(prog, node, point, &quiet);
	diag_clear(&quiet);
	fclose(nowhere);
	free(text);
	return added;
}

/*
 * Resolves the families' points that a wildcard matches. Points without probes report nothing,
 * unless there is only one.
 */
static unsigned resolve_wild(struct program *prog, struct ast_node *node,
			     const struct probe_point *point, int quiet)
{
	GPtrArray *named = g_ptr_array_new();
	unsigned added = 0, n = family_wild(prog->ast, point, named);

	for (unsigned i = 0; i < n; i++)
		added += quiet || n > 1 ? resolve_quietly(prog, node, named->pdata[i])
					: resolve(prog, node, named->pdata[i], prog->ast->diag);
	if (!n && !quiet)
		resolve(prog, node, point, prog->ast->diag);
	else if (!added && !quiet && n > 1)
		diag(prog->ast->diag, &point->comps[0].loc, D_POINT_MISMATCH, ": no match");
	g_ptr_array_unref(named);
	return added;
}

static unsigned resolve_point(struct program *prog, struct ast_node *node,
			      const struct probe_point *point)
{
	int quiet = point->optional || point->sufficient;

	if (point_has_wildcard(point))
		return resolve_wild(prog, node, point, quiet);
	return quiet ? resolve_quietly(prog, node, point)
		     : resolve(prog, node, point, prog->ast->diag);
}

static int has_turn(const struct probe_turn *turn)
{
	for (; turn; turn = turn->outer)
		if (turn->place >= turn->list->end)
			return 0;
	return 1;
}

/*
 * A point of node has a probe: skips the rest of the lists in which the point, or its alias, is
 * sufficient ('!').
 */
static void settle(struct ast_node *node, const struct probe_point *point)
{
	for (const struct probe_turn *turn = node->u.probe.turn; turn; turn = turn->outer)
		if (turn->sufficient || (turn == node->u.probe.turn && point->sufficient))
			turn->list->end = turn->place + 1;
}

/* Points after a sufficient one are skipped, which is not an error. */
static void match_probe(struct program *prog, struct ast_node *node)
{
	int over = !has_turn(node->u.probe.turn);

	for (unsigned i = 0; i < node->u.probe.npoints; i++) {
		const struct probe_point *point = &node->u.probe.points[i];
		int gave = !over && resolve_point(prog, node, point);

		if (gave)
			settle(node, point);
		else if (!over && point->part)
			g_hash_table_add(prog->refused, (void *)point->written);
		if (point->named)
			point->named->settled |= gave || over;
		over |= gave && point->sufficient;
	}
}

/*
 * An alias's points are often optional; if none of them exists, the first one reports why, for the
 * point that uses the alias.
 */
static void report_unsettled(struct program *prog, struct ast_node *node)
{
	for (unsigned i = 0; i < node->u.probe.npoints; i++) {
		struct probe_point point = node->u.probe.points[i];

		if (!point.named || point.named->optional || point.named->settled)
			continue;
		point.optional = point.sufficient = 0;
		resolve_point(prog, node, &point);
		point.named->settled = 1;
	}
}

void match_file(struct program *prog, struct ast_node *file)
{
	for (unsigned i = 0; i < file->u.list.n; i++)
		if (file->u.list.at[i]->kind == AST_PROBE)
			match_probe(prog, file->u.list.at[i]);
	for (unsigned i = 0; i < file->u.list.n; i++)
		if (file->u.list.at[i]->kind == AST_PROBE)
			report_unsettled(prog, file->u.list.at[i]);
}

/* Reports why a part of an alias is refused. 0: it has none of the kind. */
static int report_part(struct program *prog, struct ast_node *node)
{
	unsigned errors = prog->ast->diag->errors;

	for (unsigned i = 0; i < node->u.probe.npoints; i++) {
		struct probe_point point = node->u.probe.points[i];

		if (!point.part || !g_hash_table_contains(prog->refused, point.written))
			continue;
		point.optional = point.sufficient = 0;
		resolve_point(prog, node, &point);
		if (prog->ast->diag->errors > errors)
			return 1;
	}
	return 0;
}

/* Reports why one of the aliases that were left out cannot be probed. 0: there is none. */
static int report_refused(struct program *prog)
{
	for (unsigned i = 0; i < prog->ast->files->len; i++) {
		const struct ast_list *nodes = &((struct ast_node *)prog->ast->files->pdata[i])->u.list;

		for (unsigned k = 0; k < nodes->n; k++)
			if (nodes->at[k]->kind == AST_PROBE && report_part(prog, nodes->at[k]))
				return 1;
	}
	return 0;
}

/* All points were optional and none exists, so that nothing has been reported yet. */
static void report_none(struct program *prog)
{
	if (report_refused(prog))
		return;
	diag(prog->ast->diag, NULL, D_NO_PROBES);
	diag_hint(prog->ast->diag, "nothing is there of what it probes");
}

/*
 * An alias is probed as a whole, or not at all: where one of its points is refused, an optional one
 * (and each of a wildcard's) is left out, and a list does not have it.
 */
static void drop_refused(struct program *prog)
{
	for (unsigned i = 0; i < prog->probes->len;) {
		const struct probe *p = prog->probes->pdata[i];

		if (g_hash_table_contains(prog->refused, p->written))
			g_ptr_array_remove_index(prog->probes, i);
		else
			i++;
	}
}

void pass_match(struct program *prog)
{
	for (unsigned i = 0; i < prog->ast->files->len; i++)
		match_file(prog, prog->ast->files->pdata[i]);
	drop_refused(prog);
	if (!prog->probes->len && !prog->ast->diag->errors)
		report_none(prog);
	program_number(prog);
}
