#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-signals.sh - SIGINT and SIGTERM end a run in whatever it is, and what was gathered is kept: while it samples, while it looks for
# names, stuck in the kernel (stall.c), with a command that does not end, an output that nobody reads. Cases run side by side: some of
# them wait as long as the run has patience.
. "$(dirname "$0")/../common.sh"
trap '[ -z "$(jobs -p)" ] || kill -9 $(jobs -p) 2> /dev/null; rm -rf "$work"' EXIT
[ "$(id -u)" = 0 ] || export XDG_RUNTIME_DIR=$work
. testsuite/report/build-load || exit 2
${CC:-cc} -shared -fPIC -o "$work/stall.so" testsuite/hostile/stall.c -ldl || exit 2
verdict() { if [ $? -eq 0 ]; then echo "PASS $1"; else fail "$1"; head -20 "$work/$2".{out,err,status}; fi; }
# run CASE SIGNAL CONDITION COMMAND...: once the condition holds, the run that COMMAND becomes gets the signal; CASE.status tells its end.
# It is stopped and goes on now and then: what is stuck is woken by that, and is stuck as before.
run() {
	local case=$1 signal=$2 condition=$3 pid
	shift 3
	"$@" > "$work/$case.out" 2> "$work/$case.err" &
	pid=$!
	await "$condition" || echo "never: $condition" >> "$work/$case.err"
	kill "-$signal" $pid
	while kill -STOP $pid && kill -CONT $pid; do sleep 0.5; done 2> /dev/null &
	await "! kill -0 $pid 2> /dev/null" || { echo "it does not end" >> "$work/$case.err"; kill -9 $pid; }
	wait $pid
	echo $? > "$work/$case.status"
}
status() { [ "$(cat "$work/$1.status")" = "$2" ]; }
# whole CASE: its capture is, and knows the function that took most time.
whole() {
	./lapwing report "$work/$1.c" > "$work/$1.report" 2>&1 && grep -qw heavy "$work/$1.report" && ! grep -q 'did not come' "$work/$1.report"
}
worked="[ -e $work/worked ]"
printf '%s 200 > /dev/null; : > %s; exec sleep 1000\n' "$work/load" "$work/worked" > "$work/work"
lw="./lapwing --runtime=user"
cp "$work/load" "$work/linked"
objcopy --only-keep-debug "$work/linked" "$work/linked.debug" &&
	objcopy --strip-debug --add-gnu-debuglink="$work/linked.debug" "$work/linked" || exit 2

for signal in INT TERM; do
	run sampling$signal $signal "$worked" ./lapwing record -g -o "$work/sampling$signal.c" -- sh "$work/work" &
done
# Names are looked for in a file that does not answer: signals that can be taken, and that cannot.
for form in SOFT HARD; do
	mkfifo "$work/naming$form.pipe"
	run naming$form TERM "[ -e $work/naming$form.pipe.on ]" env LD_PRELOAD="$work/stall.so" STALL="$work/naming$form.pipe" \
		STALL_NAME=/linked.debug STALL_$form=1 ./lapwing record -g -o "$work/naming$form.c" -- "$work/linked" 200 &
done
if [ "$(id -u)" = 0 ]; then
	mkfifo "$work/stuck.pipe" "$work/script.pipe"
	run stuck TERM "[ -e $work/stuck.pipe.on ]" env LD_PRELOAD="$work/stall.so" STALL="$work/stuck.pipe" STALL_NAME=/map_files/ \
		./lapwing record -g -o "$work/stuck.c" -- sh "$work/work" &
	run script TERM "[ -e $work/script.pipe.on ]" env LD_PRELOAD="$work/stall.so" STALL="$work/script.pipe" STALL_NAME=/map_files/ \
		$lw --only-target -c "sh $work/work" -e 'global n probe timer.profile { n[usymname(uaddr())]++ } probe end { println(1) }' &
fi
printf 'trap "" TERM; : > %s; while :; do sleep 1; done\n' "$work/stubborn" > "$work/stays"
run stays INT "[ -e $work/stubborn ]" $lw -c "sh $work/stays" -e 'probe timer.s(1000) { n++ } global n probe end { println("end") }' &
run system TERM "[ -e $work/asked ]" $lw \
	-e "probe begin { system(\"echo \$\$ > $work/asked; exec sleep 1000\") } probe end { println(\"end\") }" &
mkfifo "$work/unread" && exec 4<> "$work/unread"
# More than the pipe holds.
run unread TERM "[ -e $work/begun ]" $lw -o "$work/unread" -e "probe begin { system(\"touch $work/begun\") }
	probe timer.s(1000) { println(1) } probe end { for (i = 0; i < 30000; i++) println(i) }" &
wait
for signal in INT TERM; do
	status sampling$signal 0 && whole sampling$signal && honest "$work/sampling$signal.report"
	verdict "record: SIG$signal while it samples" sampling$signal
done
for form in SOFT HARD; do
	status naming$form 0 && whole naming$form && grep -q 'finds the other names' "$work/naming$form.err"
	verdict "record: names do not come ($form)" naming$form
done
if [ "$(id -u)" = 0 ]; then
	status stuck 1 && grep -qF 'written so far [lapwing explain E1025]' "$work/stuck.err" &&
		./lapwing report "$work/stuck.c" 2>&1 | grep -q 'was cut off'
	verdict "record: stuck while it samples" stuck
	status script 1 && grep -qF 'printed by now is lost [lapwing explain E0995]' "$work/script.err"
	verdict "a script: stuck" script
fi
status stays 0 && grep -qx end "$work/stays.out" && grep -q 'does not end by SIGTERM: it is killed' "$work/stays.err"
verdict "a command that does not end" stays
kill "$(cat "$work/asked")"
status system 0 && grep -qx end "$work/system.out" && grep -q '1 commands of system() still run' "$work/system.err"
verdict "a command of system() that does not end" system
status unread 1 && grep -q 'ERROR: nobody reads the output' "$work/unread.err" && grep -q '^PARTIAL' "$work/unread.err"
verdict "output that nobody reads" unread
[ $failed -eq 0 ]
