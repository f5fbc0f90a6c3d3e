/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ticks_test.c - the share of missing ticks, computed from two readings of /proc/stat. */
#include "runtime/run/ticks.h"

#include <stdio.h>

static int failed;

static void expect(const char *what, double got, double want)
{
	if (got > want - 1e-9 && got < want + 1e-9)
		return;
	printf("FAIL %s: %g, not %g\n", what, got, want);
	failed = 1;
}

int main(void)
{
	static const char none[] =
		"cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 10 0 0 5 0 0 0 0 0 0\n"
		"cpu1 0 0 0 20 0 0 0 0 0 0\nintr 5\n";
	/* 200 and 180 more ticks, spread over all columns; guest time is included in user time */
	static const char all[] =
		"cpu0 110 10 20 35 10 10 10 10 90 9\ncpu1 0 0 0 200 0 0 0 0 0 0\nintr 9\n";
	static const char half[] = "cpu0 60 0 0 55 0 0 0 0 0 0\ncpu1 0 0 0 120 0 0 0 0 0 0\n";
	static const char first[] = "cpu1 0 0 0 20 0 0 0 0 0 0\n";
	static const char one[] = "cpu1 0 0 0 220 0 0 0 0 0 0\n";

	expect("all came", ticks_missing(none, all, 1.9, 100), 0);
	expect("some did not", ticks_missing(none, all, 2, 100), 1 - 380 / 400.0);
	expect("half did not", ticks_missing(none, half, 2, 100), 0.5);
	expect("a CPU went offline", ticks_missing(none, one, 2, 100), 0);
	expect("a CPU came online", ticks_missing(first, all, 1.8, 100), 0);
	expect("too short", ticks_missing(none, half, 0.4, 100), -1);
	expect("nothing to read", ticks_missing("", "", 2, 100), -1);
	return failed;
}
