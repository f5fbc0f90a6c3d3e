#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-recorded.sh - the tables of doc/trust.md are those of testsuite/bench/recorded, which says
# when and where each was measured; hits.tsv has the scripts of bench-hits with today's limits, and
# keeps them. So are those of doc/kernels.md, which has all kernels of the tests.
. "$(dirname "$0")/../common.sh"
recorded=testsuite/bench/recorded
doc/trust.sh | diff -u doc/trust.md - || fail "doc/trust.md has other tables: run doc/trust.sh --write"
doc/kernels.sh | diff -u doc/kernels.md - || fail "doc/kernels.md has other tables: run doc/kernels.sh --write"
for kernel in $(sed -n 's/^\([^# ]*\) .*/\1/p' testsuite/kernels); do
	grep -q "^| $kernel | " doc/kernels.md || fail "doc/kernels.md has no $kernel"
done
for file in "$recorded"/*.tsv; do
	name=$(basename "$file" .tsv)
	head -n 1 "$file" | grep -q '^# 20[0-9][0-9]' || fail "$file does not say when it was measured"
	grep -q "^<!-- made: $name -->$" doc/trust.md || fail "doc/trust.md does not show $file"
done
# hits.sh: script, mode of the floor, limit: a number, floor+N, or count+N, beyond a hit that counts; kernels after 6.1 have 10 % more
sed -n "/^rows='/,/'\$/p" testsuite/bench/hits.sh | tr -d "'" | sed 's/^rows=//' > "$work/rows"
awk -F '\t' '
	FNR == NR { split($0, row, " "); limit[row[1]] = row[3]; next }
	/^#/ || /^script\t/ { next }
	!($1 in limit) { print $1 ": not in hits.sh" }
	{ rows++; wanted = limit[$1] }
	$1 == "count" { count[$2] = $3 }
	wanted ~ /^count/ { wanted = count[$2] + substr(wanted, 7) }
	wanted ~ /^floor/ { wanted = $4 + substr(wanted, 7) }
	wanted != "-" { wanted = sprintf("%.0f", $2 == "6.1" ? wanted : wanted * 1.1) }
	wanted != $5 { print $1, $2 ": the limit is", wanted ", not", $5 }
	$5 != "-" && $3 > $5 { print $1, $2 ": over its limit" }
	END { if (rows < 10) print "only", rows + 0, "rows are recorded" }
' "$work/rows" $recorded/hits.tsv > "$work/wrong"
[ ! -s "$work/wrong" ] || fail "$(cat "$work/wrong")"
[ "$(wc -l < "$work/rows")" -ge 10 ] || fail "the rows of hits.sh were not found"
[ $failed -eq 0 ]
