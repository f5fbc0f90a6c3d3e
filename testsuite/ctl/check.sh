#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - lapwing ctl: a recording and a script are paused by the command that they profile;
# messages of ctl if no run or several runs match.
. "$(dirname "$0")/../common.sh"
verdict() { if [ $? -eq 0 ]; then echo "PASS $1"; else echo "FAIL $1"; cat "$work/out" "$work/err"
failed=1; fi; }
[ "$(id -u)" = 0 ] || export XDG_RUNTIME_DIR="$work"
. testsuite/report/build-load || exit 2
for name in first second third; do cp "$work/load" "$work/$name"; done
cat > "$work/steps" <<'END'
set -e
$1/first 50 > /dev/null
./lapwing ctl off $2
./lapwing ctl off $2 > /dev/null
$1/second 50 > /dev/null
./lapwing ctl status $2
./lapwing ctl on $2
$1/third 50 > /dev/null
./lapwing ctl flush $2
END

./lapwing record -q --off-cpu -o "$work/c" -- \
	sh -c 'sh "$1/steps" "$1" $PPID; ./lapwing report "$1/c" > "$1/early" 2> /dev/null' x \
	"$work" > "$work/out" 2> "$work/err"
verdict "a recording is controlled by the process it profiles"
grep -q ' c: sampling off: recording for ' "$work/out" &&
	grep -q ' c: recording for .*, sampling off, ' "$work/out" &&
	grep -q ' c: sampling on: ' "$work/out" && grep -q ' c: flushed: recording for ' "$work/out"
verdict "ctl reports its state"
./lapwing report --by name "$work/c" > "$work/out" 2> "$work/err"
grep -qw first "$work/out" && grep -qw third "$work/out" && ! grep -qw second "$work/out"
verdict "code that ran while sampling was off has no samples"
# `second` would have had 50 samples. A busy machine loses a few others, which makes it PARTIAL.
lost=$(sed -n 's/^samples .*, \([0-9]*\) lost.*/\1/p' "$work/out" | head -n 1)
grep -q '^paused  *sampling was off for ' "$work/out" && [ "${lost:-50}" -lt 25 ] &&
	grep -q "$([ "$lost" -eq 0 ] && echo '^COMPLETE$' || echo '^PARTIAL')" "$work/out"
verdict "sampling off is not a loss"
grep -q 'the recording was interrupted' "$work/early" && grep -q 'heavy' "$work/early"
verdict "flushed data can be read while the recording continues"

script=ctl_$$.stp
cat > "$work/$script" <<'END'
global samples
probe timer.profile { samples[execname()]++ }
probe end { foreach (name in samples) println(name) }
END
./lapwing --runtime=user --only-target -c "sh $work/steps $work $script" \
	--json-summary "$work/json" -o "$work/names" \
	"$work/$script" > "$work/out" 2> "$work/err"
verdict "a script is controlled"
grep -q " $script: probes are off: " "$work/out" &&
	grep -q " $script: a script, running for .*, probes off, " "$work/out"
verdict "ctl reports its state"
grep -qx first "$work/names" && grep -qx third "$work/names" && ! grep -qx second "$work/names"
verdict "samples are not handled while it is off"
# A busy machine loses some samples, but not all that 100 ms of work give.
sed -n 's/.*"samples": {.*"off": \([0-9]*\), .*"lost": \([0-9]*\), .*/\1 \2/p' "$work/json" |
	awk '{ n++; good = $1 >= 30 && $2 < $1 } END { exit !good || n != 1 }'
verdict "samples are counted as off, not as lost"

./lapwing --runtime=user -c "./lapwing ctl off $script" \
	-e 'probe timer.s(100) { println(1) }' > "$work/out" 2> "$work/err"
[ $? -ne 0 ] && grep -q "^lapwing ctl: no run '$script'" "$work/err"
verdict "no such run"
# Timer hits are counted, too, however busy the machine is, also those while probes are off.
cat > "$work/$script" <<'END'
global on
probe timer.ms(1) { on++ }
probe end { println(on > 0) }
END
./lapwing --runtime=user -c "sh $work/steps $work $script" --json-summary "$work/json" \
	"$work/$script" > "$work/out" 2> "$work/err" &&
	grep -qx 1 "$work/out" && grep -q '"condition_off": [1-9]' "$work/json"
verdict "a script that does not sample"
echo 'probe begin { profile_off() } probe timer.profile { println("a sample"); exit() }' > \
	"$work/$script"
steps="$work/load 50 > /dev/null; ./lapwing ctl status $script; ./lapwing ctl on $script"
steps="$steps; exec $work/load 60000"
./lapwing --runtime=user --only-target -c "$steps" "$work/$script" > "$work/out" 2> "$work/err"
grep -q 'running for .*, 0 output records' "$work/out" && grep -qx 'a sample' "$work/out"
verdict "a script that starts with sampling off is switched on"
echo 'probe timer.s(100) { println(1) }' > "$work/$script"
inner="./lapwing --runtime=user -c './lapwing ctl flush $script' $work/$script"
./lapwing --runtime=user -c "$inner" "$work/$script" > "$work/out" 2> "$work/err"
[ $? -ne 0 ] && grep -q '^lapwing ctl: 2 runs match: give a process id' "$work/err" &&
	[ "$(grep -c " $script: a script" "$work/err")" -eq 2 ]
verdict "several runs"
if [ "$(id -u)" = 0 ]; then
	gcc -g -O0 -o "$work/calls" -x c - <<'END'
int f(int n) { return n + 1; }
int main(void) { int s = 0; for (int i = 0; i < 1000; i++) s = f(s); return s != 1000; }
END
	cat > "$work/$script" <<END
global counted, seen, args
probe process("$work/calls").function("f") { counted++ }
probe process("$work/calls").function("f").call { seen[execname()]++ }
probe process("$work/calls").function("f").return { args[\$n]++ }
probe end {
	foreach (n in args) other += args[n] != 2
	println(counted, " ", seen["calls"], " ", other, " other")
}
END
	steps="$work/calls && ./lapwing ctl off $script && $work/calls"
	steps="$steps && ./lapwing ctl on $script && $work/calls"
	./lapwing --runtime=user -c "$steps" --json-summary "$work/json" \
		"$work/$script" > "$work/out" 2> "$work/err" &&
		grep -qx '2000 2000 0 other' "$work/out" &&
			[ "$(grep -c '"condition_off": 1000 ' "$work/json")" -eq 2 ]
	verdict "exactly the calls while it is off are not counted"
	echo "probe process(\"$work/calls\").function(\"main\") { println(\"main\") }" > \
		"$work/$script"
	steps="$work/calls && ./lapwing ctl flush $script && cp $work/names $work/early"
	./lapwing --runtime=user -c "$steps" -o "$work/names" "$work/$script" > "$work/out" \
		2> "$work/err"
	[ "$(cat "$work/early")" = main ] && grep -q 'written so far: 1 records' "$work/out"
	verdict "a flush writes everything before it"
fi
./lapwing ctl pause > "$work/out" 2> "$work/err"
[ $? -eq 2 ] && grep -q '^Usage: lapwing ctl' "$work/err"
verdict "wrong usage"
if [ "$(id -u)" = 0 ]; then
	mkdir "$work/mine" && chown nobody "$work/mine" && chmod 711 "$work"
	nobody() { setpriv --reuid nobody --clear-groups env -u XDG_RUNTIME_DIR "$@" > "$work/out" \
		2> "$work/err"; }
	folder=/tmp/lapwing-$(id -u nobody)
	rm -rf "$folder"
	echo 'probe timer.s(100) { println(1) }' > "$work/own.stp"
	(cd "$work" && "$OLDPWD/lapwing" --runtime=user -p4 -m own own.stp) > "$work/out" 2>&1 &&
		chmod 644 "$work/own.so"
	nobody ./lapwing-run -c './lapwing-ctl status' "$work/own.so"
	grep -q '^[0-9]* .*: a script, running for ' "$work/out" &&
		[ "$(stat -c %a:%U "$folder")" = 700:nobody ]
	verdict "a user without XDG_RUNTIME_DIR"
	chown root "$folder"
	nobody ./lapwing-run -vv -c './lapwing-ctl status' "$work/own.so"
	refusal="cannot use '$folder' for this user's runs: it must belong to this user"
	grep -q "^lapwing ctl: $refusal" "$work/err" &&
		grep -q "'lapwing ctl' cannot reach this run" "$work/err" &&
			[ -z "$(ls "$folder")" ]
	verdict "a directory of another user is not used"
	rmdir "$folder"
	setpriv --reuid nobody --clear-groups env XDG_RUNTIME_DIR="$work/mine" ./lapwing-ctl \
		status > "$work/out" 2> "$work/err"
	[ $? -eq 1 ] && grep -q '^lapwing ctl: nothing is running: ' "$work/err"
	verdict "nothing to control"
	[ "$(find /run/lapwing -name '*.ctl' -perm /077 | wc -l)" -eq 0 ]
	verdict "sockets are private to their owner"
fi
exit $failed
