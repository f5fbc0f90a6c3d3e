#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - runs a script for each kind of probe in four situations (run.sh), with a trigger whose
# number of events is known: idle, with a stopped reader, with a reader whose output is blocked, and
# with the smallest rings. judge.sh compares the books, the verdict and every value with what
# happened. This script tests the user runtime natively; check-kernel.sh does the same in guests.
# Names as arguments select scripts.
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/../common.sh"
only=" $* " ran=0
directive() { sed -n "s/^#@ $2: *//p" "$1"; }
"${CC:-cc}" -g -O1 -static -pthread -o "$work/known" testsuite/triggers/known.c || exit 2
cd "$work" || exit 2
for script in "$top"/testsuite/losses/*.stp; do
	name=$(basename "$script" .stp)
	[ "$only" = '  ' ] || [[ $only == *" $name "* ]] || continue
	[ "$(directive "$script" only)" != kernel ] || continue
	sed "s|process(\"/|&${work#/}/|g" "$script" > script.stp
	if ! "$top/lapwing" --runtime=user -p4 -m losses $(directive script.stp options) \
		script.stp > out 2> err; then
		fail "$name does not build"
		cat err
		continue
	fi
	[ "$name" != data ] || take_registers
	for situation in idle stopped blocked tiny; do
		events=$([ $situation = idle ] && echo 5000 || echo 30000)
		sh "$top/testsuite/losses/run.sh" script.stp $situation "$events" \
			"$top/lapwing-run" ./losses.so
		said=$(sh "$top/testsuite/losses/judge.sh" script.stp $situation user) &&
			echo "$name $said" || fail "$name $said"
	done
	leave_registers
	ran=$((ran + 1))
done
echo "losses: $ran scripts, $failed failed"
[ $failed -eq 0 ] && [ $ran -gt 0 ]
