#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# translate.sh - cost of translating a script to C (all passes except the build), by its size: a TSV
# of lines, instructions (counted by callgrind, independent of the machine's load), milliseconds
# (the fastest of five runs) and the largest resident size. Arguments: sizes in lines. The goal: 200
# lines under 10 ms, 10,000 under 200 ms and 100 MB.
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# script LINES: prints a script of blocks of 25 lines, each with its own globals, functions and
# probes and some globals that all blocks share
script() {
	awk -v lines="$1" 'BEGIN {
		print "global total, names"
		print "probe end { foreach (n in names- limit 10)" \
			" printf(\"%s %d\\n\", n, names[n]); println(total) }"
		for (i = 0; i < int(lines / 25); i++) {
			printf "global reads_%d, latency_%d, begun_%d\n", i, i, i
			printf "function scale_%d:long(value, unit) {\n\tif (unit == 0)\n\t\treturn value\n", i
			printf "\treturn value / unit + %d\n}\n", i
			printf "function label_%d(n) { return sprintf(\"%%s-%%d\", execname(), n & %d) }\n", i, i + 1
			printf "probe timer.ms(%d) {\n\tme = tid()\n\tbegun_%d[me] = gettimeofday_us()\n", i + 1, i
			printf "\treads_%d[execname(), pid()]++\n\ttotal += scale_%d(me, 3)\n}\n", i, i
			printf "probe timer.us(%d) {\n\tme = tid()\n\tif (me in begun_%d) {\n", i + 1000, i
			printf "\t\tspent = gettimeofday_us() - begun_%d[me]\n\t\tlatency_%d <<< spent\n", i, i
			printf "\t\tnames[label_%d(spent)] += spent > 100 ? 2 : 1\n\t\tdelete begun_%d[me]\n\t}\n}\n", i, i
			printf "probe end {\n\tforeach ([name, p] in reads_%d- limit 5)\n", i
			printf "\t\tprintf(\"%%-16s %%6d %%d\\n\", name, p, reads_%d[name, p])\n", i
			printf "\tif (@count(latency_%d)) print(@hist_log(latency_%d))\n}\n", i, i
		}
	}'
}

# fastest FILE: prints the milliseconds of the fastest of five runs
fastest() {
	for run in 1 2 3 4 5; do
		from=$(date +%s%N)
		./lapwing -p3 "$1" > /dev/null
		echo $((($(date +%s%N) - from) / 10000))
	done | sort -n | sed -n '1s/..$/.&/p'
}

printf 'lines\tinstructions\tms\tresident_kb\n'
for lines in ${*:-25 200 10000}; do
	script "$lines" > "$work/script.stp"
	valgrind --tool=callgrind --callgrind-out-file="$work/callgrind" ./lapwing \
		-p3 "$work/script.stp" > /dev/null 2> "$work/log" ||
		{ cat "$work/log"; exit 1; }
	resident=$(/usr/bin/time -f %M ./lapwing -p3 "$work/script.stp" 2>&1 > /dev/null | tail -1)
	printf '%s\t%s\t%s\t%s\n' "$(wc -l < "$work/script.stp")" "$(sed -n 's/^summary: //p' \
		"$work/callgrind")" \
		"$(fastest "$work/script.stp")" "$resident"
done
