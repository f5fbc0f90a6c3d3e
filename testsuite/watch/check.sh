#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - lapwing watch of this machine while a program with a known profile runs several times: its samples are those of its CPU time,
# by its own clock; they are one row a place, however many processes and samples there are; the books say how many there were.
. "$(dirname "$0")/../common.sh"
. testsuite/report/build-load || exit 2
watch=./lapwing-watch

# Until Ctrl-C. ready: it is sampling when the capture has its header.
begin() {	# begin FILE OPTION...
	file=$1
	shift
	rm -f "$file"
	$watch "$@" -o "$file" 2> "$work/err" & pid=$!
	await "[ -s '$file' ]" || { fail "it does not begin: $(cat "$work/err")"; exit 1; }
}
finish() { kill -INT $pid; wait $pid || fail "exit status $?: $(cat "$work/err")"; }

# judge WHAT LOAD_RUNS: $work/json has the samples that $work/truth says, and its books say how many there are
judge() {
	python3 - "$work" << 'END' 2> "$work/said" || fail "$1: $(cat "$work/said" "$work/err" "$work/truth")"
import json, math, sys
report = json.load(open(sys.argv[1] + "/json"))
truth = {}
for line in open(sys.argv[1] + "/truth"):
    name, ns = line.split()[:2]
    truth[name] = truth.get(name, 0) + int(ns)
rows = {}
for row in report["rows"]:
    if row["name"] == "load":
        rows[row["function"]] = rows.get(row["function"], 0) + row["samples"]
assert sum(row["samples"] for row in report["rows"]) == report["received"], report
assert report["expected"] == report["received"] + report["lost"] + report["asleep"], report
for name in "heavy", "light":
    due = truth[name] * 997e-9
    most, least = due + 5 * math.sqrt(due), due - 5 * math.sqrt(due) - report["lost"]
    assert least <= rows[name] <= most, (name, rows, due)
END
}

begin "$work/w.cap" -F 997
for i in 1 2 3 4; do "$work/load" 250; done > "$work/truth"
finish
./lapwing report --json --by name,function,mode "$work/w.cap" > "$work/json" || fail 'it cannot be reported'
judge 'a capture'
awk '/ samples in / { exit !($3 > $6) }' "$work/err" || fail "as many rows as samples: $(cat "$work/err")"
[ "$(./lapwing report --csv --by process "$work/w.cap" | grep -c ',load')" = 1 ] || fail 'four processes of one name are not one row'

# Who is in the callers' chain, in a systemd unit.
group=
for at in /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup; do
	[ ! -w "$at/cgroup.procs" ] || ! mkdir "$at/lapwing-test.service" 2> /dev/null || { group=$at/lapwing-test.service; break; }
done
[ -n "$group" ] || echo 'SKIP watch: no control group can be made here'
mkfifo "$work/go"
sh -c 'echo $$ > "$0/cgroup.procs"; read -r go < "$1"; "$2" 250; i=0; while [ $i -lt 500000 ]; do i=$((i + 1)); done' \
	"${group:-$work}" "$work/go" "$work/load" > /dev/null & unit=$!
[ -z "$group" ] || await "grep -q . $group/cgroup.procs"
begin "$work/g.cap" -F 997 -g -e cpu-clock
echo > "$work/go"
wait $unit
[ -z "$group" ] || rmdir "$group"
finish
./lapwing callgraph --csv "$work/g.cap" > "$work/arcs" 2>&1 || fail "callgraph: $(cat "$work/arcs")"
grep -q 'through.*heavy\|heavy.*through' "$work/arcs" || fail "no arc to heavy: $(head -20 "$work/arcs")"
./lapwing report "$work/g.cap" 2>&1 | awk '/^PARTIAL: in / && $3 > 100 { exit 1 }' || fail 'more than all samples are uncertain'
[ -z "$group" ] || ./lapwing report --csv --by name,unit "$work/g.cap" | grep -q ',sh,lapwing-test.service$' ||
	fail "the unit is not named: $(./lapwing report --csv --by name,unit "$work/g.cap")"

# Where the kernel has control groups with the samples (one hierarchy, of perf events), that of a short process is known, too.
unified=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
if [ -n "$unified" ] && awk '$1 == "perf_event" && $2 == 0 { found = 1 } END { exit !found }' /proc/cgroups &&
	mkdir "$unified/lapwing-short.service" 2> /dev/null; then
	begin "$work/s.cap" -F 997
	for i in $(seq 20); do sh -c 'echo $$ > "$0/cgroup.procs"; exec "$1" 5' "$unified/lapwing-short.service" "$work/load" > /dev/null; done
	finish
	rmdir "$unified/lapwing-short.service"
	./lapwing report --csv --by name,unit "$work/s.cap" > "$work/units"
	grep -q ',load,lapwing-short.service$' "$work/units" && ! grep ',load,$' "$work/units" ||
		fail "the unit of short processes: $(cat "$work/units")"
else
	echo 'SKIP watch: the kernel does not sample control groups'
fi

# A store: epochs of a second; what they have is added up. Killed, it has what was stored before.
db=$work/own/watch.db
begin_store() {
	$watch --db "$db" --epoch 1 -F 997 2> "$work/err" & pid=$!
	await "grep -q 'samples go to' '$work/err'" || { fail "it does not begin: $(cat "$work/err")"; exit 1; }
}
epochs() { ./lapwing report --db "$db" --csv "$@" 2> /dev/null | awk -F, 'NR > 1 { n += $1 } END { print n + 0 }'; }
begin_store
for i in 1 2 3 4 5 6; do "$work/load" 250; done > "$work/truth"
finish
./lapwing report --db "$db" --json --by name,function,mode > "$work/json" || fail 'a store cannot be reported'
judge 'a store'
./lapwing watch --db "$db" --status --json > "$work/status" && ./lapwing watch --db "$db" --status > "$work/out" || fail 'no status'
python3 - "$work" << 'END' 2> "$work/said" || fail "status: $(cat "$work/said" "$work/status")"
import json, sys
status, report = (json.load(open(sys.argv[1] + "/" + name)) for name in ("status", "json"))
busy = [row for row in report["rows"] if row["mode"] != "idle"]
assert status["received"] == report["received"] and status["recording_ns"] == report["recording_ns"] > 0
assert status["busy"] == sum(row["samples"] for row in busy)
unknown = sum(row["samples"] for row in busy if row["function"] == "(no symbol)")
assert status["unknown"] == unknown == sum(row["unknown"] for row in status["rows"])
assert status["epochs"] >= 2 and status["is_written"] is False and status["max_bytes"] == 64000000 >= status["bytes"] > 40000, status
END
[ "$(tail -1 "$work/out")" = "$(./lapwing report --db "$db" | tail -1)" ] || fail "the status has another verdict: $(cat "$work/out")"
[ "$(stat -c %a "$db" "$work/own" | paste -sd ' ')" = '600 700' ] || fail "others may read a store: $(stat -c %a "$db" "$work/own")"
before=$(epochs)
begin_store
await "[ \$(epochs) -gt $before ]"
kill -KILL $pid
wait $pid 2> /dev/null
[ "$(epochs)" -gt "$before" ] || fail 'a recorder that was killed leaves less than it had stored'
begin_store
finish
[ "$(epochs --since 'yesterday')" = "$(epochs)" ] && [ "$(epochs --until '1 h ago')" = 0 ] || fail 'times are not taken'
./lapwing report --db "$db" --until '1 h ago' > "$work/out" 2> "$work/err" && fail 'a time without samples is no error'
grep -q 'nothing was sampled' "$work/err" || fail "a time without samples: $(cat "$work/err")"
./lapwing report --db "$db" --since 'last year' 2> "$work/err" && fail "--since 'last year' is taken"
./lapwing report --db "$db" --csv --by name,block | grep -q ',load,heavy+0x' || fail 'a store has no code of a hot function'

# Of a clock of user code alone nobody knows what the kernel skipped.
rm -rf "$work/own"
$watch -q --db "$db" -e cpu-clock:u -d 0.5 2> "$work/err" || fail "cpu-clock:u: $(cat "$work/err")"
./lapwing report --db "$db" 2>&1 | grep -q '^UNKNOWN' || fail "a store of cpu-clock:u: $(./lapwing report --db "$db" 2>&1)"

# One recorder writes to a store.
begin_store
timeout 20 $watch --db "$db" --epoch 1 -d 1 2> "$work/err2" && fail 'two recorders write to a store'
./lapwing watch --db "$db" --status | grep -q '; a recorder writes to it' || fail 'a status that has no recorder'
grep -q 'another lapwing watch writes to it' "$work/err2" || fail "two recorders: $(cat "$work/err2")"
finish

# The disk is full for a while, longer than epochs wait on their own: it goes on in memory, and nothing is lost.
mkdir "$work/small"
if mount -t tmpfs -o size=1m none "$work/small" 2> /dev/null; then
	db=$work/small/watch.db
	begin_store
	dd if=/dev/zero of="$work/small/fill" bs=4k 2> /dev/null
	for i in 1 2 3 4; do "$work/load" 250; done > "$work/truth"
	await "[ \$(grep -c 'stays in memory.*No space left' '$work/err') -ge 8 ]" || fail "nothing is said of a full disk: $(cat "$work/err")"
	rm "$work/small/fill"
	for i in 1 2; do "$work/load" 250; done >> "$work/truth"
	finish
	./lapwing report --db "$db" --json --by name,function,mode > "$work/json" || fail 'a store of a disk that was full cannot be reported'
	judge 'a disk that was full'
	umount "$work/small"
else
	echo 'SKIP watch: no small file system can be made here'
fi

# Wrong calls.
$watch -F 0 2> "$work/err" && fail '-F 0 is taken'
$watch true 2> "$work/err" && fail 'a command is taken'
grep -q "lapwing record' does" "$work/err" || fail "a command: $(cat "$work/err")"
$watch -e no-such-event 2> "$work/err" && fail 'an event that does not exist is taken'
$watch -d 1 -o /nowhere/x 2> "$work/err" && fail 'a file that cannot be written is taken'
grep -q /nowhere/x "$work/err" || fail "a file that cannot be written: $(cat "$work/err")"
echo "watch: $failed failed"
[ $failed -eq 0 ]
