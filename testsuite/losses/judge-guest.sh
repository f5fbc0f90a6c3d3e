#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# judge-guest.sh - runs judge.sh on each run of a script in a guest, from what `guest` printed.
# Usage: judge-guest.sh SCRIPT OUT
here=$(cd "$(dirname "$0")" && pwd)
script=$(realpath "$1")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
awk -v work="$work" '
	$1 == "===" {
		close(to)
		to = work "/" $2 "." $3
		system("mkdir -p " to)
		to = to "/" $4
		printf "" > to
		next
	}
	{ print > to }' "$2"
judged=0 failed=0
for run in "$work"/*; do
	cd "$run" || exit 1
	name=$(basename "$run")
	said=$(sh "$here/judge.sh" "$script" "${name#*.}" "${name%.*}") || failed=$((failed + 1))
	echo "${name%.*} runtime, $said"
	judged=$((judged + 1))
done
[ $failed -eq 0 ] && [ $judged -ge 4 ] && [ $((judged % 4)) -eq 0 ]
