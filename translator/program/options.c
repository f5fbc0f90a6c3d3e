// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * options.c - option values that the passes need. It does not parse the command line
 * (driver/command_line.c).
 */
#include "translator/program/options.h"

#include <string.h>

#include "lib/distance.h"
#include "parser/parse.h"

int options_list(const struct options *opt)
{
	return opt->list_pattern || opt->inventory;
}

static const char *const own_defines[] = {
	"HIST_ELISION", "HIST_WIDTH", "KRETACTIVE", "MAP_STRING_LENGTH", "MAXACTION",
	"MAXACTION_INTERRUPTIBLE", "MAXBACKTRACE", "MAXERRORS", "MAXMAPENTRIES", "MAXNESTING",
	"MAXSKIPPED", "MAXSTRINGLEN", "MAXTRYLOCK", "MINSTACKSPACE", "STAP_CALLEE_MATCHALL",
	"STAP_NO_OVERLOAD", "STP_EXECTRACE", "STP_NO_OVERLOAD", "STP_OVERLOAD_INTERVAL",
	"STP_OVERLOAD_THRESHOLD", "STP_PROCFS_BUFSIZE", "TRYLOCKDELAY", NULL
};

/* At most two letters may differ: names of other macros differ more. */
int options_is_own(const char *define, const char **nearest)
{
	g_autofree char *name = g_strndup(define, strcspn(define, "(="));
	unsigned best = 3;
	int own = 0;

	*nearest = NULL;
	for (const char *const *known = own_defines; *known && !own; known++) {
		unsigned distance = edit_distance(name, *known);

		own = !distance;
		if (distance < best) {
			best = distance;
			*nearest = *known;
		}
	}
	return own;
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
