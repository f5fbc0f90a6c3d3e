#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - a script per kind of probe, each run four times with a trigger of a known count: idle, with a reader that is stopped, with one
# whose output nobody takes, and with the smallest rings (run.sh). In each the books, the verdict and every value are held against what has
# happened (judge.sh). The kernel may leave out a context switch (6.18 does, rarely), and the run says so: an idle one is
# done again then, twice at most. In the user runtime, here; in guests check-kernel.sh does the same. Names as arguments run only those.
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/../common.sh"
only=" $* " ran=0
"${CC:-cc}" -g -O1 -static -pthread -o "$work/known" testsuite/triggers/known.c || exit 2
cd "$work" || exit 2
for script in "$top"/testsuite/losses/*.stp; do
	name=$(basename "$script" .stp)
	[ "$only" = '  ' ] || [[ $only == *" $name "* ]] || continue
	[ "$(directive "$script" only)" != kernel ] || continue
	sed "s|process(\"/|&${work#/}/|g" "$script" > script.stp
	if ! "$top/lapwing" --runtime=user -p4 -m losses $(directive script.stp options) script.stp > out 2> err; then
		fail "$name does not build"
		cat err
		continue
	fi
	for situation in idle stopped blocked tiny; do
		events=$([ $situation = idle ] && echo 5000 || echo 30000)
		for try in 1 2 3; do
			sh "$top/testsuite/losses/run.sh" script.stp $situation "$events" "$top/lapwing-run" ./losses.so "$top/lapwing-ctl"
			{ [ $situation = idle ] && grep -q '"switches": {.*"lost": [1-9]' summary; } || break
		done
		said=$(sh "$top/testsuite/losses/judge.sh" script.stp $situation user) && echo "$name $said" || fail "$name $said"
	done
	ran=$((ran + 1))
done
echo "losses: $ran scripts, $failed failed"
[ $failed -eq 0 ] && [ $ran -gt 0 ]
