#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - lapwing top in a terminal of tmux: what it shows of a program whose profile is known, its keys, a window that changes its
# size, its ends. Each step waits for what it wants to see; the first that does not come is the last.
. "$(dirname "$0")/../common.sh"
command -v tmux > /dev/null || { echo "SKIP top: no tmux"; exit 77; }
socket=$work/tmux runs=0 there=
trap 'tmux -S "$socket" kill-server 2> /dev/null; [ -z "$there" ] || kill $there 2> /dev/null; rm -rf "$work"' EXIT
. testsuite/report/build-load || exit 2
pane() { tmux -S "$socket" capture-pane -p -t top 2> /dev/null; }
keys() { tmux -S "$socket" send-keys -t top "$@"; }
# holds CONDITION: the screen comes to be so, in one picture: it is the same when it is looked at again.
holds() {
	pane > "$work/pane"
	eval "$1" && pane | cmp -s - "$work/pane"
}
becomes() {	# becomes WHAT CONDITION, of $work/pane
	await "holds '$2'" && { echo "PASS $1"; return; }
	echo "FAIL $1:"
	cat "$work/pane"
	exit 1
}
has() {		# has PATTERN...: a line of each extended regular expression
	for missing; do grep -qE -e "$missing" "$work/pane" || return; done
}
# shows WHAT PATTERN...: the screen comes to have them
shows() {
	local what=$1
	shift
	patterns=("$@")
	becomes "$what" 'has "${patterns[@]}"'
}
# run WIDTH HEIGHT COMMAND: in a new terminal, which stays when the command has ended. A server ends in its own time: each has a new socket;
# now and then one does not come up on a busy machine ("server exited unexpectedly").
run() {
	session=(-x "$1" -y "$2" "TERM=screen; $3; echo status: \$?; exec cat")
	await begins || { cat "$work/tmux.err"; exit 1; }
}
begins() {
	tmux -S "$socket" kill-server 2> /dev/null
	socket=$work/tmux$((++runs))
	tmux -f /dev/null -S "$socket" new-session -d -s top "${session[@]}" 2> "$work/tmux.err"
}

printf 'echo $$ > %s/pid\nexec %s/load 60000\n' "$work" "$work" > "$work/command"
run 120 30 "./lapwing top -- sh $work/command"
shows "what a command does" "^lapwing top: sh $work/command" '^last 5 s: [1-9][0-9]* samples, .* 0 lost since the start; by functions' \
	'^ *% +\+- +samples +procedure +image' '^ *[0-9]+\.[0-9]+ +[0-9.]+ +[1-9][0-9]* +heavy +.*/load$' ' light +.*/load$'
first() { [ "$(awk 'NR == 5 { print $4 }' "$work/pane")" = heavy ]; }
becomes "most time first" first
keys n
shows "by program" '; by programs' ' +\+- +samples +program' '^ *100\.00 .* load$'
keys p
shows "by process" '; by processes' '^ *100\.00 .* load\([0-9]+\)$'
keys h
shows "help" '^ *q, \^C quit' 'f +by functions'
keys f
shows "and back" '; by functions' ' heavy +'
tmux -S "$socket" resize-window -t top -x 60 -y 8
shows "a smaller window" '^last 5 s: .*samples, .{0,40}$' ' heavy '
[ "$(wc -l < "$work/pane")" -le 8 ] || fail "lines of a small window"
keys q
shows "q ends it" '^status: 0$'
await '! grep -qs load "/proc/$(cat "$work/pid")/cmdline"' && echo "PASS its command ends too" || fail "its command goes on"

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
	shows "and its end" '^status: 0$'
fi
kill $there
there=
run 120 30 "./lapwing top -- $work/load 100"
shows "a command's end" '^lapwing top: .*; it has ended'
keys q
shows "is shown until q" '^status: 0$'
"$work/load" 60000 > /dev/null &
there=$!
run 120 30 "./lapwing top -p $there"
shows "a process that runs" ' heavy +.*/load$'
kill $there
there=
shows "its end" '^lapwing top: .*; it has ended' ' heavy +.*/load$'
keys q
shows "is shown until q, too" '^status: 0$'
run 40 6 "./lapwing top -e cpu-clock -e task-clock -- sh $work/command"
shows "a narrow window" '^lapwing top: sh ' '^last 5 s: [1-9][0-9]* samples, [^(]*$' '^cpu-clock, event 1 of 2 ' '^ *% +' ' heavy( |$)'
keys n e
shows "another event" '^task-clock, event 2 of 2 ' ' load$'
keys e h
shows "and the first again, with help" '^cpu-clock, event 1 of 2 ' 'f +by functions'
keys q
shows "the terminal as it was" '^status: 0$' 'lapwing top: sh|^ *$'
run 120 30 "./lapwing top -p 999999999"
shows "what lapwing record refuses" "there is no process 999999999" '^status: 1$'
run 120 30 "./lapwing top -F 0"
shows "and what it does not understand" "a number of samples a second" '^status: 2$'
run 120 30 "TERM=nonsense ./lapwing top"
shows "a terminal that is not known" 'this terminal \(TERM=nonsense\) cannot be drawn on' '^status: 1$'
./lapwing top < /dev/null > "$work/out" 2>&1
[ $? -eq 1 ] && grep -q '^lapwing top: it needs a terminal; ' "$work/out" || fail "no terminal: $(cat "$work/out")"
[ $failed -eq 0 ]
