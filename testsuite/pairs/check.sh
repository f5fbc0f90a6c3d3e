#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - the entry and the return of a call in the user runtime, when records of them are lost: every value is of one call, every call
# is in the books, and the verdict is their quotient. The trigger (pairs.c) knows how many calls it made.
cd "$(dirname "$0")" || exit 2
top=$(cd ../.. && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
for trigger in pairs faults; do
	${CC:-cc} -g -O1 -pthread -o "$work/$trigger" $trigger.c || exit 2
done

fail() { echo "FAIL $name: $*"; failed=$((failed + 1)); }

# A number of the first probe's books.
book() { sed -n "/\"probes\": \[/,/\]/s/.*\"$1\": \([0-9]*\).*/\1/p" "$work/json" | head -1; }
# Calls that may not have the values of one call alone.
uncertain() { echo $(($(book uncertain_entry) + $(book mixed_counts))); }

# Its books are those of so many calls, and the reports agree with them. $1: 1: there is a loss
balance() {
	known=$(cut -d' ' -f1 "$work/done" 2> "$work/none") && [ -n "$known" ] || { fail "the trigger did not end"; return; }
	completed=$(book completed) lost=$(book overload) uncertain=$(uncertain) slots=$(book slots)
	[ "$(book entered)" = "$known" ] || fail "$(book entered) entered, $known calls"
	[ "$((completed + lost + uncertain + slots))" = "$known" ] ||
		fail "$completed completed, $lost lost, $uncertain uncertain, $slots without a slot; $known calls"
	[ "$(grep -c '"point": "process' "$work/json")" = 1 ] || fail "a probe at the entry has books of its own"
	if [ "$1" = 0 ]; then
		[ "$completed" = "$known" ] && grep -qx COMPLETE "$work/err" || fail "not complete: $(cat "$work/err")"
		return
	fi
	[ "$completed" -lt "$known" ] || fail "nothing was lost: the test tests nothing"
	share=$((completed * 1000000 / known))
	grep -q "\"hits\": 0\.$(printf %06d $share)" "$work/json" || fail "hits are not 0.$share: $(grep shares "$work/json")"
	percent=$(printf '%d.%02d' $((share / 10000)) $((share / 100 % 100)))
	grep -q "^PARTIAL: $percent % of hits" "$work/err" || fail "not $percent %: $(tail -1 "$work/err")"
}

# $1: what is not to be; the number of values is that of completed calls.
values() {
	[ "$(awk '$1 == 1 { n += $2 } END { print n + 0 }' "$work/out")" = "$(book completed)" ] || fail "values are missing"
	awk '$1 != 1 { print; bad = 1 } END { exit bad }' "$work/out" || fail "values of two calls"
}

# NAME SCRIPT TRIGGER'S ARGUMENTS; size: of rings, -s
size=1
run() {
	name=$1
	rm -f "$work/done"
	"$top/lapwing" --runtime=user -s $size -o "$work/out" --json-summary "$work/json" -c "$work/pairs $3 $work/done" \
		-e "$2" > "$work/stdout" 2> "$work/err" || fail "exit status $?: $(cat "$work/err")"
}

point="process(\"$work/pairs\").function(\"work\").return"
count="global d probe $point { d[\$return - @entry(\$i)]++ } probe end { foreach (k in d) println(k, \" \", d[k]) }"

run idle "$count" "2 500 2 2 0 0 0"; balance 0; values
run recursion "$count" "1 50 80 0 0 0 0"; values
[ "$(book slots)" = 850 ] || fail "$(book slots) calls without a slot, 17 in each of 50 rounds have none"
run "fork in a call" "$count" "1 50 0 0 0 1 0"; balance 0; values
run stopped "$count" "2 45000 2 1 1 0 0"; balance 1; values
size=32
run "stopped, and there is room" "$count" "2 45000 2 1 1 0 0"; balance 0; values
size=1
run "stopped in recursion" "$count" "1 4500 62 0 1 0 0"; balance 1; values
[ "$(nproc)" != 1 ] || echo "pairs: one CPU: no call can return on another one"
[ "$(nproc)" = 1 ] || { run "no word of the loss" "$count" "1 50 0 0 0 2 0"; balance 1; values; }

# What processes run is known from records that have a ring of their own; who uses it is told that it was too small.
names="global by ${count%%probe end*} probe $point { by[execname()]++ }
	probe end { foreach (k in d) println(k, \" \", d[k]) foreach (name in by) println(\"1 0\") }"
run "names lost" "$names" "1 300 0 0 1 0 200000"
grep -q '^PARTIAL: .*% of records of processes' "$work/err" || fail "a name may be wrong, and nothing says so: $(cat "$work/err")"
sed -n 's/.*"processes": { "records": \([0-9]*\), "lost": [1-9].*/\1/p' "$work/json" | awk '$1 >= 200000 { ok = 1 } END { exit !ok }' ||
	fail "200000 names are not in the books: $(tail -3 "$work/json")"
awk '$1 != 1 { bad = 1 } END { exit bad }' "$work/out" || fail "values of two calls"
run "names lost, and not asked for" "$count" "1 300 0 0 1 0 200000"; values
grep -q 'records of processes' "$work/err" && fail "it has no names: $(cat "$work/err")"
[ "$(($(book completed) + $(uncertain)))" = 300 ] && [ "$(book overload)" = 0 ] ||
	fail "300 calls: $(grep -A2 probes "$work/json")"

# A script that joins hits by itself is not told which of them belong together: the verdict says so, and only then.
joins="global t, d probe ${point%.return} { t[tid()] = \$i } probe $point { d[\$return - t[tid()]]++ }
	probe end { if (0) println(d[1]) }"
may="; values that the script makes from more than one probe may be wrong"
run "joined by the script" "$joins" "2 60000 2 0 1 0 0"
grep -q "^PARTIAL: .*% of hits$may\$" "$work/err" || fail "$(tail -1 "$work/err")"
run "joined by the script, idle" "$joins" "2 500 2 0 0 0 0"
grep -qx COMPLETE "$work/err" || fail "$(tail -1 "$work/err")"
run "joined by Lapwing" "$count" "2 60000 2 0 1 0 0"
grep -q "may be wrong" "$work/err" && fail "no script joins anything here: $(tail -1 "$work/err")"

# Strings are kept in the call too; the reader's own output stands still until all calls are made.
name="blocked output"
rm -f "$work/done"
{ "$top/lapwing" --runtime=user -s 1 --json-summary "$work/json" -c "$work/pairs 2 60000 0 1 0 0 0 $work/done" \
	-e "probe $point { printf(\"%d 1\\n\", \$return - @entry(\$i)) }" 2> "$work/err" || echo "$?" > "$work/status"; } |
	{ until [ -s "$work/done" ]; do sleep 0.1; done; cat > "$work/out"; }
[ ! -e "$work/status" ] || fail "exit status $(cat "$work/status"): $(cat "$work/err")"
balance 1; values

# A stopwatch's calls are all in its table; what a counter of a thread counted for a call is right for those that were timed.
name=stopwatch
rm -f "$work/done"
"$top/lapwing" stopwatch "$work/pairs:work" --runtime=user -s 1 -o "$work/out" --json-summary "$work/json" -- \
	"$work/pairs" 2 45000 2 1 1 0 0 "$work/done" > "$work/stdout" 2> "$work/err" || fail "exit status $?: $(cat "$work/err")"
balance 1
missed=$(($(book overload) + $(uncertain)))
grep -q "^$(cat "$work/done") calls: $(book completed) timed, 0 in flight, $missed missed\$" "$work/out" ||
	fail "its calls: $(cat "$work/out")"

# From one point to another the reader joins hits, not the kernel: it asks what was lost in between.
name="stopwatch from one point to another"
rm -f "$work/done"
"$top/lapwing" stopwatch "$work/pairs:work" to "$work/pairs:work.return" by 'tid()' --runtime=user -s 1 -o "$work/out" -- \
	"$work/pairs" 2 160000 0 0 1 0 0 "$work/done" > "$work/stdout" 2> "$work/err" || fail "exit status $?: $(cat "$work/err")"
grep -q '^PARTIAL: [0-9.]* % of hits$' "$work/err" || fail "$(tail -1 "$work/err")"
sed -n 's/^\([0-9]*\) calls: \([0-9]*\) timed, \([0-9]*\) in flight, \([0-9]*\) missed.*/\1 \2 \3 \4/p' "$work/out" |
	awk -v all="$(cat "$work/done")" '$4 > 0 && $1 <= all && $1 >= $2 + $3 + $4 { ok = 1 } END { exit !ok }' || fail "$(cat "$work/out")"

name="switches lost"
rm -f "$work/done"
"$top/lapwing" --runtime=user -s 1 -o "$work/out" --json-summary "$work/json" -c "$work/faults 60000 $work/done" -e "
	global d, n, odd
	probe process(\"$work/faults\").function(\"fault\").return.startwatch(\"page-faults\") {
		n++
		had = \$pmu[0] - @entry(\$pmu[0])
		took = \$timestamp - @entry(\$timestamp)
		d[1 + had - \$return]++
		if (had != \$return && odd++ < 10) warn(sprintf(\"call %d, of %d ns: %d faults, not %d\", n, took, had, \$return))
	}
	probe end { foreach (k in d) println(k, \" \", d[k]) }" > "$work/stdout" 2> "$work/err" || fail "exit status $?: $(cat "$work/err")"
balance 1
# No more calls have another number of faults than those that the program itself saw something of.
awk -v odd="$(cut -d' ' -f2 "$work/done")" -v all="$(book completed)" '{ n += $2 } $1 != 1 { others += $2 }
	END { if (n != all || others > odd) { print n " values, " others " of them not 1, of " all; exit 1 } }' "$work/out" ||
	fail "values of two calls: $(cat "$work/done" "$work/out" "$work/err")"
grep -q '^PARTIAL: .*% of context switches' "$work/err" || fail "no word of switches: $(cat "$work/err")"

[ $failed -eq 0 ] && echo "PASS pairs"
[ $failed -eq 0 ]
