#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - lapwing top in a terminal of tmux: the display for a program whose profile is known,
# keys, resizing, and how it ends. Each step waits until the screen shows what it expects.
cd "$(dirname "$0")/../.." || exit 2
command -v tmux > /dev/null || exit 77
work=$(mktemp -d) || exit 2
socket=$work/tmux runs=0 there=
trap 'tmux -S "$socket" kill-server 2> /dev/null
	[ -z "$there" ] || kill $there 2> /dev/null
	rm -rf "$work"' EXIT
failed=0
. testsuite/report/build-load || exit 2
pane() { tmux -S "$socket" capture-pane -p -t top 2> /dev/null; }
keys() { tmux -S "$socket" send-keys -t top "$@"; }
# shows TITLE PATTERN...: waits until the screen has a line for each extended regular expression
shows() {
	local what=$1 pattern missing
	shift
	for _ in $(seq 2400); do
		missing=
		pane > "$work/pane"
		for pattern; do grep -qE -e "$pattern" "$work/pane" || missing=$pattern; done
		[ -n "$missing" ] || { echo "PASS $what"; return; }
		sleep 0.05
	done
	echo "FAIL $what: no line has '$missing':"
	cat "$work/pane"
	failed=1
}
# run WIDTH HEIGHT COMMAND: runs it in a new terminal, which stays when the command has ended. Each
# server has a new socket, because the one before takes time to exit; starting a server is tried
# again, because it sometimes fails on a busy machine ("server exited unexpectedly").
run() {
	for _ in $(seq 20); do
		tmux -S "$socket" kill-server 2> /dev/null
		socket=$work/tmux$((++runs))
		tmux -f /dev/null -S "$socket" new-session -d -s top -x "$1" -y "$2" \
			"TERM=screen; $3; echo status: \$?; exec cat" \
			2> "$work/tmux.err" && return
	done
	cat "$work/tmux.err"
}

printf 'echo $$ > %s/pid\nexec %s/load 60000\n' "$work" "$work" > "$work/command"
run 120 30 "./lapwing top -- sh $work/command"
shows "what a command does" "^lapwing top: sh $work/command" \
	'^last 5 s: [1-9][0-9]* samples, .* 0 lost since the start; by functions' \
	'^ *% +\+- +samples +procedure +image' \
	'^ *[0-9]+\.[0-9]+ +[0-9.]+ +[1-9][0-9]* +heavy +.*/load$' ' light +.*/load$'
[ "$(sed -n 5p "$work/pane" | awk '{ print $4 }')" = heavy ]
if [ $? -eq 0 ]; then echo "PASS most time first"
else echo "FAIL most time first:"; cat "$work/pane"; failed=1; fi
keys n
shows "by program" '; by programs' ' +\+- +samples +program' '^ *100\.00 .* load$'
keys p
shows "by process" '; by processes' '^ *100\.00 .* load\([0-9]+\)$'
keys h
shows "help" '^ *q, \^C quit' 'f +by functions'
keys f
shows "by function again" '; by functions' ' heavy +'
tmux -S "$socket" resize-window -t top -x 60 -y 8
shows "a smaller window" '^last 5 s: .*samples, .{0,40}$' ' heavy '
[ "$(wc -l < "$work/pane")" -le 8 ] || { echo "FAIL lines of a small window"; failed=1; }
keys q
shows "q ends it" '^status: 0$'
for _ in $(seq 200); do grep -qs load "/proc/$(cat "$work/pid")/cmdline" || break; sleep 0.05; done
if grep -qs load "/proc/$(cat "$work/pid")/cmdline"; then
	echo "FAIL the command still runs after q"
	failed=1
else
	echo "PASS q ends the command, too"
fi

"$work/load" 60000 > /dev/null &
there=$!
run 120 30 "./lapwing top -p $there"
shows "a running process" '^lapwing top: running processes' ' heavy +.*/load$'
keys C-c
shows "^C ends it" '^status: 0$'
if [ "$(id -u)" = 0 ]; then
	run 120 30 "./lapwing top -a"
	keys b
	shows "the whole machine" '^lapwing top: the whole machine' ' load +heavy'
	keys q
	shows "q ends top -a" '^status: 0$'
fi
kill $there
there=
run 120 30 "./lapwing top -- $work/load 100"
shows "the command has ended" '^lapwing top: .*; it has ended'
keys q
shows "q ends it after its command" '^status: 0$'
"$work/load" 60000 > /dev/null &
there=$!
run 120 30 "./lapwing top -p $there"
shows "a process that runs" ' heavy +.*/load$'
kill $there
there=
shows "the process has ended" '^lapwing top: .*; it has ended' ' heavy +.*/load$'
keys q
shows "q ends it after its process" '^status: 0$'
run 40 6 "./lapwing top -e cpu-clock -e task-clock -- sh $work/command"
shows "a narrow window" '^lapwing top: sh ' '^last 5 s: [1-9][0-9]* samples, [^(]*$' \
	'^cpu-clock, event 1 of 2 ' '^ *% +' ' heavy( |$)'
keys n e
shows "another event" '^task-clock, event 2 of 2 ' ' load$'
keys e h
shows "the first event again, with help" '^cpu-clock, event 1 of 2 ' 'f +by functions'
keys q
shows "the terminal is restored" '^status: 0$' 'lapwing top: sh|^ *$'
run 120 30 "./lapwing top -p 999999999"
shows "an error of lapwing record" "no process 999999999" '^status: 1$'
run 120 30 "TERM=nonsense ./lapwing top"
shows "an unknown terminal" 'cannot draw on this terminal \(TERM=nonsense\)' '^status: 1$'
./lapwing top < /dev/null > "$work/out" 2>&1
[ $? -eq 1 ] && grep -q '^lapwing top: needs a terminal: ' "$work/out" ||
	{ echo "FAIL no terminal"; cat "$work/out"; failed=1; }
exit $failed
