#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# trust.sh - doc/trust.md with its tables, which are what the benchmarks printed when they were last
# recorded: testsuite/bench/recorded/NAME.tsv between the marks of that NAME (tables.sh). A line with
# # in such a file says when and where. With --write the page is written;
# testsuite/bench/check-recorded.sh compares.
# To record anew, on an idle machine: make bench-hits > hits.new, put the line with # above it.
cd "$(dirname "$0")/.." || exit 2
. doc/tables.sh
recorded=testsuite/bench/recorded

# What others take beside what we do: Lapwing's column is the one of hits.tsv.
peers() {
	grep '^#' $recorded/peers.tsv
	awk -F '\t' -v OFS='\t' '/^#/ { next } FNR == NR { if ($2 == "6.1") ours[$1] = $3; next }
		FNR == 2 { ours[$1] = "Lapwing" }
		{ $1 = $1 OFS ours[$1]; print }' $recorded/hits.tsv $recorded/peers.tsv
}

table() {
	case $1 in
	peers) peers;;
	*) cat "$recorded/$1.tsv";;
	esac | awk -F '\t' '
		/^#/ { sub(/^# /, ""); printf "%s.\n\n", $0; next }
		{ n = NF; gsub(/\t/, " | "); print "| " $0 " |" }
		!head++ { while (n--) printf "|---"; print "|" }'
}

case ${1:-} in
--write) write_page doc/trust.md table;;
*) page doc/trust.md table;;
esac
