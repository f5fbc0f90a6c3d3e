#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - runs that are killed with SIGKILL: their command ends with them, and the next start of anything removes what they left; what
# lives is not touched. Everything waits for its condition.
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
comes() { await "$*"; }		# comes CONDITION: it holds in the end
# All of its threads: the last one lets go of its files.
gone() { ! kill -0 "$1" || { grep -q '^State:.Z' "/proc/$1/status" && grep -q '^Threads:.[01]$' "/proc/$1/status"; }; } 2> /dev/null
nothing_of() { ! compgen -G "$folder/$1.*" > "$work/left"; }
# A command that says who it and its parent are, and stays.
printf 'echo $$ > %s/$1.child; echo $PPID > %s/$1.run; exec sleep 1000\n' "$work" "$work" > "$work/stay"
# begin NAME COMMAND...: in the background, until its command runs; $run: the process that runs it, $child: that command's.
begin() {
	local name=$1
	shift
	"$@" > "$work/$name.out" 2> "$work/$name.err" &
	comes [ -s "$work/$name.run" ] || fail "$name does not begin: $(cat "$work/$name.err")"
	run=$(cat "$work/$name.run") child=$(cat "$work/$name.child")
	pids="$pids $run $child"
}
# kill_9 PID: and it has been seen to be gone.
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
verdict "a run that lives is left alone"

begin dead2 ./lapwing record -q -o "$work/c" -- sh "$work/stay" dead2
[ -e "$folder/$run.ctl" ] && kill_9 $run && ./lapwing ctl status $live > "$work/out" && nothing_of $run
verdict "a recording's, by lapwing ctl"
begin dead3 $lw -c "sh $work/stay dead3" -e 'probe timer.s(1000) { println(1) }'
kill_9 $run && ./lapwing record -q -o "$work/c" -- true && nothing_of $run
verdict "a script's, by lapwing record"
# Numbers come again: here it is ours. No lock, no run.
: > "$folder/$$.run" && : > "$folder/$$.ctl" && $lw -e 'probe begin { exit() }' 2> "$work/next.err" && nothing_of $$
verdict "a process that has its number"
# A setuid program's exec takes back that it ends with its parent; here somebody did so on purpose.
begin program $lw -c "sh $work/stay program" -e 'probe timer.s(1000) { println(1) }'
sleep 1000 &
other=$!
pids="$pids $other"
ticks=$(sed 's/.*) //' /proc/$other/stat | cut -d' ' -f20)
kill_9 $run && printf '%s %s\n' $other "$ticks" > "$folder/$run.run" && $lw -e 'probe begin { exit() }' 2> "$work/next.err" &&
	nothing_of $run && comes gone $other
verdict "a program that did not end with it"
sleep 1000 &
other=$!
pids="$pids $other"
printf '%s %s\n' $other $((ticks - 1)) > "$folder/$run.run" && $lw -e 'probe begin { exit() }' 2> "$work/next.err" &&
	nothing_of $run && ! gone $other
verdict "who has its number now stays"

# Without the cache `lapwing` stays until the run has ended, to remove what it built.
LAPWING_CACHE=/proc/nowhere begin front $lw -o "$work/printed" -c "sh $work/stay front" \
	-e 'probe begin { println("begun") } probe end { println("ended") } probe timer.s(1000) { println(1) }'
front=$(awk '/^PPid/ { print $2 }' /proc/$run/status)
[ "$(cat /proc/$front/comm)" = lapwing ] && kill_9 $front && comes gone $run && comes gone $child && [ "$(cat "$work/printed")" = "begun
ended" ] && nothing_of $run
verdict "the run ends as it should when 'lapwing' is killed"

if [ "$(id -u)" = 0 ]; then
	events=/sys/kernel/tracing/uprobe_events
	[ -r $events ] || mount -t tracefs tracefs /sys/kernel/tracing || fail "no tracefs"
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
	verdict "events are there"
	kill_9 $run && $lw -e 'probe begin { exit() }' 2> "$work/next.err" && ! grep "lapwing_$run/" $events && nothing_of $run
	verdict "a script without events removes them"
	grep -q "lapwing_$kept/" $events
	verdict "and those alone"
	kill_9 $kept && ./lapwing record -q -o "$work/c" -- true && ! grep "lapwing_$kept/" $events
	verdict "so does a recording"
fi
kill -TERM $live && comes gone $live && nothing_of $live
verdict "who ends by himself leaves nothing"
[ $failed -eq 0 ]
