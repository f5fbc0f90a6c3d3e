#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-go.sh - functions of a program that Go compiled, in the user runtime: each call is one hit, though its stack is moved and its
# thread is another one at the end. testsuite/triggers/moves.c is the same without Go, and in the guests.
. "$(dirname "$0")/../common.sh"

export HOME="$work" GOCACHE="$work/cache" CGO_ENABLED=1
go build -o "$work/goroutines" testsuite/triggers/goroutines.go || exit 1
go build -o "$work/plugged" testsuite/triggers/plugin.go || exit 1
go build -buildmode=plugin -o "$work/plugin.so" testsuite/triggers/plugin.go || exit 1
(cd testsuite/triggers/assembler && go build -o "$work/assembler" .) || exit 1
gcc -O1 -g -pthread -o "$work/moves" testsuite/triggers/moves.c || exit 1

known=testsuite/run-kernel/program_goroutines
sed "s|\"/moves\"|\"$work/moves\"|" $known.stp > "$work/moves.stp"
timeout 100 ./lapwing --runtime=user -c "$work/moves" "$work/moves.stp" > "$work/out" 2> "$work/err"
{ cat "$work/out"; grep -o 'function("loses").*' "$work/err"; tail -1 "$work/err" | sed 's/[0-9.][0-9.]* %/N %/'; } |
	diff $known.out - ||
	{ fail "moved stacks"; cat "$work/err"; }

p="process(\"$work/goroutines\").function"
case $(uname -m) in
aarch64) first=x0 second=x1;;
*) first=rax second=rbx;;
esac
timeout 100 ./lapwing --runtime=user --strict -c "$work/goroutines" -e "global entered, returned, wrong, called, came
	probe $p(\"main.deep\") { entered++ }
	probe $p(\"main.deep\").return {
		who = @entry(register(\"$first\")); n = @entry(\$n)
		returned++
		wrong += register(\"$first\") != 10000 * who + n * (n + 1) / 2 || n != @entry(register(\"$second\"))
	}
	probe $p(\"main.{catches,throws,kind}\") { called[ppfunc()]++ }
	probe $p(\"main.{catches,throws,kind}\").return { came[ppfunc()]++ }
	probe end {
		printf(\"%d %d %d\n\", entered, returned, wrong)
		foreach (f+ in called) printf(\"%s %d %d\n\", f, called[f], came[f])
	}" > "$work/out" 2> "$work/err"
printf '2001190 -50 48\n2020 2020 0\nmain.catches 100 100\nmain.kind 12 12\nmain.throws 100 50\n' | diff - "$work/out" &&
	grep -qx COMPLETE "$work/err" || { fail "goroutines"; cat "$work/err"; }
timeout 100 ./lapwing stopwatch "$work/goroutines:main.{deep,catches,throws,kind}" --runtime=user -- "$work/goroutines" \
	> "$work/out" 2> "$work/err"
grep -qx '2232 calls: 2182 timed, 0 in flight, 0 missed, 50 left without a return' "$work/out" ||
	{ fail "a stopwatch of goroutines"; cat "$work/out" "$work/err"; }

# Nearly all functions are known for certain; in assembler those that call nothing, and others say why.
./lapwing -l "$p(\"main.*\").return" > "$work/out"
[ "$(wc -l < "$work/out")" = "$(./lapwing -l "$p(\"main.*\").call" | wc -l)" ] || { fail "returns of main"; cat "$work/out"; }
./lapwing -p2 --runtime=user -e "probe $p(\"runtime.morestack.abi0\").return { exit() }" 2>&1 |
	grep -qF "its stacks move, as it is written in Go: it is written in Go's assembler" || fail "what is in assembler is not refused"

# counts WHAT FILE PATTERN COMMAND...: calls and returns of each function, which are $expected
counts() {
	timeout 100 ./lapwing --runtime=user --strict -c "${*:4}" -e "global called, came
		probe process(\"$2\").function(\"$3\") { called[ppfunc()]++ }
		probe process(\"$2\").function(\"$3\").return { came[ppfunc()]++ }
		probe end { foreach (f+ in called) printf(\"%s %d %d\n\", f, called[f], came[f]); delete called; delete came }" \
		2> "$work/err" > "$work/out"
	sed -i 's/_cgo_[0-9a-f]*_/_cgo_*_/; s/.*plugin.*\.deep/plugin/' "$work/out"
	echo "$expected" | diff - "$work/out" && grep -qx COMPLETE "$work/err" || { fail "$1"; cat "$work/err"; }
}
# What DWARF calls main.twice is two functions for the symbols, one of which calls the other.
for what in main.twice 'main.twice*'; do
	expected=$'9990\nmain.twice 110 110' counts "assembler, $what" "$work/assembler" "$what" "$work/assembler"
done
expected=$'9990\nends 100 100\nmain.calls.abi0 100 0' counts "assembler that calls" "$work/assembler" '{ends,main.calls*}' "$work/assembler"
./lapwing -p2 --runtime=user -e "probe process(\"$work/assembler\").function(\"main.calls\").return { exit() }" 2>&1 |
	grep -qF "it is written in Go's assembler and calls others" || fail "assembler that calls is not refused"
expected=$'9990\n_cgo_*_Cfunc_mygetpwuid_r 52 52' counts "C in Go" "$work/assembler" '_cgo_*_Cfunc_mygetpwuid_r' "$work/assembler"
expected=$'50500\n50500\nmain.deep 1010 1010' counts "what loads plugins" "$work/plugged" main.deep "$work/plugged $work/plugin.so"
expected=$'50500\n50500\nplugin 1010 1010' counts "a plugin" "$work/plugin.so" '*.deep' "$work/plugged $work/plugin.so"
./lapwing -l "process(\"$work/plugged\").function(\"*.deep\")" > "$work/out"
grep -q '("main.deep")$' "$work/out" && [ "$(wc -l < "$work/out")" = 1 ] || { fail "a second name is shown"; cat "$work/out"; }
./lapwing doctor "$work/goroutines" | grep -qF 'its stacks move, as it is written in Go' ||
	fail "the doctor does not say how returns are probed"

[ $failed -eq 0 ] && echo 'go: all as it should be'
[ $failed -eq 0 ]
