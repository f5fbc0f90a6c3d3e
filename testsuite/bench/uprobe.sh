#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# uprobe.sh - cost of a hit in a user program in the user runtime, compared with perf stat's uprobe
# at the same address; native, output a TSV. The cost per hit is the CPU time of program and tool
# together for N hits, minus that for none, divided by N: the least and the median of rounds that
# alternate between the tools. One line per class of instruction (sites.c) and kind of handler;
# ratios are to perf stat at the same class. Not a test.
set -eu
cd "$(dirname "$0")/../.."
rounds=${1:-7} hits=100000
work=$(mktemp -d)
events=/sys/kernel/tracing/uprobe_events group=bench_$$
sites="nop push lea"
cleanup() {
	for s in $sites; do echo "-:$group/$s" >> $events 2> /dev/null || :; done
	rm -rf "$work"
}
trap cleanup EXIT
gcc -O2 -o "$work/sites" testsuite/bench/sites.c

p() { echo "process(\"$work/sites\").function(\"site_$1\")"; }
for s in $sites; do
	at=$(nm "$work/sites" | sed -n "s/^0*\([0-9a-f]*\) T site_$s$/0x\1/p")
	echo "p:$group/$s $work/sites:$at" >> $events
	./lapwing --runtime=user -p4 -m "count_$s" -e "global n probe $(p \
		$s) { n++ }" > "$work/log" && mv "count_$s.so" "$work/"
	./lapwing --runtime=user -p4 -m "body_$s" -e "global n probe $(p \
		$s) { n[pid()]++ }" > "$work/log" && mv "body_$s.so" "$work/"
	./lapwing --runtime=user -p4 -m "args_$s" -e "global n probe $(p \
		$s) { n <<< int_arg(1) }" > "$work/log" && mv "args_$s.so" "$work/"
done

# cpu COMMAND...: prints its CPU time in ns, including child processes
cpu() {
	local TIMEFORMAT='%U %S' t
	t=$({ time "$@" > "$work/log" 2>&1; } 2>&1)
	awk -v t="$t" 'BEGIN { split(t, a, " "); printf "%.0f\n", (a[1] + a[2]) * 1e9 }'
}

# measure TOOL SITE N: prints the CPU time in ns of N calls of SITE with TOOL
measure() {
	case $1 in
	none) cpu "$work/sites" "$2" "$3" ;;
	perf) cpu perf stat -e "$group:$2" "$work/sites" "$2" "$3" ;;
	*) cpu ./lapwing-run -c "$work/sites $2 $3" "$work/$1_$2.so" ;;
	esac
}

for ((r = 0; r < rounds; r++)); do
	for s in $sites; do
		for tool in perf count body args; do
			echo "$s $tool $(($(measure $tool "$s" $hits) - $(measure $tool "$s" 0)))"
		done
	done
done > "$work/all"

printf 'site\thandler\tleast ns\tmedian ns\tleast / perf\tmedian / perf\n'
sort -k1,1 -k2,2 -k3,3n "$work/all" | awk -v hits=$hits '
	{ key = $1 " " $2; value[key, ++n[key]] = $3 / hits }
	END {
		for (i = split("nop push lea", site, " "); i; i--)
			order[i] = site[i]
		for (i = 1; i <= 3; i++)
			for (k = 1; k <= split("perf count body args", tool, " "); k++) {
				key = order[i] " " tool[k]; base = order[i] " perf"
				least = value[key, 1]; middle = value[key, int((n[key] + 1) / 2)]
				printf "%s\t%s\t%.0f\t%.0f\t%.2f\t%.2f\n", order[i], tool[k], least, middle,
				       least / value[base, 1], middle / value[base, int((n[base] + 1) / 2)]
			}
	}'
