#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-data.sh - process.data in the user runtime: of several processes that make known numbers of
# accesses of the same address (testsuite/triggers/watched.c), only those of the right one are hits;
# what cannot be watched is refused. testsuite/run-user/watched.stp has the other kinds of accesses.
. "$(dirname "$0")/../common.sh"
"${CC:-cc}" -g -O1 -static -pthread -o "$work/watched" testsuite/triggers/watched.c || exit 2
mkfifo "$work/gate"
take_registers

hold() {	# hold WRITES READS: starts a process that waits for a signal, $held
	"$work/watched" "$1" "$2" held &
	held=$!
	until grep -q '^State:.S' /proc/$held/status; do kill -0 $held || exit 2; done
}

judge() {	# judge STATUS EXPECTED: the run printed that, and lost nothing
	[ "$1" -eq 0 ] && [ "$(cat "$work/out")" = "$2" ] && grep -q ^COMPLETE "$work/err" ||
		{ fail "status $1, not '$2':"; cat "$work/out" "$work/err"; }
}

refused() {	# refused TEXT ARGUMENT...: the run is refused, with one message that has TEXT
	local text=$1 status
	shift
	./lapwing --runtime=user "$@" > "$work/out" 2> "$work/err"
	status=$?
	[ $status -eq 1 ] && [ "$(grep -cF -- "$text" "$work/err")" -eq 1 ] ||
		{ fail "status $status, not '$text': $*"; cat "$work/err"; }
}

# ---- which process: by number, the target, and one that is not asked for ----
hold 300 100 && numbered=$held
hold 70 7 && foreign=$held
exec 3<> "$work/gate"
./lapwing -v --runtime=user -c "kill -USR1 $numbered $foreign; read line < $work/gate
	exec $work/watched 200 50" -e "global target, other, wrong
	probe process.data(0x10000000).rw { target++; wrong += pid() != target() }
	probe process($numbered).data(0x10000000).write { other++; wrong += pid() != $numbered }
	probe end { printf(\"%d %d %d\n\", target, other, wrong) }" \
	> "$work/out" 2> "$work/err" 3>&- &
run=$!
until [ ! -d /proc/$numbered ] && [ ! -d /proc/$foreign ]; do
	kill -0 $run 2>&- || kill $numbered $foreign 2>&-
done
echo go >&3
wait $run
judge $? '500 600 0'

hold 300 100
./lapwing -v --runtime=user -x $held -e 'global n, sent
	probe timer.ms(1) { if (!sent++) system("kill -USR1 " . sprint(target())) }
	probe process.data(0x10000200).length(8).write { n++ }
	probe end { println(n) }' > "$work/out" 2> "$work/err"
judge $? 600
kill $held 2>&-

# ---- what is refused ----
all=
for i in 0 1 2 3 4; do
	all+=" probe process.data($((0x10000000 + 8 * i))).write { n++ }"
done
[ "$(uname -m)" != x86_64 ] || refused "the processor's debug registers are all in use" \
	-c true -e "global n $all"
# more than the kernel's largest id
refused 'there is no such process' -c true \
	-e 'probe process(4194305).data(0x10000000).write { println(1) }'
refused 'give one of them, or process(PID)' -e 'probe process.data(0x10000000).write { n++ }'
refused "'register" -c true -e 'probe process.data(0x10000000).write { println(register("rax")) }'
refused 'not a multiple of the length' -c true \
	-e 'probe process.data(0x10000001).length(4).write { }'
(cd "$work" && "$OLDPWD/lapwing" --runtime=user -p4 -m later \
	-e 'probe process.data(0x10000000).write { n++ } global n' > out) || fail "later: no module"
./lapwing-run "$work/later.so" > "$work/out" 2> "$work/err" && fail "later: it ran"
grep -q 'it needs -c or -x' "$work/err" || { fail later; cat "$work/err"; }
./lapwing-run -c "$work/watched 20 10" "$work/later.so" > "$work/out" 2> "$work/err"
grep -qx n=40 "$work/out" || { fail "later: $(cat "$work/out" "$work/err")"; }

# The new value is not in the event: it is counted as not read, and not read later.
./lapwing --runtime=user -c "$work/watched 20 10" -e 'probe process.data(0x10000000).write {
	sum += user_int(0x10000000) } global sum' > "$work/out" 2> "$work/err"
grep -qx sum=0 "$work/out" && grep -q 'user_int() not read at 40 hits' "$work/err" ||
	{ fail "values"; cat "$work/out" "$work/err"; }
[ $failed -eq 0 ]
