/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.c - see options.h. */
#include "translator/program/options.h"

#include "parser/parse.h"

#include <string.h>

void options_clear(struct options *opt)
{
	g_ptr_array_free(opt->defines, TRUE);
	g_ptr_array_free(opt->globals, TRUE);
	g_ptr_array_free(opt->vm_files, TRUE);
	g_ptr_array_free(opt->more_scripts, TRUE);
	g_ptr_array_free(opt->tapset_folders, TRUE);
}

int options_list(const struct options *opt)
{
	return opt->list_pattern || opt->inventory;
}

static const char *const limits[] = {
#define LIMIT(name) #name,
#include "translator/program/limit.def"
#undef LIMIT
};

GPtrArray *options_limits(void)
{
	GPtrArray *names = g_ptr_array_new();

	for (unsigned i = 0; i < G_N_ELEMENTS(limits); i++)
		g_ptr_array_add(names, (void *)limits[i]);
	return names;
}

gint64 options_define(const struct options *opt, const char *name, gint64 fallback)
{
	size_t len = strlen(name);

	for (unsigned i = opt->defines->len; i-- > 0; ) {
		const char *define = g_ptr_array_index(opt->defines, i);

		if (!strncmp(define, name, len) && (define[len] == '=' || !define[len]))
			return define[len] ? g_ascii_strtoll(define + len + 1, NULL, 0) : 1;
	}
	return fallback;
}

int options_since(const struct options *opt, const char *version)
{
	return strverscmp(opt->compatible ? opt->compatible : PARSE_SYSTEMTAP_V, version) >= 0;
}

gint64 options_maxaction(const struct options *opt)
{
	gint64 masked = options_define(opt, "MAXACTION", 1000);

	if (opt->no_time_limits)
		return G_MAXINT32;
	/* the budget is an s32 */
	return MIN(options_define(opt, "MAXACTION_INTERRUPTIBLE", 10 * masked), G_MAXINT32);
}
