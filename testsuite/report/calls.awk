# SPDX-License-Identifier: GPL-2.0-or-later
# calls.awk - extracts the call counts that lapwing callgraph shows for testsuite/triggers/arcs.c:
# "FUNCTION CALLS" and "CALLER>CALLEE CALLED/TOTAL".
/^call graph/ { graph = 1 }
!graph && NF >= 7 && $1 ~ /^[0-9.]+$/ && $5 ~ /^[0-9]+(\+[0-9]+)?$/ { print $6, $5 }
graph && $1 ~ /^\[[0-9]+\]$/ && !/as a whole/ {
	name = $0
	sub(/^.*[0-9]  /, "", name)
	sub(/ .*/, "", name)
	below = 1
	next
}
/^---/ { below = 0 }
graph && below && $3 ~ /\// { print name ">" $4, $3 }
