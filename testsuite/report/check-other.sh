#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-other.sh - a capture of the other architecture gives here what it gives there: arm64.frames, whose reports are known (arm64.out),
# down to its instructions. BLESS=1 records them.
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
	show annotate -f countdown
	show annotate -f countdown --blocks
	show callgraph
	show export -f folded
} > "$work/out" 2>&1
[ -z "${BLESS:-}" ] || cp "$work/out" testsuite/report/arm64.out
diff -u testsuite/report/arm64.out "$work/out" || exit 1

# Threads too short for a clock's period are no loss, but said.
sed 's/expected: 5 /expected: 500 /' testsuite/report/arm64.frames > "$work/frames"
testsuite/report/make-capture "$work/frames" "$work/c" || exit 2
./lapwing report "$work/c" | grep -q '^short    495 periods (99 %) were cut short' ||
	{ echo "FAIL other: nothing of short threads"; exit 1; }

# The hottest function without code is passed over, unless it was asked for.
sed 's/\(weight: \[1000000, 1000000, 1000000, \)1/\19/' testsuite/report/arm64.frames > "$work/frames"
testsuite/report/make-capture "$work/frames" "$work/c" || exit 2
./lapwing annotate "$work/c" > "$work/out" 2> "$work/err" && grep -q '^countdown ' "$work/out" &&
	grep -q 'el0_svc: the capture has no code' "$work/err" ||
	{ echo "FAIL other: hottest function without code"; exit 1; }
./lapwing annotate -f el0_svc "$work/c" 2> "$work/err" && { echo "FAIL other: annotated what has no code"; exit 1; }
echo "other: passed"
