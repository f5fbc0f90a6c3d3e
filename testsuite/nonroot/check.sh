#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - what a user who is not root can do: scripts without events of the kernel, sampling of one's own programs, recordings. Nothing
# asks for root's files that does not need them; what needs them says so once. Started by root, it runs as nobody.
. "$(dirname "$0")/../common.sh"
user=
if [ "$(id -u)" = 0 ]; then
	chmod 711 "$work"
	mkdir "$work/home" && chown nobody "$work/home"
	user="setpriv --reuid nobody --regid $(id -g nobody) --clear-groups env -u XDG_RUNTIME_DIR -u XDG_CACHE_HOME HOME=$work/home"
else
	export HOME=$work/home
	mkdir "$HOME"
fi
# A program that works until nobody can miss it: half a second of its own time.
cat > "$work/busy.c" <<'END'
#include <time.h>
__attribute__((noinline)) double busy(void) { volatile double d = 0; for (int i = 0; i < 10000000; i++) d += 1; return d; }
int main(void) { while (clock() < CLOCKS_PER_SEC / 2) busy(); return 0; }
END
${CC:-cc} -g -O0 -o "$work/busy" "$work/busy.c" || exit 2
# ok NAME OUTPUT ARG...: lapwing ends with 0, prints that, complains of nothing. A clock may have ticked late.
ok() {
	local name=$1 expected=$2 status
	shift 2
	(cd "$work/home" && $user "$OLDPWD/lapwing" "$@") > "$work/out" 2> "$work/err"
	status=$?
	[ $status -eq 0 ] && [ "$(cat "$work/out")" = "$expected" ] &&
		! grep -vE '^PARTIAL: [0-9.]+ % of samples$' "$work/err" | grep -qE 'ERROR|WARNING: N|PARTIAL|tracefs' &&
		echo "PASS $name" || fail "$name: exit status $status: $(cat "$work/out" "$work/err")"
}
# says NAME STATUS TEXT ARG...: that exit status, and one line with the text.
says() {
	local name=$1 expected=$2 text=$3 status
	shift 3
	(cd "$work/home" && $user "$OLDPWD/lapwing" "$@") > "$work/out" 2> "$work/err"
	status=$?
	[ $status -eq "$expected" ] && [ "$(grep -cE -e "$text" "$work/err")" -eq 1 ] && echo "PASS $name" ||
		fail "$name: exit status $status: $(cat "$work/err")"
}
ok "a script without events" 1 --runtime=user -e 'probe begin { println(1) exit() }'
ok "timers" 1 --runtime=user -e 'probe timer.ms(1) { println(1) exit() }'
ok "own programs begin and end" "busy busy" --runtime=user --only-target -c "$work/busy" -e 'global b, e
	probe process.begin { if (pid() == target()) b = "busy" } probe process.end { if (pid() == target()) e = "busy" }
	probe end { println(b, " ", e) }'
ok "sampling one's own program" "1 busy" --runtime=user --only-target -c "$work/busy" -e 'global s, f
	probe timer.profile { s++; f[usymname(uaddr())]++ } probe end { foreach (n in f- limit 1) println(s > 100, " ", n) }'
needs="^ERROR: .*need tracefs, which is root's: run as root"
says "events of the kernel" 1 "$needs" --runtime=user -e 'probe kernel.trace("sched:sched_switch") { exit() }'
hidden="^ERROR: .*events of tracefs, which is root's: run as root: .* [[]lapwing explain E0422[]]"
says "system calls" 1 "$hidden" --runtime=user -e 'probe syscall.getppid { println(1) exit() }'
says "system calls beside a timer" 1 "$hidden" --runtime=user -e 'probe syscall.openat { n++ } global n probe timer.ms(1) { exit() }'
says "all system calls" 1 "$hidden" --runtime=user -e 'probe syscall.* { println(name) } probe timer.ms(1) { exit() }'
says "functions beside a timer" 1 "$hidden" --runtime=user -e 'probe scheduler.tick { println(1) } probe timer.ms(1) { exit() }'
says "a list of system calls" 1 "$hidden" --runtime=user -l syscall.openat
ok "system calls that may be missing" 2 --runtime=user -e 'probe syscall.openat ? { println(1) } probe timer.ms(1) { println(2) exit() }'
says "counts of all system calls" 1 "$needs" --runtime=user -e 'probe process.syscall { exit() }'
# The rest depends on what kernel.perf_event_paranoid lets users do; 2 is the kernel's own choice.
paranoid 2 || exit 77
# Of the kernel's code there are no samples: how many it skipped, and so how many there should be, is not known.
(cd "$work/home" && $user "$OLDPWD/lapwing" profile --runtime=user -v --json -o json -F 997 -- "$work/busy") > "$work/out" 2> "$work/err" &&
	grep -qE "^lapwing-run: [0-9]+ samples of user code received .*; samples of kernel code need root or CAP_PERFMON$" "$work/err" &&
	grep -qE '^UNKNOWN: .*how many samples the kernel skipped: sample both, .* CAP_PERFMON$' "$work/err" &&
	! grep -qE '^(COMPLETE|PARTIAL)' "$work/err" && python3 -c '
import json, sys
report = json.load(open(sys.argv[1]))
run = report["run"]
books, shares = run["samples"], run["shares"]
assert books["expected"] is None and books["received"] == report["samples"] > 100 and books["lost"] == books["no_room"] == 0, books
assert run["verdict"] == "UNKNOWN" and run["share"] is None, run
assert [name for name in shares if shares[name] is None] == ["hits", "samples"] and shares["output"] == 1, shares
unknown = [probe["point"] for probe in run["probes"] if probe["missed"]["unsampled"] is None]
assert unknown == ["timer.profile.freq.hz(997)"], run["probes"]
' "$work/home/json" 2>> "$work/err" && echo "PASS the books of a profile" || fail "the books of a profile: $(cat "$work/err")"
(cd "$work/home" && $user "$OLDPWD/lapwing" profile --runtime=user --strict -o /dev/null -F 997 -- "$work/busy") 2> "$work/err"
[ $? -eq 1 ] && grep -q '^UNKNOWN: ' "$work/err" && echo "PASS --strict" ||
	fail "--strict of samples that are not counted: $(cat "$work/err")"
# What is known to be lost is beside what is not known: shares are at most that. Its reader is stopped while the program runs.
cp testsuite/stopped.sh "$work/stopped"
(cd "$work/home" && $user "$OLDPWD/lapwing" profile --runtime=user --json -o json -s 0.0625 -F 9973 by 'sprint_ubacktrace()' \
	-- "$work/stopped" "$work/busy") 2> "$work/err" &&
	grep -qE '^PARTIAL: [0-9.]+ % of samples at most(, [0-9.]+ % of stacks)?; a clock .* CAP_PERFMON$' "$work/err" &&
	! grep -qE '^(COMPLETE|UNKNOWN)' "$work/err" && python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))["run"]
assert run["samples"]["lost"] == run["samples"]["no_room"] > 100 and run["samples"]["expected"] is None, run["samples"]
assert run["verdict"] == "PARTIAL" and run["shares"]["samples"] is None, run
' "$work/home/json" 2>> "$work/err" && echo "PASS losses beside what is not known" ||
	fail "losses beside what is not known: $(cat "$work/err")"
says "sampling of everybody" 1 'perf_event_paranoid is 2\): .*explain E0963' --runtime=user -e 'probe timer.profile { exit() }'
says "recording everybody" 4 'perf_event_paranoid is 2\): run as root' record -a -d 1
says "a profile of everybody" 4 'perf_event_paranoid is 2\): perf_event_open refused' profile --runtime=user -T 1
says "recording one's own program" 0 "^lapwing record: [1-9][0-9]* samples in 'lapwing.capture'" record -g -- "$work/busy"
$user ./lapwing report "$work/home/lapwing.capture" > "$work/out" 2> "$work/err" && grep -q ' busy ' "$work/out" &&
	grep -q '^UNKNOWN: a clock that samples only user code' "$work/out" && ! grep -q ' expected' "$work/out" ||
	fail "its report: $(cat "$work/out" "$work/err")"
says "recording what has no sample" 0 "^lapwing record: 0 samples in " record -e cpu-clock -c 1000000000000 -- true
$user ./lapwing report "$work/home/lapwing.capture" 2> "$work/err" | grep -q '^UNKNOWN: ' ||
	fail "the report of no sample: $(cat "$work/err")"
$user ./lapwing report --json "$work/home/lapwing.capture" | grep -q '"expected": null' || fail "its report as JSON"
# A script's records as a capture: what the run says of samples that nobody counts, its capture says, too.
says "records of one's own program" 0 '^UNKNOWN: a clock that samples only user code' --runtime=user -v \
	--only-target -o "$work/home/records.cap" -c "$work/busy" -e 'probe timer.profile { stp(uaddr(), usymname(uaddr())) }'
$user ./lapwing report "$work/home/records.cap" --by program,function > "$work/out" 2> "$work/err" &&
	grep -qE '^ +[0-9]+ +[0-9.]+  busy  busy$' "$work/out" &&
	grep -q '^UNKNOWN: a clock that samples only user code' "$work/out" ||
	fail "their report: $(cat "$work/out" "$work/err")"
says "a capture that cannot be written" 1 "'$work/c' cannot be written: Permission denied" record -o "$work/c" -- true
[ -z "$user" ] || user="$user HOME=$work"		# where it may not write
ok "no cache" 1 --runtime=user -e 'probe begin { println(1) exit() }'
[ $failed -eq 0 ]
