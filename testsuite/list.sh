#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# list.sh - every test by the name that results print: lane (`all`: not in the gate), seconds (testsuite/seconds: those of a run of --all on
# two idle cores, which leaves them in testsuite/results.seconds; a dash: not measured), and what it needs.
set -u
cd "$(dirname "$0")/.." || exit 1

# guests CONFIG LANE OPTION...: what runs there, with those options
guests() {
	testsuite/run-kernel/check-kernel.sh --names "${@:3}" -c "$1" | sed "s|\$|\t$2\tkernel $1|"
}

{
	printf 'style\tnative\t-\ndistcheck\tall\tkernel 6.1\npackages\tall\tkernel 6.1\n'
	testsuite/native.sh --table | awk -F '\t' -v OFS='\t' '
		$2 == "gate" { $2 = "native" }
		$2 ~ /^(beside|after)$/ { $2 = "guest" }
		{ print }'
	make -s print-command-tests | tr ' ' '\n' | sed 's|.*|installed/&\tall\tkernel 6.1|'
	for config in $(awk '!/^#/ { print $1 }' testsuite/kernels); do
		if [ $config = 6.1 ]; then
			guests $config guest --gate
			guests $config all | grep -vxFf <(guests $config all --gate)
		else
			guests $config all
		fi
		printf 'kbuild/%s\tall\tkernel %s\nlibrary/%s\tall\tkernel %s\n' $config $config $config $config
	done
	for config in 6.1 6.12 6.1-arm64; do
		guests $config all --icount
		for case in $(sed -n 's/^case_\(.*\)()$/\1/p' testsuite/vm/check-vm.sh); do
			printf 'vm/%s/%s\tall\tkernel %s\n' $config "$case" $config
		done
	done
	sed -n 's/^hardened \([^ ]*\) .*/refused\/\1\tall\tkernel 6.1/p' testsuite/run-kernel/check-refused.sh
	printf 'counters/6.1-arm64\tall\tkernel 6.1-arm64\n'
} | awk -F '\t' '
	BEGIN { while ((getline line < "testsuite/seconds") > 0) { split(line, field, " "); seconds[field[1]] = field[2] } }
	{ printf "%-48s %-7s %6s  %s\n", $1, $2, $1 in seconds ? seconds[$1] : "-", $3 }'
