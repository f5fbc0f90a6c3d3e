/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pace_test.c - progress lines for work on many probes. */
#include "lib/pace.h"

#include "testsuite/unit/check.h"

#include <string.h>

static int is_text(const char *expected, const char *doing, unsigned long done, unsigned long total,
		   double left)
{
	char text[100];

	pace_text(text, sizeof(text), doing, done, total, left);
	if (strcmp(text, expected))
		printf("'%s', not '%s'\n", text, expected);
	return !strcmp(text, expected);
}

int main(void)
{
	CHECK(is_text("arming 8,192 of 33,972 probes, 8 s left", "arming", 8192, 33972, 8.2));
	CHECK(is_text("arming 1,000 of 1,000,000 probes", "arming", 1000, 1000000, -1));
	CHECK(is_text("building 1 probe", "building", 0, 1, -1));
	CHECK(is_text("building 999 probes, 0 s left", "building", 0, 999, 0.3));
	CHECK(is_text("disarming 123,456,789 of 200,000,000 probes, 2 min left", "disarming",
		      123456789, 200000000, 120));
	return failures != 0;
}
