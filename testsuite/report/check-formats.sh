#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-formats.sh - --json and --csv of the reports: JSON says what the text says (check-formats.py), CSV is the rows of the JSON; of
# captures of many kinds of samples, of names that break other formats, without samples, cut off; and what cannot be written is an error.
. "$(dirname "$0")/../common.sh"
for frames in arm64 sums names; do
	testsuite/report/make-capture testsuite/report/$frames.frames "$work/$frames" || exit 2
done
# Without samples and with no books: up to the frame of processes.
sed '/^process/,$d' testsuite/report/sums.frames | sed '$d' > "$work/empty.frames"
testsuite/report/make-capture "$work/empty.frames" "$work/empty" || exit 2
head -c 700 "$work/sums" > "$work/cut"
# Calls that a script counted: a cycle, a recursion, times and counts below their floors, without a return, without a row.
./lapwing record -q --arcs-from - -o "$work/calls" << 'END' || exit 2
lapwing arcs 1
function 1 40000000 process("/usr/bin/a,b").function("main@a.c:1")
function 2 9000000 process("/usr/bin/a,b").function("ping@a.c:2")
function 3 6000000 process("/usr/bin/a,b").function("pong@a.c:3")
function 4 0 kernel.function("leaf")
function 5 900000 process("/usr/bin/a,b").function("again")
event 5 cycles
event 0 instructions
event 7 faults
arc 0 1 1 5000000 40000000
arc 1 2 3 2000000 9000000
arc 2 3 5 1000000 6000000
arc 3 2 4 500000 4000000
arc 1 4 100 0 0
arc 1 5 2 300000 900000
arc 5 5 8 600000 0
count 0 1 1 5000 90000
count 1 2 1 4000 70000
count 2 3 1 3000 0
count 3 2 1 2000 30000
count 1 4 1 0 0
count 1 5 1 700 7000
count 5 5 1 900 9000
count 0 1 2 1000 30000
count 1 2 2 3000 30000
count 2 3 2 0 0
count 3 2 2 7 70
count 1 4 2 8 80
count 1 5 2 9 90
count 5 5 2 10 100
count 0 1 3 0 1
count 1 2 3 1 0
count 2 3 3 0 0
count 3 2 3 0 0
count 1 4 3 0 0
count 1 5 3 0 0
count 5 5 3 0 0
floor 123456 77 3
left 6
refused 12 2
END

# same CAPTURE REPORT OPTION...: its three forms say the same. The text shows all rows, but of --limit and --min.
same() {
	local capture=$1 report=$2 all=
	shift 2
	case " $report $*" in " annotate"* | *" --limit"* | *" --min"*) ;; *) all='--limit=0 --min=0';; esac
	./lapwing "$report" "$@" $all "$work/$capture" > "$work/text" 2> "$work/err"
	text=$?
	./lapwing "$report" "$@" --json "$work/$capture" > "$work/json" 2> "$work/err.json"
	json=$?
	[ $json -eq $text ] && cmp -s "$work/err" "$work/err.json" ||
		fail "$capture $report $*: status $json, not $text: $(cat "$work/err.json")"
	./lapwing "$report" "${@/--threads/--delayed}" --csv "$work/$capture" > "$work/csv" 2> "$work/err.csv"
	[ $? -eq $text ] || fail "$capture $report $*: --csv: $(cat "$work/err.csv")"
	testsuite/report/check-formats.py "$work/text" "$work/json" "$work/csv" "$@" 2> "$work/differs" ||
		fail "$capture $report $*: $(tail -3 "$work/differs")"
	# The text of annotate has no verdict of the whole capture.
	[ "$report" = annotate ] && ./lapwing report "$work/$capture" 2> "$work/unused" | cat - "$work/text" > "$work/partial" ||
		cp "$work/text" "$work/partial"
	grep '^PARTIAL' "$work/partial" | sort - "$work/err" | cmp -s - <(sort "$work/err.csv") ||
		fail "$capture $report $*: what is missing is not said of CSV"
}

for capture in arm64 sums names empty cut; do
	same $capture report
	same $capture report --by=function,block,line,cpu,address,phase,group --delayed
	same $capture report --apart
done
for event in cycles off-cpu; do same sums report -e $event --by=process,thread,mode; done
for capture in arm64 sums names empty cut calls; do
	same $capture callgraph
	same $capture callgraph --flat
done
for event in cycles off-cpu; do same sums callgraph -e $event; done
# Instructions, with cycles of each: one has both. A line that begins without a sample, a sample beyond the code. Of el0_svc there is none.
sed 's/events { name: "cycles" period: 1000000 }/& events { name: "instructions" period: 100 }/
	s/event: \[0, 0, 0, 0, 1\]/event: [1, 1, 2, 1, 1]/; s/weight: \[1000000, 1000000, 1000000, 1000000,/weight: [700, 301, 200, 9,/
	s/image: \[1, 1, 1, 0\]/image: [1, 1, 1, 1]/; s/0xffff800008012344/0x734/; s/size: \[16, 16\] name/size: [32, 16] name/
	s/offset: \[0x724, 0x728\] file_of: \[0, 0\] line: \[4, 5\]/offset: [0x720, 0x724, 0x728] file_of: [0, 0, 0] line: [3, 4, 5]/
	s/function: \["countdown"/function: ["", "countdown"/' \
	testsuite/report/arm64.frames > "$work/cpi.frames"
testsuite/report/make-capture "$work/cpi.frames" "$work/cpi" || exit 2
for options in '' --blocks '--limit=0' '-f countdown' '--blocks -f nobody'; do
	# shellcheck disable=SC2086 # words
	for capture in arm64 cpi; do same $capture annotate $options; done
done
same cpi annotate -e cycles
same cpi annotate -e instructions --blocks
for capture in names empty cut; do same $capture annotate; done
# Of a call graph that is cut, calls to and from what is shown are left; one end of them may not be shown.
for cut in --limit=2 --min=30; do
	./lapwing callgraph --json "$work/sums" > "$work/all"
	./lapwing callgraph --json $cut "$work/sums" > "$work/json"
	python3 - "$work/all" "$work/json" $cut << 'END' || fail "callgraph $cut: $(cat "$work/json")"
import json, sys
whole, part = (json.load(open(path))['rows'] for path in sys.argv[1:3])
entries = [row for row in whole if row['kind'] != 'call']
shown = entries[:2] if sys.argv[3] == '--limit=2' else [row for row in entries if row['total_percent'] >= 30]
there = {row['index'] for row in shown}
calls = [row for row in whole if row['kind'] == 'call' and there & {row['index'], row['caller']}]
assert part == shown + calls and len(shown) < len(entries) and any({row['index'], row['caller']} - there for row in calls)
END
done
same sums report --threads -n sums
same sums report --mode=kernel --min=40
same sums report --limit=2
# What is left out of each part of --apart is one number.
./lapwing report --apart --limit=1 --by=thread "$work/sums" > "$work/text"
./lapwing report --apart --limit=1 --by=thread --json "$work/sums" > "$work/json"
awk '/rows more/ { more += $2 } /"rows_left"/ { left = $2 } END { exit !(more > 1 && left == more) }' "$work/text" "$work/json" ||
	fail "rows that are left out of parts: $(cat "$work/text" "$work/json")"
./lapwing report --csv "$work/names" | grep -qF ',"/usr/bin/a,""<b>&'"'" ||
	fail "a name with commas and quotes: $(./lapwing report --csv "$work/names")"

# wrong REPORT TEXT OPTION...: a wrong call
wrong() {
	local report=$1 said=$2
	shift 2
	./lapwing "$report" "$@" "$work/sums" > "$work/out" 2> "$work/err"
	[ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -qF -e "$said" "$work/err" || fail "$report $*: $(cat "$work/err")"
}
for report in report callgraph annotate; do wrong $report 'only one of them' --json --csv; done
wrong annotate 'a format of its own' --dot --csv
wrong report 'use --json' --csv --threads

# unwritten REPORT OPTION...: a full disk, and a reader that is gone
unwritten() {
	./lapwing "$@" "$work/sums" > /dev/full 2> "$work/err"
	[ $? -eq 1 ] && grep -qxF "lapwing $1: cannot write standard output: No space left on device [lapwing explain E1007]" "$work/err" ||
		fail "$*, a full disk: $(cat "$work/err")"
	mkfifo "$work/pipe"
	exec 3<> "$work/pipe" 4> "$work/pipe" 3<&-	# its only reader is gone
	./lapwing "$@" "$work/sums" >&4 2> "$work/err"
	[ $? -eq 141 ] && ! grep -q 'cannot write' "$work/err" || fail "$*, a closed pipe: $(cat "$work/err")"
	exec 4>&-
	rm "$work/pipe"
}
for form in --json --csv; do
	for report in report callgraph annotate; do unwritten $report $form; done
done
[ $failed -eq 0 ] && echo "formats: passed"
[ $failed -eq 0 ]
