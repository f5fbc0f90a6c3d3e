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
$1/second 50 > /dev/null
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
grep -q '^paused  *sampling was off for ' "$work/out" && grep -q ', 0 lost' "$work/out" && grep -qx COMPLETE "$work/out"
verdict "being off is no loss"
grep -q 'recording did not come to its end' "$work/early" && grep -q 'heavy' "$work/early"
verdict "what was flushed can be read while recording goes on"

script=ctl_$$.stp
cat > "$work/$script" <<'END'
global samples
probe timer.profile { samples[execname()]++ }
probe end { foreach (name in samples) println(name) }
END
./lapwing --runtime=user --only-target -c "sh $work/steps $work $script" --json-summary "$work/json" -o "$work/names" \
	"$work/$script" > "$work/out" 2> "$work/err"
verdict "a script is controlled"
grep -q " $script: sampling is off: " "$work/out" && grep -q " $script: a script, has run .*, sampling off, " "$work/out"
verdict "what ctl says of it"
grep -qx first "$work/names" && grep -qx third "$work/names" && ! grep -qx second "$work/names"
verdict "samples go to no handler while it is off"
# A machine that is busy loses some in any case, but not all of what 100 ms of work give.
sed -n 's/.*"samples": {.*"off": \([0-9]*\), "lost": \([0-9]*\) }/\1 \2/p' "$work/json" |
	awk '{ n++; good = $1 >= 30 && $2 < $1 } END { exit !good || n != 1 }'
verdict "samples are counted as off, not as lost"

./lapwing --runtime=user -c "./lapwing ctl off $script" -e 'probe timer.s(100) { println(1) }' > "$work/out" 2> "$work/err"
[ $? -ne 0 ] && grep -q "^lapwing ctl: there is no run '$script'" "$work/err"
verdict "a run that is not there"
echo 'probe timer.s(100) { println(1) }' > "$work/$script"
./lapwing --runtime=user -c "./lapwing ctl off $script" "$work/$script" > "$work/out" 2> "$work/err"
[ $? -ne 0 ] && grep -q "$script: it samples nothing" "$work/err"
verdict "a script that does not sample"
inner="./lapwing --runtime=user -c './lapwing ctl flush $script' $work/$script"
./lapwing --runtime=user -c "$inner" "$work/$script" > "$work/out" 2> "$work/err"
[ $? -ne 0 ] && grep -q '^lapwing ctl: 2 runs could be meant: say which' "$work/err" &&
	[ "$(grep -c " $script: a script" "$work/err")" -eq 2 ]
verdict "several runs"
./lapwing ctl pause > "$work/out" 2> "$work/err"
[ $? -eq 2 ] && grep -q '^Usage: lapwing ctl' "$work/err"
verdict "a wrong call"
if [ "$(id -u)" = 0 ]; then
	mkdir "$work/mine" && chown nobody "$work/mine" && chmod 711 "$work"
	setpriv --reuid nobody --clear-groups env XDG_RUNTIME_DIR="$work/mine" ./lapwing-ctl status > "$work/out" 2> "$work/err"
	[ $? -eq 1 ] && grep -q '^lapwing ctl: nothing runs: ' "$work/err"
	verdict "nothing to be controlled"
	[ "$(find /run/lapwing -name '*.ctl' -perm /077 | wc -l)" -eq 0 ]
	verdict "its owner's alone"
fi
exit $failed
