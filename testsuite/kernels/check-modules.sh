#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-modules.sh - do the aliases of the modules nfs, nfsd, sunrpc and scsi_mod have the variables
# that scripts for SystemTap read?
#
# Input: KVER..., as for lapwing-vm (6.1, 6.12 and newest unless said); modules.tsv, an alias and its
# variables a line; gaps.tsv, whose aliases may lack their function. Output: a line for each alias
# that does not translate; then PASS|FAIL modules/KVER on stdout and in $LAPWING_TEST_RESULTS.
# Nothing is built and no guest runs, unless symbols must be dumped first.
. "$(dirname "$0")/../common.sh"
vm=runtime/vm/lapwing-vm

# expected NAME: whether gaps.tsv has an alias of $series
expected() {
	awk -F'\t' -v series="$series" -v name="$1" '
		/^#/ { next }
		{
			n = split($1, on, " ")
			for (i = 1; i <= n; i++)
				if (series ~ ("^(" on[i] ")$") && name ~ ("^(" $2 ")$")) known = 1
		}
		END { exit !known }' testsuite/kernels/gaps.tsv
}

# probe_all NAME VARIABLES: translates a probe of the alias that prints them, and its return
probe_all() {
	echo "probe $1 { println($2) }
		probe $1.return { println(name, retstr) }" > "$work/one.stp"
	./lapwing -w -r "$release" -a "$arch" --runtime=kernel -p3 "$work/one.stp" > "$work/c" \
		2> "$work/err"
}

# without_value NAME VARIABLES: whether the alias was refused only for variables that have no value
# on this kernel, by gaps.tsv, or on any kernel; the others translate
without_value() {
	local variable rest=$2
	while variable=$(sed -nE "1s/.*'([a-z_]+)' of '.*' has no value here.*/\1/p" "$work/err") &&
		[ -n "$variable" ]; do
		expected "$1" || grep -qE "^\s+$variable = __unread\(\)$" tapsets/*.stp || return 1
		rest=$(tr ' ' '\n' <<< "$rest" | grep -vx "$variable" | paste -sd ' ')
		! probe_all "$1" "${rest// /, }" || return 0
	done
	return 1
}

check_kernel() {
	local name variables
	release=$("$vm" path "$kernel" release) && arch=$("$vm" path "$kernel" arch) &&
		"$vm" path "$kernel" symbols > "$work/symbols" || return 1
	series=$(sed -E 's/^([0-9]+\.[0-9]+).*/\1/' <<< "$release")
	: > "$work/wrong"
	while IFS=$'\t' read -r name variables; do
		probe_all "$name" "${variables// /, }" ||
			{ grep -q 'error: no function' "$work/err" && expected "$name"; } ||
			without_value "$name" "$variables" ||
			echo "FAIL modules/$kernel $name: $(head -1 "$work/err")" >> "$work/wrong"
	done < testsuite/kernels/modules.tsv
	cat "$work/wrong"
	[ ! -s "$work/wrong" ]
}

[ $# -gt 0 ] || set -- 6.1 6.12 newest
for kernel; do
	check_kernel && result=PASS || { result=FAIL; failed=1; }
	echo "$result modules/$kernel" | tee -a "${LAPWING_TEST_RESULTS:-/dev/null}"
done
[ $failed -eq 0 ]
