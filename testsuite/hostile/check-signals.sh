#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-signals.sh - SIGINT and SIGTERM end a run in any state and keep its results: while it is
# sampling, symbolizing or stuck in the kernel (stall.c), when its command does not exit, and when
# nobody reads its output. Cases run in parallel because some wait for the run's time limits.
. "$(dirname "$0")/../common.sh"
trap '[ -z "$(jobs -p)" ] || kill -9 $(jobs -p) 2> /dev/null; rm -rf "$work"' EXIT
[ "$(id -u)" = 0 ] || export XDG_RUNTIME_DIR=$work
. testsuite/report/build-load || exit 2
${CC:-cc} -shared -fPIC -o "$work/stall.so" testsuite/hostile/stall.c -ldl || exit 2
verdict() { if [ $? -eq 0 ]; then echo "PASS $1"; else fail "$1"
tail -n 20 "$work/$2".{out,err,status,report}; fi; }
comes() { for _ in $(seq 2400); do "$@" 2> /dev/null && return; sleep 0.05; done; return 1; }
# run CASE SIGNAL CONDITION COMMAND...: starts COMMAND and sends it SIGNAL once CONDITION holds.
# Its exit status goes to CASE.status.
run() {
	local case=$1 signal=$2 condition=$3 pid
	shift 3
	"$@" > "$work/$case.out" 2> "$work/$case.err" &
	pid=$!
	comes eval "$condition" || echo "never: $condition" >> "$work/$case.err"
	kill "-$signal" $pid
	comes eval "! kill -0 $pid" || { echo "it does not end" >> "$work/$case.err"; kill -9 $pid
	}
	wait $pid
	echo $? > "$work/$case.status"
}
status() { [ "$(cat "$work/$1.status")" = "$2" ]; }
# whole CASE: true if the capture of CASE is complete and names the hottest function.
whole() {
	./lapwing report "$work/$1.c" > "$work/$1.report" 2>&1 &&
		grep -qw heavy "$work/$1.report" && ! grep -q 'was interrupted' "$work/$1.report"
}
worked="[ -e $work/worked ]"
printf '%s 200 > /dev/null; : > %s; exec sleep 1000\n' "$work/load" "$work/worked" > "$work/work"
lw="./lapwing --runtime=user"
cp "$work/load" "$work/linked"
objcopy --only-keep-debug "$work/linked" "$work/linked.debug" &&
	objcopy --strip-debug --add-gnu-debuglink="$work/linked.debug" "$work/linked" || exit 2

for signal in INT TERM; do
	run sampling$signal $signal "$worked" ./lapwing record -g -o "$work/sampling$signal.c" -- \
		sh "$work/work" &
done
# Symbolization blocks on opening a debug file, with signals delivered (SOFT) or blocked (HARD).
for form in SOFT HARD; do
	mkfifo "$work/naming$form.pipe"
	run naming$form TERM "[ -e $work/naming$form.pipe.on ]" env LD_PRELOAD="$work/stall.so" \
		STALL="$work/naming$form.pipe" \
		STALL_NAME=/linked.debug STALL_$form=1 ./lapwing record \
		-g -o "$work/naming$form.c" -- "$work/linked" 200 &
done
if [ "$(id -u)" = 0 ]; then
	mkfifo "$work/stuck.pipe" "$work/script.pipe"
	run stuck TERM "[ -e $work/stuck.pipe.on ]" env LD_PRELOAD="$work/stall.so" \
		STALL="$work/stuck.pipe" STALL_NAME=/map_files/ \
		./lapwing record -g -o "$work/stuck.c" -- sh "$work/work" &
	run script TERM "[ -e $work/script.pipe.on ]" env LD_PRELOAD="$work/stall.so" \
		STALL="$work/script.pipe" STALL_NAME=/map_files/ \
		$lw --only-target -c "sh $work/work" \
		-e 'global n probe timer.profile { n[usymname(uaddr())]++ }
		probe end { println(1) }' &
fi
printf 'trap "" TERM; : > %s; while :; do sleep 1; done\n' "$work/stubborn" > "$work/stays"
run stays INT "[ -e $work/stubborn ]" $lw -c "sh $work/stays" \
	-e 'probe timer.s(1000) { n++ } global n probe end { println("end") }' &
run system TERM "[ -e $work/asked ]" $lw \
	-e "probe begin { system(\"echo \$\$ > $work/asked; exec sleep 1000\") }
	probe end { println(\"end\") }" &
mkfifo "$work/unread" && exec 4<> "$work/unread"
# The output is larger than the pipe's buffer.
run unread TERM "[ -e $work/begun ]" $lw -o "$work/unread" \
	-e "probe begin { system(\"touch $work/begun\") }
	probe timer.s(1000) { println(1) } probe end { for (i = 0; i < 30000; i++) println(i) }" &
wait
for signal in INT TERM; do
	# PARTIAL: a sample in the dynamic linker's first instructions has no certain caller.
	status sampling$signal 0 && whole sampling$signal &&
		grep -qxE 'COMPLETE|PARTIAL: the innermost caller is uncertain in [0-9.]+ % .*' \
			"$work/sampling$signal.report"
	verdict "record: SIG$signal while sampling" sampling$signal
done
for form in SOFT HARD; do
	status naming$form 0 && whole naming$form &&
		grep -q 'finds the remaining names' "$work/naming$form.err"
	verdict "record: symbolization is blocked ($form)" naming$form
done
if [ "$(id -u)" = 0 ]; then
	status stuck 1 && grep -q 'blocked in a system call' "$work/stuck.err" &&
		./lapwing report "$work/stuck.c" 2>&1 | grep -q 'the recording was interrupted'
	verdict "record: stuck while sampling" stuck
	status script 1 && grep -q 'ERROR: the run is stuck' "$work/script.err"
	verdict "a script: stuck" script
fi
status stays 0 && grep -qx end "$work/stays.out" &&
	grep -q 'did not exit on SIGTERM: killing it' "$work/stays.err"
verdict "a command that ignores SIGTERM" stays
kill "$(cat "$work/asked")"
status system 0 && grep -qx end "$work/system.out" &&
	grep -q '1 commands of system() are still running' "$work/system.err"
verdict "a command of system() that does not exit" system
status unread 1 && grep -q 'ERROR: the reader of the output is gone' "$work/unread.err" &&
	grep -q '^PARTIAL' "$work/unread.err"
verdict "output that nobody reads" unread
[ $failed -eq 0 ]
