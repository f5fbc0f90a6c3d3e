#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# list.sh - every test by the name that results print: lane (`all`: not in the gate), seconds (testsuite/seconds: those of a run of --all on
# two idle cores, which leaves them in testsuite/results.seconds; a dash: not measured), and what it needs.
set -u
cd "$(dirname "$0")/.." || exit 1

directive() { sed -n "s/^#@ $2: *//p" "$1" | head -1; }

# scripts CONFIG: those that run there
scripts() {
	local script name on lane
	for script in testsuite/run-kernel/*.stp testsuite/run-user/*.stp testsuite/losses/*.stp testsuite/run-kernel/last/*.stp; do
		on=$(directive "$script" configs)
		[ "$(directive "$script" only)" != user ] && { [ -z "$on" ] || [[ " $on " == *" $1 "* ]]; } || continue
		name=$(basename "$script" .stp)
		[[ $script != testsuite/losses/* ]] || name=losses_$name
		lane=guest
		[ "$1" = 6.1 ] && [ -z "$(directive "$script" long)$(directive "$script" clock)" ] || lane=all
		printf 'kernel/%s/%s\t%s\tkernel %s\n' "$1" "$name" "$lane" "$1"
	done
}

{
	printf 'style\tnative\t-\n'
	testsuite/native.sh --table | awk -F '\t' -v OFS='\t' '{ if ($2 == "gate") $2 = "native"; print }'
	for config in 6.1 6.12 6.1-arm64; do
		printf 'kernel/%s/share\t%s\tkernel %s\n' $config "$([ $config = 6.1 ] && echo guest || echo all)" $config
		scripts $config
		for case in $(sed -n 's/^case_\(.*\)()$/\1/p' testsuite/vm/check-vm.sh); do
			printf 'vm/%s/%s\tall\tkernel %s\n' $config "$case" $config
		done
	done
	for config in 6.1 6.12 6.1-arm64 6.12-arm64; do printf 'kbuild/%s\tall\tkernel %s\n' $config $config; done
	printf 'refused/signature\tall\tkernel 6.1\nrefused/lockdown\tall\tkernel 6.1\n'
	printf 'counters/6.1-arm64\tall\tkernel 6.1-arm64\n'
} | awk -F '\t' '
	BEGIN { while ((getline line < "testsuite/seconds") > 0) { split(line, field, " "); seconds[field[1]] = field[2] } }
	{ printf "%-48s %-7s %6s  %s\n", $1, $2, $1 in seconds ? seconds[$1] : "-", $3 }'
