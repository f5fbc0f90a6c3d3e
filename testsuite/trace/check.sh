#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - stp()'s records in the user runtime: columns, names of what has ended before they are looked up, of a process that runs one
# program after another, where no name is known, for a pipe and a file. Modules' records: run-kernel/trace.
. "$(dirname "$0")/../common.sh"
top=$PWD
triggers=$top/testsuite/triggers
for program in recurse works; do
	${CC:-cc} -g -O1 -static -pthread -o "$work/$program" "$triggers/$program.c" || exit 2
done
cp testsuite/stopped.sh "$work/stopped"
cd "$work" || exit 2

# run SCRIPT COMMAND [OPTION]: its records are in `out`
run() { "$top/lapwing" --runtime=user $3 -o out -c "$2" -e "$1" > printed 2> err || fail "status $?: $(cat err)"; }
# is TEXT NAME: `out` without how the C library comes to main(), and where things are
is() {
	sed 's/[^	]*;main;/main;/; s,/0x[0-9a-f]* \[[^	]*/, [,g; s,/[^	]*/,,g; s/+0x[0-9a-f]*/+/g' out > seen
	printf '%b' "$1" | diff -u - seen || fail "$2"
}

# What is written at the hit is named when the program has ended: the reader stands still until then.
run 'probe process("./recurse").function("deeper") { stp("deeper", depth: $depth, $pid_name, pid() == tid()) }
probe process("./recurse").function("leaf") {
	stp("leaf", uaddr(), usymname(uaddr()), usymfileline(uaddr()), usymline(uaddr()), associate_image(uaddr()),
		ubacktrace(), ustack(1))
}
probe end { stp("end", 1 << 62, -1) }' './stopped ./recurse 3 1'
is 'deeper\t3\trecurse\t1\ndeeper\t2\trecurse\t1\ndeeper\t1\trecurse\t1
leaf\tleaf\tleaf\trecurse.c:20\t20\trecurse\tmain;deeper;deeper;deeper;leaf\tdeeper+
end\t4611686018427387904\t-1\n' 'a program that has ended'

# One process runs two programs, whose addresses overlap: an address belongs to the one that ran then. All processes are probed: events
# that are inherited may be left behind by an exec after a fork (Linux 6.18).
run 'probe process("./recurse").function("leaf"), process("./works").function("work") {
	stp(uaddr(), usymdata(uaddr()), associate_image(uaddr()))
}' \
	'./stopped sh -c "./recurse 1 1; exec ./works 1 1 1"'
is 'leaf\tleaf+ [recurse]\trecurse\nwork\twork+ [works]\tworks\n' 'one program after another'

# Without symbols: the place in the image, which is the same in every run. leaf() spins.
cp recurse bare && strip bare
set -- $(nm -S recurse | awk '$4 == "leaf" { print "0x" $1, "0x" $2 }') $(readelf -lW recurse | awk '/LOAD.* R E / { print $3, $2 }')
first=$(($1 - $3 + $4)) last=$(($1 - $3 + $4 + $2))
run 'global n probe timer.profile {
	if (!user_mode()) next
	stp(uaddr(), symname(uaddr()), associate_image(uaddr()))
	if (++n == 200) exit()
}' './bare 1 100000' --only-target
inside=$(sed -n 's,^bare+\(0x[0-9a-f]*\)	bare+\1	/.*/bare$,\1,p' out | while read -r at; do
	[ $((at)) -lt $first ] || [ $((at)) -ge $last ] || echo "$at"
done | wc -l)
[ "$inside" -gt 100 ] || fail "$inside of 200 samples are in leaf(), from $first to $last: $(head -3 out)"

# Columns without a value of theirs, and texts of the program that would be escapes on a terminal, are as they are in a file and a pipe.
script='probe begin { stp("", "a\tb", "\033[1m", backtrace(), addr(), symname(0), 5) exit() }'
"$top/lapwing" --runtime=user -e "$script" 2> err | od -c > out
printf '\ta\tb\t\033[1m\t\t0x0\t0x0\t5\n' | od -c | diff -u - out || fail "a pipe: $(cat err)"

[ $failed -eq 0 ] && echo "trace: records of ended programs are named"
[ $failed -eq 0 ]
