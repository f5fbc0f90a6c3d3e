#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh - runs the module of a script once in the current folder, with a known number of events;
# used natively and in guests. Leaves `out`, `err`, `summary` (--json-summary), `status`, and
# `truth` and `took` of the trigger `known` (testsuite/triggers/known.c).
# Usage: run.sh SCRIPT SITUATION EVENTS PROGRAM MODULE    EVENTS: of the second part
#   idle     the reader runs freely, and the rings hold all events
#   stopped  the reader is stopped during the second part of the events; the smallest rings
#   blocked  nobody reads the reader's output during that part; the smallest rings
#   tiny     the reader gets no CPU during that part; the smallest rings
script=$1 situation=$2 events=$3 program=$4 module=$5
directive() { sed -n "s/^#@ $1: *//p" "$script"; }
set -- $(directive events) 1
trigger="./known $1 2 200 $((events / $2)) 200"
options=$(directive run)
rm -f out err summary status truth took resumed pipe ready go done pid
mkfifo pipe ready go done || exit 2

run() {	# run OUT HOW OPTION...: runs the module until it exits
	out=$1 how=$2
	shift 2
	sh -c 'echo $$ > pid; exec "$@"' sh $program -v $options "$@" --json-summary summary \
		-c "$trigger $how" "$module" > "$out" 2> err
	echo $? > status
}

# Starts the run in the background and waits until its trigger is ready. The run writes to the pipes
# `ready` and `done` when it ends, too, so that this script never waits for a run that failed.
run_held() {
	exec 3<> ready 4<> done 5<> go
	{ run "$1" hold -s 0.0625; echo ended | tee ready > done; } &
	held=$!
	read -r said <&3
}

# Waits until the continued reader has printed an event after the first N: it has read all rings
# then, so that later events find room. Output as such may be from before it was stopped.
wait_for_reader() {	# wait_for_reader N
	case $(directive kind) in '' | pairs) ;; *) return;; esac
	until [ -e status ] || tail -n 1 out | awk -v n="$1" '{ later = $1 > n + 0 }
		END { exit !later }'; do :; done
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
	wait_for_reader "$said"
	: > resumed
	wait $held;;
blocked)
	exec 4<> done
	{ read -r said <&4; : > resumed; cat; } < pipe > out & reader=$!
	run_held pipe
	echo go >&5
	wait $held $reader;;
esac
