#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-other.sh - a capture of the other architecture (arm64.frames) gives the known reports
# (arm64.out), down to its instructions. BLESS=1 rewrites arm64.out.
. "$(dirname "$0")/../common.sh"
testsuite/report/make-capture testsuite/report/arm64.frames "$work/c" || exit 2
# show WORDS...: a program's view of the capture
show() {
	echo "== $*"
	./lapwing "$@" "$work/c" || echo "exit status $?"
}
{
	show report --delayed
	show report --csv --by function,block,line,cpu
	show report -e cycles --csv
	show annotate --function countdown
	show annotate --function countdown --blocks
	show callgraph
	show export --format folded
} > "$work/out" 2>&1
[ -z "${BLESS:-}" ] || cp "$work/out" testsuite/report/arm64.out
diff -u testsuite/report/arm64.out "$work/out" || exit 1

# Periods that were cut short because threads exited or migrated are reported, but are no loss.
sed 's/expected: 5 /expected: 500 /' testsuite/report/arm64.frames > "$work/frames"
testsuite/report/make-capture "$work/frames" "$work/c" || exit 2
./lapwing report "$work/c" | grep -q '^short    495 periods (99 %) were cut short' ||
	{ echo "FAIL other: periods cut short are not reported"; exit 1; }

# A function without code in the capture is passed over, unless it is given by name.
sed 's/\(weight: \[1000000, 1000000, 1000000, \)1/\19/' \
	testsuite/report/arm64.frames > "$work/frames"
testsuite/report/make-capture "$work/frames" "$work/c" || exit 2
./lapwing annotate "$work/c" > "$work/out" 2> "$work/err" && grep -q '^countdown ' "$work/out" &&
	grep -q 'el0_svc: no code of this function in the capture' "$work/err" ||
	{ echo "FAIL other: hottest function without code"; exit 1; }
./lapwing annotate --function el0_svc "$work/c" 2> "$work/err" &&
	{ echo "FAIL other: annotated a function without code"; exit 1; }
echo "other: passed"
