// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * variance.c - prints the variance of the values in each line of standard input: "PART:VALUE ...",
 * PART from 0 to 7. Values of a part are added to one aggregate; the parts are merged in ascending
 * order. Run by check-variance.py.
 */
#include "runtime/core/core.h"
#include "runtime/core/stat.h"

#include <stdio.h>
#include <stdlib.h>

#define PARTS 8

static const struct rt_stat_desc desc = { .ops = RT_COUNT | RT_VARIANCE | RT_HIST_LOG |
						 RT_QUANTILES };

int main(void)
{
	struct rt_statval *part[PARTS];
	char *line = NULL, *at;
	size_t room = 0;

	for (int i = 0; i < PARTS; i++)
		part[i] = malloc(agg_bytes(&desc));
	while (getline(&line, &room, stdin) > 0) {
		for (int i = 0; i < PARTS; i++)
			agg_init(part[i], &desc);
		for (at = line; *at && *at != '\n'; at += *at == ' ') {
			unsigned long i = strtoul(at, &at, 10) % PARTS;

			agg_add(part[i], strtoll(at + 1, &at, 10));
		}
		for (int i = 1; i < PARTS; i++)
			agg_merge(part[0], part[i]);
		printf("%lld\n", (long long)agg_by(part[0], RT_BY_VARIANCE));
	}
	for (int i = 0; i < PARTS; i++)
		free(part[i]);
	free(line);
	return 0;
}
