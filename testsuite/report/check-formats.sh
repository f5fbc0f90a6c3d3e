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

# same CAPTURE REPORT OPTION...: its three forms say the same. The text shows all rows, but of --limit and --min.
same() {
	local capture=$1 report=$2 all=
	shift 2
	case " $*" in *" --limit"* | *" --min"*) ;; *) all='--limit=0';; esac
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
	grep '^PARTIAL' "$work/text" | cat "$work/err" - | cmp -s - "$work/err.csv" ||
		fail "$capture $report $*: what is missing is not said of CSV"
}

for capture in arm64 sums names empty cut; do
	same $capture report
	same $capture report --by=function,block,line,cpu,address,phase,group --delayed
	same $capture report --apart
done
for event in cycles off-cpu; do same sums report -e $event --by=process,thread,mode; done
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
wrong report 'only one of them' --json --csv
wrong report 'use --json' --csv --threads

# unwritten REPORT OPTION...: a full disk, and a reader that is gone
unwritten() {
	./lapwing "$@" "$work/sums" > /dev/full 2> "$work/err"
	[ $? -eq 1 ] && grep -qx "lapwing $1: cannot write stdout: No space left on device" "$work/err" ||
		fail "$*, a full disk: $(cat "$work/err")"
	mkfifo "$work/pipe"
	exec 3<> "$work/pipe" 4> "$work/pipe" 3<&-	# its only reader is gone
	./lapwing "$@" "$work/sums" >&4 2> "$work/err"
	[ $? -eq 1 ] && grep -qx "lapwing $1: cannot write stdout: Broken pipe" "$work/err" || fail "$*, a closed pipe: $(cat "$work/err")"
	exec 4>&-
	rm "$work/pipe"
}
for form in --json --csv; do unwritten report $form; done
[ $failed -eq 0 ] && echo "formats: passed"
[ $failed -eq 0 ]
