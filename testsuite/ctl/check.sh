#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - lapwing ctl: a recording and a script are paused by the command that they profile, which knows when; what ctl says when there
# is nothing to be controlled, or too much.
. "$(dirname "$0")/../common.sh"
verdict() { if [ $? -eq 0 ]; then echo "PASS $1"; else echo "FAIL $1"; cat "$work/out" "$work/err"; failed=1; fi; }
[ "$(id -u)" = 0 ] || export XDG_RUNTIME_DIR="$work"
. testsuite/report/build-load || exit 2
for name in first second third; do cp "$work/load" "$work/$name"; done
cat > "$work/steps" <<'END'
set -e
$1/first 50 > /dev/null
./lapwing ctl off $2
./lapwing ctl off $2 > /dev/null
$1/second 500 > $1/off
./lapwing ctl status $2
./lapwing ctl on $2
$1/third 50 > /dev/null
./lapwing ctl flush $2
END

./lapwing record -q --off-cpu -o "$work/c" -- \
	sh -c 'sh "$1/steps" "$1" $PPID; ./lapwing report "$1/c" > "$1/early" 2> /dev/null' x "$work" > "$work/out" 2> "$work/err"
verdict "a recording is controlled by the process it profiles"
grep -q ' c: sampling is off: recording for ' "$work/out" && grep -q ' c: recording for .*, sampling off, ' "$work/out" &&
	grep -q ' c: sampling is on: ' "$work/out" && grep -q ' c: written: recording for ' "$work/out"
verdict "what ctl says of it"
./lapwing report --by name "$work/c" > "$work/out" 2> "$work/err"
grep -qw first "$work/out" && grep -qw third "$work/out" && ! grep -qw second "$work/out"
verdict "what ran while sampling was off is not there"
# Of what was on some may be lost; what was off would be a sample in each ms that `second` worked.
honest "$work/out"
grep -q '^paused  *sampling was off for ' "$work/out" && awk 'FNR == NR { if ($1 != "all") off += $2 / 1e6; next }
	/^samples / { lost = $7; n++ } END { exit !(n == 1 && off >= 500 && lost < off / 2) }' "$work/off" "$work/out"
verdict "being off is no loss"
grep -q 'the recording was cut off' "$work/early" && grep -q 'heavy' "$work/early"
verdict "what was flushed can be read while recording goes on"

script=ctl_$$.stp
# For programs: a recording, and in it a script that is paused.
echo 'probe timer.s(100) { println(1) }' > "$work/$script"
steps="./lapwing ctl off $script; ./lapwing ctl status --json > $work/json; ./lapwing ctl status --csv > $work/csv
./lapwing ctl status --json $script > $work/one; ./lapwing ctl on $script --json > $work/wrong 2>&1; echo \$? >> $work/wrong"
./lapwing record -q -o "$work/c" -- ./lapwing --runtime=user -o "$work/names" -c "$steps" "$work/$script" > "$work/out" 2> "$work/err"
testsuite/formats.py "$work/json" 2>> "$work/err" && python3 - "$work" "$script" 2>> "$work/err" << 'END'
import csv, json, os, sys
work, script = sys.argv[1:]
said = json.load(open(work + '/json'))
rows = {row['name']: row for row in said['rows']}
assert said['schema'] == 'lapwing-ctl/1' and set(rows) == {'c', script} and said['unanswered'] == [], said
s, c = rows[script], rows['c']
assert (s['kind'], s['paused'], s['records'], s['samples'], s['lost'], s['bytes']) == ('script', True, 0, None, 0, None), s
assert s['file'] == work + '/names' and s['pid'] != c['pid'] and 0 < s['ran_ns'] < c['ran_ns'] < 600e9
assert (c['kind'], c['paused'], c['records'], c['file']) == ('recording', False, None, work + '/c'), c
assert c['samples'] >= 0 and c['lost'] >= 0 and c['bytes'] > 16
assert [list(row) for row in said['rows']] == 2 * [next(csv.reader(open(work + '/csv')))] and len(open(work + '/csv').readlines()) == 3
assert [row['name'] for row in json.load(open(work + '/one'))['rows']] == [script]
assert open(work + '/wrong').read() == 'lapwing ctl: --json and --csv are of status [lapwing explain E1003]\n2\n'
END
verdict "status for programs"
./lapwing ctl status --json "$script" > "$work/out" 2> "$work/err"
[ $? -eq 1 ] && grep -q '"rows": \[\]' "$work/out" && grep -qF "[lapwing explain E1016]" "$work/err"
verdict "status of nothing for programs"

cat > "$work/$script" <<'END'
global samples
probe timer.profile { samples[execname()]++ }
probe end { foreach (name in samples) println(name) }
END
./lapwing --runtime=user --only-target -c "sh $work/steps $work $script" --json-summary "$work/json" -o "$work/names" \
	"$work/$script" > "$work/out" 2> "$work/err"
verdict "a script is controlled"
grep -q " $script: probes are off: " "$work/out" && grep -q " $script: a script, has run .*, probes off, " "$work/out"
verdict "what ctl says of it"
grep -qx first "$work/names" && grep -qx third "$work/names" && ! grep -qx second "$work/names"
verdict "samples go to no handler while it is off"
# A machine that is busy loses some in any case, but not all of what 100 ms of work give.
sed -n 's/.*"samples": {.*"off": \([0-9]*\), .*"lost": \([0-9]*\), .*/\1 \2/p' "$work/json" |
	awk '{ n++; good = $1 >= 30 && $2 < $1 } END { exit !good || n != 1 }'
verdict "samples are counted as off, not as lost"

./lapwing --runtime=user -c "./lapwing ctl off $script" -e 'probe timer.s(100) { println(1) }' > "$work/out" 2> "$work/err"
[ $? -ne 0 ] && grep -q "^lapwing ctl: there is no run '$script'" "$work/err"
verdict "a run that is not there"
# Timers are hits like others, and none is left out however busy the machine is: one that fires while they are off is counted.
cat > "$work/$script" <<'END'
global on
probe timer.ms(1) { on++ }
probe end { println(on > 0) }
END
./lapwing --runtime=user -c "sh $work/steps $work $script" --json-summary "$work/json" "$work/$script" > "$work/out" 2> "$work/err" &&
	grep -qx 1 "$work/out" && grep -q '"condition_off": [1-9]' "$work/json"
verdict "a script that does not sample"
echo 'probe begin { profile_off() } probe timer.profile { println("a sample"); exit() }' > "$work/$script"
steps="$work/load 50 > /dev/null; ./lapwing ctl status $script; ./lapwing ctl on $script; exec $work/load 60000"
./lapwing --runtime=user --only-target -c "$steps" "$work/$script" > "$work/out" 2> "$work/err"
grep -q 'has run .*, 0 records' "$work/out" && grep -qx 'a sample' "$work/out"
verdict "a script that began with sampling off is switched on"
echo 'probe timer.s(100) { println(1) }' > "$work/$script"
inner="./lapwing --runtime=user -c './lapwing ctl flush $script' $work/$script"
./lapwing --runtime=user -c "$inner" "$work/$script" > "$work/out" 2> "$work/err"
[ $? -ne 0 ] && grep -q '^lapwing ctl: 2 runs could be meant: say which' "$work/err" &&
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
probe end { foreach (n in args) other += args[n] != 2; println(counted, " ", seen["calls"], " ", other, " other") }
END
	steps="$work/calls && ./lapwing ctl off $script && $work/calls && ./lapwing ctl on $script && $work/calls"
	./lapwing --runtime=user -c "$steps" --json-summary "$work/json" "$work/$script" > "$work/out" 2> "$work/err" &&
		grep -qx '2000 2000 0 other' "$work/out" && [ "$(grep -c '"condition_off": 1000 ' "$work/json")" -eq 2 ]
	verdict "calls while it is off are none, and exactly those"
	echo "probe process(\"$work/calls\").function(\"main\") { println(\"main\") }" > "$work/$script"
	steps="$work/calls && ./lapwing ctl flush $script && cp $work/names $work/early"
	./lapwing --runtime=user -c "$steps" -o "$work/names" "$work/$script" > "$work/out" 2> "$work/err"
	[ "$(cat "$work/early")" = main ] && grep -q 'written: 1 records' "$work/out"
	verdict "what happened before a flush is in the output after it"
fi
./lapwing ctl pause > "$work/out" 2> "$work/err"
[ $? -eq 2 ] && grep -q "'pause' cannot be done: on, off, flush or status" "$work/err"
verdict "a wrong call"
if [ "$(id -u)" = 0 ]; then
	mkdir "$work/mine" && chown nobody "$work/mine" && chmod 711 "$work"
	nobody() { setpriv --reuid nobody --clear-groups env -u XDG_RUNTIME_DIR "$@" > "$work/out" 2> "$work/err"; }
	folder=/tmp/lapwing-$(id -u nobody)
	rm -rf "$folder"
	echo 'probe timer.s(100) { println(1) }' > "$work/own.stp"
	(cd "$work" && "$OLDPWD/lapwing" --runtime=user -p4 -m own own.stp) > "$work/out" 2>&1 && chmod 644 "$work/own.so"
	nobody ./lapwing-run -c './lapwing-ctl status' "$work/own.so"
	grep -q '^[0-9]* .*: a script, has run ' "$work/out" && [ "$(stat -c %a:%U "$folder")" = 700:nobody ]
	verdict "a user without XDG_RUNTIME_DIR"
	chown root "$folder"
	nobody ./lapwing-run -v -v -c './lapwing-ctl status' "$work/own.so"
	grep -q "^lapwing ctl: runs of this user cannot be in '$folder': it must be this user's folder" "$work/err" &&
		grep -q "'lapwing ctl' cannot reach this run" "$work/err" && [ -z "$(ls "$folder")" ]
	verdict "a folder of somebody else's is not used"
	rmdir "$folder"
	setpriv --reuid nobody --clear-groups env XDG_RUNTIME_DIR="$work/mine" ./lapwing-ctl status > "$work/out" 2> "$work/err"
	[ $? -eq 1 ] && grep -q '^lapwing ctl: nothing runs: ' "$work/err"
	verdict "nothing to be controlled"
	./lapwing --runtime=user -c "find /run/lapwing -name '*.ctl' -printf '%m %U\n'" "$work/own.stp" > "$work/out" 2> "$work/err"
	[ "$(sort -u "$work/out")" = '600 0' ]
	verdict "while it runs, its owner's alone"
fi
exit $failed
