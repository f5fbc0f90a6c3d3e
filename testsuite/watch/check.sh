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
	: > "$work/err"			# that of the run before: the redirection is made by the child, later than it could be read
	$watch --db "$db" --epoch 1 -F 997 "$@" 2> "$work/err" & pid=$!
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
assert status["paused_ns"] < 1000, "its epochs do not follow each other: %d" % status["paused_ns"]	# ns are rounded
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

# With stacks: who calls whom, as in a capture.
rm -rf "$work/own"
begin_store -g
for i in 1 2; do "$work/load" 250; done > "$work/truth"
finish
./lapwing report --db "$db" --json --by name,function,mode > "$work/json" || fail 'a store of stacks cannot be reported'
judge 'a store of stacks'
./lapwing callgraph --db --csv "$db" > "$work/arcs" 2>&1 || fail "callgraph: $(cat "$work/arcs")"
grep -q 'through.*heavy\|heavy.*through' "$work/arcs" || fail "no arc to heavy in a store: $(head -20 "$work/arcs")"
./lapwing flame --db -o "$work/f.svg" "$db" &&
	grep -q 'data-d="\([3-9]\|[1-9][0-9]\)" data-name="heavy"' "$work/f.svg" || fail 'no flame graph of a store'

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

# Under control: what runs while it is off is not sampled, and what there is by now is stored when it is asked for.
rm -rf "$work/own"			# the one before is of another event, too
begin_store --epoch 600
ctl() { ./lapwing ctl "$1" $pid > "$work/ctl" 2>&1 && grep -q "$2" "$work/ctl" || fail "ctl $1: $(cat "$work/ctl")"; }
before=$(epochs -n load)
ctl off '^[0-9]* watch: sampling is off: watching for'
"$work/load" 250 > /dev/null
ctl on 'sampling is on: '
ctl flush 'being stored: .*of one CPU'
paused() { ./lapwing watch --db "$db" --status --json 2> /dev/null | sed -n 's/.*"paused_ns": *\([0-9]*\).*/\1/p' | grep . || echo 0; }
await '[ "$(paused)" -gt 200000000 ]' ||
	fail "nothing is stored: $(./lapwing watch --db "$db" --status)"
[ "$(epochs -n load)" = "$before" ] || fail 'what ran while sampling was off is in the store'
"$work/load" 250 > "$work/truth"
ctl status "samples for '$db'"
./lapwing ctl status --json $pid > "$work/ctl" && python3 - "$work/ctl" "$db" << 'END' 2> "$work/said" ||
	fail "ctl --json: $(cat "$work/said" "$work/ctl")"
import json, os, sys
row, = json.load(open(sys.argv[1]))["rows"]
assert (row["kind"], row["paused"], row["file"], row["records"]) == ("watch", False, sys.argv[2], None), row
assert row["samples"] > 0 and row["bytes"] >= os.path.getsize(sys.argv[2]), row
END
finish
[ "$(epochs -n load)" -gt "$before" ] || fail "it does not go on: $(./lapwing report --db "$db" --by epoch,name)"

# A budget that it cannot keep at that rate: the rate falls, and samples weigh what they stand for.
rm -rf "$work/own"
begin_store --epoch 2 -F 6100 --budget 0.01%
await "grep -q 'one in 64 of the samples' '$work/err'"
"$work/load" 2000 > "$work/truth"
finish
./lapwing report --db "$db" --json --by name,function > "$work/json" || fail 'a store of several rates'
./lapwing report --db "$db" | grep -q '^event .*several rates' || fail "the rates are not told: $(./lapwing report --db "$db" | head -3)"
python3 - "$work" << 'END' 2> "$work/said" || fail "a budget: $(cat "$work/said" "$work/truth" "$work/err")"
import json, sys
report = json.load(open(sys.argv[1] + "/json"))
truth = {line.split()[0]: int(line.split()[1]) for line in open(sys.argv[1] + "/truth")}
period = 64 * 1e9 / 6100
for name in "heavy", "light":
    weight = sum(row["weight"] for row in report["rows"] if (row["name"], row["function"]) == ("load", name))
    spread = 5 * (truth[name] / period) ** 0.5 * period
    assert truth[name] - spread - report["lost"] * period <= weight <= truth[name] + spread, (name, weight, truth, spread)
END
for wrong in 0 101 half 1x; do
	$watch --db "$db" --budget $wrong 2> /dev/null && fail "--budget $wrong is taken"
done

# As a user whose events are not permitted any more: it says so, samples no CPU until they are, and then it goes on. How much was missed is
# unknown, and so is the verdict of that time.
mkdir -p "$work/user" && chown 65534:65534 "$work/user" && chmod 755 "$work"
if paranoid -1; then
	: > "$work/err"
	setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$work/user" XDG_RUNTIME_DIR="$work/user" \
		$watch --db "$work/user/s/watch.db" --epoch 5 -F 997 --budget 0.2% 2> "$work/err" & pid=$!
	await "grep -q 'samples go to' '$work/err'" || fail "a user's watch: $(cat "$work/err")"
	echo 2 > "$levels"
	await "grep -q 'CPU 0 is not sampled until its events can be opened again: Permission denied' '$work/err'" ||
		fail "nothing is said of CPUs that are not sampled: $(cat "$work/err")"
	echo -1 > "$levels"
	await "[ \$(grep -c 'is sampled again' '$work/err') -eq \$(grep -c 'is not sampled until' '$work/err') ]" ||
		fail "CPUs are not sampled again: $(cat "$work/err")"
	"$work/load" 2000 > /dev/null
	finish
	db=$work/user/s/watch.db
	./lapwing report --db "$db" | grep -q '^\(UNKNOWN\|PARTIAL\): .*a CPU was not sampled for a while' ||
		fail "what is missing is not told: $(./lapwing report --db "$db" | tail -3)"
	[ "$(epochs -n load)" -gt 0 ] || fail "CPUs are not sampled again: $(./lapwing report --db "$db" --by name)"
	db=$work/own/watch.db
fi

# It is stopped while samples go on: its rings are full, and the books have what they lost.
rm -rf "$work/own"
begin_store -F 6100
kill -STOP $pid
"$work/load" 3000 > "$work/truth"
kill -CONT $pid
finish
./lapwing report --db "$db" --json --by name,function > "$work/json" || fail 'a store with losses cannot be reported'
python3 - "$work" << 'END' 2> "$work/said" || fail "losses: $(cat "$work/said" "$work/truth")"
import json, sys
report = json.load(open(sys.argv[1] + "/json"))
due = sum(int(line.split()[1]) for line in open(sys.argv[1] + "/truth") if line.startswith("all ")) * 6100e-9
has = sum(row["samples"] for row in report["rows"] if row["name"] == "load")
assert report["expected"] == report["received"] + report["lost"] + report["asleep"], report
assert report["lost"] > 0 and has <= due + 5 * due ** .5 and has + report["lost"] >= due - 5 * due ** .5, (has, due, report["lost"])
END

# As the service does: another user, with the service's capabilities; names are those that root sees.
capabilities=$(sed -n 's/^AmbientCapabilities=//p' packaging/systemd/lapwing-watch.service.in | xargs -n 1 | sed 's/^CAP_/+/' |
	tr A-Z a-z | paste -sd,)
mkdir -p "$work/service" && chown 65534:65534 "$work/service" && chmod 755 "$work"
: > "$work/err"
[ "$(echo "$capabilities" | tr -cd + | wc -c)" -ge 4 ] || fail "the service's capabilities: $capabilities"
setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps="-all,$capabilities" --ambient-caps="-all,$capabilities" \
	--bounding-set="-all,$capabilities" --no-new-privs env HOME=/ XDG_RUNTIME_DIR="$work/service" \
	$watch --db "$work/service/s/watch.db" -F 997 2> "$work/err" & pid=$!
if await "grep -q 'samples go to' '$work/err'"; then
	chmod 700 "$work/load"			# root's alone
	"$work/load" 500 > "$work/truth"
	finish
	db=$work/service/s/watch.db
	[ "$(stat -c '%U %a' "$db")" = 'nobody 600' ] || fail "the service's store: $(ls -l "$db")"
	./lapwing report --db "$db" --json --by name,function,mode > "$work/json" || fail "the service's store cannot be reported"
	judge "the service's store"
	python3 - "$work" << 'END' 2> "$work/said" || fail "the service's names: $(cat "$work/said")"
import json, sys
rows = [row for row in json.load(open(sys.argv[1] + "/json"))["rows"] if row["mode"] == "kernel"]
assert rows and sum(row["samples"] for row in rows if row["function"] == "(no symbol)") * 100 <= sum(row["samples"] for row in rows), rows
END
else
	fail "another user with capabilities: $(cat "$work/err")"
fi
db=$work/own/watch.db

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
