#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - runs that are killed with SIGKILL: their command is killed, too, and the next start of
# any lapwing program removes what they left; live runs are not touched. Every step waits for its
# condition.
. "$(dirname "$0")/../common.sh"
if [ "$(id -u)" = 0 ]; then
	folder=/run/lapwing
else
	export XDG_RUNTIME_DIR=$work
	folder=$work/lapwing
fi
pids=
trap 'for p in $pids; do kill -9 $p 2> /dev/null; done; rm -rf "$work"' EXIT
verdict() { if [ $? -eq 0 ]; then echo "PASS $1"; else fail "$1: $(cat "$work"/*.err)"; fi; }
# comes CONDITION...: waits until it holds, at most a minute (the machine may be busy).
comes() { for _ in $(seq 1200); do "$@" 2> /dev/null && return; sleep 0.05; done; return 1; }
# gone PID: true if all of its threads have exited: the last one closes the files.
gone() { ! kill -0 "$1" || { grep -q '^State:.Z' "/proc/$1/status" &&
	grep -q '^Threads:.[01]$' "/proc/$1/status"; }; } 2> /dev/null
nothing_of() { ! compgen -G "$folder/$1.*" > "$work/left"; }
# A command that writes the process ids of itself and its parent, and stays.
printf 'echo $$ > %s/$1.child; echo $PPID > %s/$1.run; exec sleep 1000\n' "$work" \
	"$work" > "$work/stay"
# begin NAME COMMAND...: starts a run in the background and waits until its command runs. Sets $run
# to the process of the run, $child to that of its command.
begin() {
	local name=$1
	shift
	"$@" > "$work/$name.out" 2> "$work/$name.err" &
	comes [ -s "$work/$name.run" ] || fail "$name does not begin: $(cat "$work/$name.err")"
	run=$(cat "$work/$name.run") child=$(cat "$work/$name.child")
	pids="$pids $run $child"
}
# kill_9 PID: kills it and waits until it is gone.
kill_9() { kill -9 "$1" && comes gone "$1"; }
lw="./lapwing --runtime=user"

begin live $lw -c "sh $work/stay live" -e 'probe timer.s(1000) { println(1) }'
live=$run
begin dead $lw -c "sh $work/stay dead" -e 'probe timer.s(1000) { println(1) }'
[ -e "$folder/$run.ctl" ] && kill_9 $run && comes gone $child
verdict "the command ends with its run"
[ -e "$folder/$run.ctl" ] && $lw -e 'probe begin { exit() }' 2> "$work/next.err" && nothing_of $run
verdict "the next script removes its socket"
./lapwing ctl status $live | grep -q "^$live " && ! gone $live
verdict "a live run is not touched"

begin dead2 ./lapwing record -q -o "$work/c" -- sh "$work/stay" dead2
[ -e "$folder/$run.ctl" ] && kill_9 $run && ./lapwing ctl status $live > "$work/out" &&
	nothing_of $run
verdict "lapwing ctl removes the socket of a recording"
begin dead3 $lw -c "sh $work/stay dead3" -e 'probe timer.s(1000) { println(1) }'
kill_9 $run && ./lapwing record -q -o "$work/c" -- true && nothing_of $run
verdict "lapwing record removes the socket of a script"
# A process id may be reused, here by this script: without a lock there is no run.
: > "$folder/$$.run" && : > "$folder/$$.ctl" &&
	$lw -e 'probe begin { exit() }' 2> "$work/next.err" && nothing_of $$
verdict "a reused pid"
# The exec of a setuid program clears its parent-death signal. Here the run's file is changed to
# name another process, which does not exit with its parent.
begin program $lw -c "sh $work/stay program" -e 'probe timer.s(1000) { println(1) }'
sleep 1000 &
other=$!
pids="$pids $other"
ticks=$(sed 's/.*) //' /proc/$other/stat | cut -d' ' -f20)
kill_9 $run && printf '%s %s\n' $other "$ticks" > "$folder/$run.run" &&
	$lw -e 'probe begin { exit() }' 2> "$work/next.err" &&
	nothing_of $run && comes gone $other
verdict "a program that did not exit with its run"
sleep 1000 &
other=$!
pids="$pids $other"
printf '%s %s\n' $other $((ticks - 1)) > "$folder/$run.run" &&
	$lw -e 'probe begin { exit() }' 2> "$work/next.err" &&
	nothing_of $run && ! gone $other
verdict "the process that reused its pid is not touched"

# Without a cache, `lapwing` stays until the run has ended, to remove what it built.
LAPWING_CACHE=/proc/nowhere begin front $lw -o "$work/printed" -c "sh $work/stay front" \
	-e 'probe begin { println("begun") } probe end { println("ended") }
	probe timer.s(1000) { println(1) }'
front=$(awk '/^PPid/ { print $2 }' /proc/$run/status)
[ "$(cat /proc/$front/comm)" = lapwing ] && kill_9 $front && comes gone $run && comes gone $child &&
	[ "$(cat "$work/printed")" = "begun
ended" ] && nothing_of $run
verdict "the run ends normally if 'lapwing' is killed"

if [ "$(id -u)" = 0 ] && [ -r /sys/kernel/tracing/uprobe_events ]; then
	events=/sys/kernel/tracing/uprobe_events
	cat > "$work/target.c" <<'END'
__attribute__((noinline)) int target(int n) { return n + 1; }
int main(int argc, char **argv) { return target(argc) == 100; }
END
	${CC:-cc} -g -O0 -o "$work/target" "$work/target.c" || exit 2
	probe="process(\"$work/target\").function(\"target\")"
	begin kept $lw -c "sh $work/stay kept" -e "probe $probe { println(1) }"
	kept=$run
	begin dead4 $lw -c "sh $work/stay dead4" -e "probe $probe { println(1) }"
	grep -q "lapwing_$run/" $events && grep -q "lapwing_$kept/" $events
	verdict "runs have events"
	kill_9 $run && $lw -e 'probe begin { exit() }' 2> "$work/next.err" &&
		! grep "lapwing_$run/" $events && nothing_of $run
	verdict "a script without events removes those of a killed run"
	grep -q "lapwing_$kept/" $events
	verdict "events of live runs remain"
	kill_9 $kept && ./lapwing record -q -o "$work/c" -- true && ! grep "lapwing_$kept/" $events
	verdict "a recording removes events of a killed run"
fi
kill -TERM $live && comes gone $live && nothing_of $live
verdict "a run that ends normally leaves nothing behind"
[ $failed -eq 0 ]
