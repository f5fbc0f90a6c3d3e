#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh - runs the module of a script once, here, in a situation in which the number of events is known; natively and in guests. Leaves
# `out`, `err`, `summary` (--json-summary), `status`, `uptime` before and after, and `truth` and `took` of the trigger `known`
# (testsuite/triggers/known.c).
# Usage: run.sh SCRIPT SITUATION EVENTS PROGRAM MODULE CTL    EVENTS: of the second part; CTL: lapwing-ctl
#   idle     nothing stands in the way, and the rings hold all that happens
#   stopped  the reader is stopped during the second part of the events; the rings are the smallest there are
#   blocked  what it writes is not read during that part; the rings are the smallest
#   tiny     the rings are the smallest, and during that part it gets no processor
script=$1 situation=$2 events=$3 program=$4 module=$5 ctl=$6
directive() { sed -n "s/^#@ $1: *//p" "$script"; }
set -- $(directive events) 1
trigger="./known $1 2 200 $((events / $2)) 200"
options=$(directive run)
rm -f out err flushed summary status uptime truth took resumed pipe ready go done pid
mkfifo pipe ready go done || exit 2

run() {	# run OUT HOW OPTION...: until it has ended
	out=$1 how=$2
	shift 2
	cat /proc/uptime > uptime
	sh -c 'echo $$ > pid; exec "$@"' sh $program $options "$@" --json-summary summary -c "$trigger $how" "$module" > "$out" 2> err
	echo $? > status
	cat /proc/uptime >> uptime
}

# The run goes on beside this script: it is told when the trigger is ready and when it is done; by a run that has ended, too.
run_held() {
	exec 3<> ready 4<> done 5<> go
	{ run "$1" hold -s 0.0625; echo ended | tee ready > done; } &
	held=$!
	read -r said <&3
}

# It has read what was there when it went on: what happens from now on finds room.
wait_for_reader() {
	until "$ctl" flush > flushed 2>&1 || [ -e status ]; do :; done
}

case $situation in
idle)
	run out '';;
tiny)
	run out alone -s 0.0625;;
stopped)
	run_held out
	pid=$(cat pid)
	kill -STOP "$pid"
	until grep -q '^State:.T' "/proc/$pid/status"; do [ -d "/proc/$pid" ] || exit 1; done
	echo go >&5
	read -r said <&4
	kill -CONT "$pid"
	wait_for_reader
	: > resumed
	wait $held;;
blocked)
	exec 4<> done
	{ read -r said <&4; : > resumed; cat; } < pipe > out & reader=$!
	run_held pipe
	echo go >&5
	wait $held $reader;;
esac
