#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - the fuzz entries of the front end, with sanitizers, on what libFuzzer once found
# (corpus/), on all scripts of the tests, and on a bounded number of made-up inputs. Output: the
# sanitizer's, and exit 1, when one fails.
cd "$(dirname "$0")/../.." || exit 2
export FUZZ_KERNEL=testsuite/family/kernel
failed=0
for entry in parse translate; do
	find testsuite/fuzz/corpus testsuite/parse testsuite/check testsuite/run-user \
		testsuite/emit tapsets -type f \
		\( -path '*/corpus/*' -o -name '*.stp' \) -print0 |
		xargs -0 "testsuite/fuzz/$entry" 2000 || failed=1
done
exit $failed
