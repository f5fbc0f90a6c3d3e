#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - -l, -L and the inventories (--dump-...). Input: aliases.stp. Output: a line for each
# list that differs from what is expected, then exit status 1.
. "$(dirname "$0")/../common.sh"
aliases=$(cat testsuite/list/aliases.stp)

# lists STATUS TEXT OPTION...: checks the exit status and the whole output; standard error has the
# reason for an empty list, and is empty for others
lists() {
	want=$1 text=$2
	shift 2
	./lapwing "$@" > "$work/out" 2> "$work/err"
	status=$?
	[ -z "$text" ] || text="$text
"
	reasons=$(grep -c "semantic error" "$work/err")
	[ $status -eq "$want" ] && [ "$reasons" -eq "$want" ] && { [ "$want" -eq 1 ] ||
		[ ! -s "$work/err" ]; } &&
		printf '%s' "$text" | diff -u - "$work/out" && return
	echo "FAIL $*: exit status $status, not $want: $(cat "$work/err")"
	failed=$((failed + 1))
}

lists 0 'begin' -l begin
lists 0 'begin' -L begin
lists 0 'begin' -l 'b*'
lists 0 'timer.profile' -l 'timer.*'
lists 0 'timer.ms(5)
timer.msec(5)' -l 'timer.ms*(5)'
lists 1 '' -l 'timer.x*'
lists 0 'timer.ms(5)
timer.s(1)' -l '{timer.s(1),timer.ms(5)}'
# An alias is listed by its name; -L lists the variables that all of its points have; suffixes
lists 0 'my.one
my.two' -l 'my.*' -E "$aliases"
lists 0 'my.one name:string count:long
my.two name:string size:long' -L 'my.*' -E "$aliases"
lists 0 'my.one.randomize(1) name:string count:long' -L 'my.one.randomize(1)' -E "$aliases"
# empty lists
lists 1 '' -l nothing.at.all
lists 1 '' -L 'my.three' -E "$aliases"
./lapwing -vv -l 'nothing.at.all, begin' 2>&1 | grep -q 'probe point mismatch' ||
	{ echo "FAIL -vv -l does not say why"; failed=$((failed + 1)); }

# has TEXT OPTION...: the inventory has a line TEXT
has() {
	line=$1
	shift
	./lapwing "$@" > "$work/out" && grep -qxF -e "$line" "$work/out" && return
	echo "FAIL $*: no line '$line'"
	failed=$((failed + 1))
}
has 'timer.s(number).randomize(number)' --dump-probe-types
has 'kernel.function(string).return' --dump-probe-types
has 'my.two = timer.ms(1), begin' --dump-probe-aliases testsuite/list/aliases.stp
has 'other.last += end' --dump-probe-aliases testsuite/list/aliases.stp
has 'read_stopwatch_us:long (name:string)' --dump-functions
has 'strlen:long (string)  length in bytes' --dump-functions
has 'twice:long (x:long)' --dump-functions testsuite/list/aliases.stp
./lapwing --dump-functions | grep -q '^__' &&
	{ echo "FAIL --dump-functions lists the library's own"; failed=$((failed + 1)); }
for what in probe-types functions; do
	./lapwing --dump-$what | LC_ALL=C sort -uc ||
		{ echo "FAIL --dump-$what: not sorted or not unique"; failed=$((failed + 1)); }
done
# Tracepoints that are no events ("pelt_cfs_tp") belong to no system.
./lapwing --runtime=kernel -l 'kernel.trace("raw_syscalls:*")' > "$work/out" 2> "$work/err"
[ "$(sed 's/.*"raw_syscalls:\(.*\)".*/\1/' "$work/out" | tr '\n' ' ')" = "sys_enter sys_exit " ] ||
	{ echo "FAIL raw_syscalls:*: $(cat "$work/out" "$work/err")"; failed=$((failed + 1)); }
[ $failed -eq 0 ]
