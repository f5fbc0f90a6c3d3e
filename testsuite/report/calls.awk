# SPDX-License-Identifier: GPL-2.0-or-later
# calls.awk - the calls that lapwing callgraph shows of testsuite/triggers/arcs.c: each function's, and CALLER>CALLEE with CALLED/TOTAL.
{ gsub("< floor", "0") }
/^call graph/ { graph = 1 }
!graph && NF >= 7 && $1 ~ /^[0-9.]+$/ && $5 ~ /^[0-9]+(\+[0-9]+)?$/ { print $6, $5 }
graph && $1 ~ /^\[[0-9]+\]$/ && !/as a whole/ { name = $0; sub(/^.*[0-9]  /, "", name); sub(/ .*/, "", name); below = 1; next }
/^---/ { below = 0 }
graph && below && $3 ~ /\// { print name ">" $4, $3 }
