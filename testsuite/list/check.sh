#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - -l, -L and the inventories. Input: aliases.stp. Output: one line per list that is not as it should be; exit 1 then.
. "$(dirname "$0")/../common.sh"
aliases=$(cat testsuite/list/aliases.stp)

# lists STATUS TEXT OPTION...: exit status and the whole output; a list that is empty says why
lists() {
	want=$1 text=$2
	shift 2
	./lapwing "$@" > "$work/out" 2> "$work/err"
	status=$?
	[ -z "$text" ] || text="$text
"
	[ $status -eq "$want" ] && [ $status -eq "$([ -s "$work/err" ]; echo $((! $?)))" ] &&
		printf '%s' "$text" | diff -u - "$work/out" && return
	echo "FAIL $*: exit status $status, not $want: $(cat "$work/err")"
	failed=$((failed + 1))
}

lists 0 'begin' -l begin
lists 0 'begin' -L begin
lists 0 'process.calibration' -L process.calibration
lists 0 'begin' -l 'b*'
lists 0 'timer.profile' -l 'timer.*'
lists 0 'timer.ms(5)
timer.msec(5)' -l 'timer.ms*(5)'
lists 1 '' -l 'timer.x*'
lists 0 'timer.ms(5)
timer.s(1)' -l '{timer.s(1),timer.ms(5)}'
# an alias by its own name, whatever wildcard found it; what two points have in common; suffixes
lists 0 'my.one
my.two' -l 'my.*' -E "$aliases"
lists 0 'my.one name:string count:long
my.two name:string size:long' -L 'my.*' -E "$aliases"
lists 0 'my.one.randomize(1) name:string count:long' -L 'my.one.randomize(1)' -E "$aliases"
# nothing
lists 1 '' -l nothing.at.all
lists 1 '' -L 'my.three' -E "$aliases"
./lapwing -l nothing.at.all 2>&1 | grep -q 'probe point mismatch' || { echo "FAIL -l does not say why"; failed=$((failed + 1)); }

# has TEXT OPTION...: one line of the inventory
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
./lapwing --dump-functions | grep -q '^__' && { echo "FAIL --dump-functions lists the library's own"; failed=$((failed + 1)); }
for what in probe-types functions; do
	./lapwing --dump-$what | LC_ALL=C sort -uc || { echo "FAIL --dump-$what: not sorted, or a line twice"; failed=$((failed + 1)); }
done

# For programs: the lines made of the JSON are those of the text, and CSV is its rows.
same() {	# same OPTION...
	./lapwing "$@" > "$work/out"
	text=$?
	./lapwing --csv "$@" > "$work/csv"
	./lapwing --json "$@" > "$work/json"
	json=$?
	[ $json -eq $text ] && testsuite/formats.py "$work/json" "$work/csv" && python3 - "$work/json" "$work/out" << 'END' && return
import json, sys
typed = lambda v: ':'.join(filter(None, [v['name'], v['type'] or 'unknown']))
def point(row):
    rest = ' /* without calls that end in its beginning, which is inlined */'
    return ' '.join([row['point'] + (rest if row['without_inlined'] else '')] + list(map(typed, row['variables'] or [])))
def function(row):
    note = '%s  %s' % (' /* guru */' if row['guru'] else '', row['note']) if row['note'] is not None else ''
    return '%s:%s (%s)%s' % (row['name'], row['type'] or 'unknown', ', '.join(map(typed, row['parameters'])), note)
lines = {'lapwing-probes/1': point, 'lapwing-functions/1': function, 'lapwing-probe-types/1': lambda row: row['point'],
         'lapwing-probe-aliases/1': lambda row: '%s %s %s' % (row['name'], '+=' if row['epilogue'] else '=', ', '.join(row['points']))}
said = json.load(open(sys.argv[1]))
assert list(map(lines[said['schema']], said['rows'])) == open(sys.argv[2]).read().splitlines()
END
	echo "FAIL $*: --json or --csv: exit status $json, of the text $text"
	failed=$((failed + 1))
}
same -l 'timer.ms*(5)'
same -l nothing.at.all
same -L 'my.*' -E "$aliases"
same -L 'kernel.trace("sched:sched_switch")'
same --dump-functions
same --dump-functions testsuite/list/aliases.stp
same --dump-probe-types
same --dump-probe-aliases testsuite/list/aliases.stp
same --dump-probe-aliases -e 'probe x.y = begin { } probe x.y = begin { }'
# What is left of functions whose beginning is inlined.
same -r "$(runtime/vm/lapwing-vm path 6.1 release)" -l 'kernel.function("__acpi_device_*")' 2> "$work/err"
grep -q '"without_inlined": true' "$work/json" || { echo "FAIL no rest of a function"; failed=$((failed + 1)); }
${CC:-cc} -g -O2 -o "$work/calls" -c testsuite/debuginfo/calls.c
same -L "process(\"$work/calls\").function(\"*\")"
[ "$(./lapwing --csv -L 'my.one' -E "$aliases" | tail -1)" = 'my.one,name:string count:long,false' ] ||
	{ echo "FAIL -L --csv: variables are not one cell"; failed=$((failed + 1)); }
# wrong TEXT OPTION...: a wrong call
wrong() {
	text=$1
	shift
	./lapwing "$@" > "$work/out" 2> "$work/err"
	[ $? -eq 1 ] && [ ! -s "$work/out" ] && grep -qF -e "$text" "$work/err" && return
	echo "FAIL $*: $(cat "$work/err")"
	failed=$((failed + 1))
}
wrong 'only one of them' --json --csv -l begin
wrong 'of lists: with -l, -L, --dump-functions, --dump-probe-types or --dump-probe-aliases' --json -e 'probe begin { }'
for list in --dump-functions --dump-probe-types '-l begin'; do
	# shellcheck disable=SC2086 # words
	./lapwing --csv $list > /dev/full 2> "$work/err"
	[ $? -eq 1 ] && grep -qxF 'lapwing: cannot write standard output: No space left on device [lapwing explain E1007]' "$work/err" ||
		{ echo "FAIL $list: a full disk: $(cat "$work/err")"; failed=$((failed + 1)); }
done
[ $failed -eq 0 ]
