#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# core.sh - cost of the portable core's operations, compared with GLib's GHashTable and a plain
# array: two TSVs on stdout. Input: testsuite/bench/core (make bench-core builds it), valgrind for
# the instructions ("-" without it). ns depend on this machine and its load; instructions are exact
# and repeatable. Not a test.
set -eu
cd "$(dirname "$0")/../.."
bench=testsuite/bench/core
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

instructions() {	# instructions OPERATION IMPL COUNT: prints instructions per operation
	command -v valgrind > /dev/null || { echo -; return; }
	valgrind --tool=callgrind --collect-atstart=no --toggle-collect=measured \
		--callgrind-out-file="$work/out" \
		"$bench" "$1" "$2" > /dev/null 2> "$work/log" || { cat "$work/log" >&2; exit 1; }
	awk -v n="$3" '$1 == "summary:" || $1 == "totals:" { total = $2 }
		END { printf "%.1f\n", total / n }' "$work/out"
}

printf 'operation\timplementation\toperations\tns\tinstructions\n'
"$bench" > "$work/ns"
while read -r operation impl count ns; do
	printf '%s\t%s\t%s\t%s\t%s\n' "$operation" "$impl" "$count" "$ns" "$(instructions \
		"$operation" "$impl" "$count")"
done < "$work/ns"

printf '\nmap\tone thread, M updates/s\ttwo threads\tratio\n'
"$bench" --threads | tr ' ' '\t'
