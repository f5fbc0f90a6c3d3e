/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check.h - CHECK() for unit tests: prints and counts each condition that does not hold; main()
 * returns failures != 0.
 */
#ifndef LAPWING_TESTSUITE_CHECK_H
#define LAPWING_TESTSUITE_CHECK_H

#include <stdio.h>

static int failures;

#define CHECK(cond) \
	do { \
		if (!(cond)) { \
			failures++; \
			printf("FAIL %s:%d: %s\n", __FILE__, __LINE__, #cond); \
		} \
	} while (0)

#endif
