#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-go.sh - functions of a program that Go compiled, in the user runtime: each call is one hit, though its stack is moved and its
# thread is another one at the end. testsuite/triggers/moves.c is the same without Go, and in the guests.
. "$(dirname "$0")/../common.sh"

HOME="$work" GOCACHE="$work/cache" go build -o "$work/goroutines" testsuite/triggers/goroutines.go || exit 1
gcc -O1 -g -pthread -o "$work/moves" testsuite/triggers/moves.c || exit 1

known=testsuite/run-kernel/program_goroutines
sed "s|\"/moves\"|\"$work/moves\"|" $known.stp > "$work/moves.stp"
timeout 100 ./lapwing --runtime=user -c "$work/moves" "$work/moves.stp" 2> "$work/err" | diff $known.out - &&
	grep -qx COMPLETE "$work/err" || { fail "moved stacks"; cat "$work/err"; }

p="process(\"$work/goroutines\").function"
case $(uname -m) in
aarch64) first=x0 second=x1;;
*) first=rax second=rbx;;
esac
timeout 100 ./lapwing --runtime=user -c "$work/goroutines" -e "global entered, returned, wrong, called, came
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

# Nearly all functions are known for certain; those of assemblers are not asked, and say why.
./lapwing -l "$p(\"main.*\").return" > "$work/out"
[ "$(wc -l < "$work/out")" = "$(./lapwing -l "$p(\"main.*\").call" | wc -l)" ] || { fail "returns of main"; cat "$work/out"; }
./lapwing -p2 --runtime=user -e "probe $p(\"runtime.morestack.abi0\").return { exit() }" 2>&1 |
	grep -qF "its stacks move, as it is written in Go: it is written in Go's assembler" || fail "what is in assembler is not refused"
./lapwing doctor "$work/goroutines" | grep -qF 'its stacks move, as it is written in Go' ||
	fail "the doctor does not say how returns are probed"

[ $failed -eq 0 ] && echo 'go: all as it should be'
[ $failed -eq 0 ]
