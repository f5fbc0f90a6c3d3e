#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-calls.sh - lapwing record --script: calls of a program that makes known ones, alone and with samples; tables that are full or lie.
# testsuite/run-kernel/arcs is the same in the kernel.
. "$(dirname "$0")/../common.sh"
verdict() { if [ $? -eq 0 ]; then echo "PASS $1"; else echo "FAIL $1"; cat "$work/out" "$work/err"; failed=1; fi; }
[ "$(id -u)" = 0 ] || exit 77		# uprobes
gcc -g -O1 -o "$work/arcs" testsuite/triggers/arcs.c || exit 2
cat > "$work/calls.stp" <<END
probe process("$work/arcs").function("*@*arcs.c").call { arc_call() }
probe process("$work/arcs").function("*@*arcs.c").return { arc_return() }
probe end { arcs_print() }
END
echo "callgraph process(\"$work/arcs\").function(\"*@*arcs.c\")" > "$work/declared.stp"
calls() { awk -f testsuite/report/calls.awk "$work/out" | sort | diff testsuite/report/calls.expected -; }

./lapwing record -q --script "$work/calls.stp" -o "$work/c" -- "$work/arcs" 100 2> "$work/err" &&
	./lapwing callgraph --min 0 --limit 0 "$work/c" > "$work/out" && calls && grep -qx COMPLETE "$work/out"
verdict "exact calls"
grep -q ' 1+5  <cycle 1 as a whole>' "$work/out"
verdict "calls of a cycle"
grep -qxE 'floor    ([0-9]+) of \1 calls have the probes. own cost in their times, which a callgraph declaration would take off' \
	"$work/out"
verdict "what no floor was taken off"
for reader in "report" "flame -o $work/svg" "annotate" "export -f folded"; do
	# shellcheck disable=SC2086 # words
	./lapwing $reader "$work/c" > "$work/table" 2> "$work/err"
	grep -q "has no samples, but calls that a script counted: 'lapwing callgraph' shows them .lapwing explain E1010." "$work/err"
	verdict "no samples: $reader"
done
# Self times add up to what main took with all it called, and a function's time is that of the calls to it.
awk 'NF == 7 && $NF ~ /^\[/ { n++; self += $3; if ($6 == "main") all = $4 } /^call graph/ { exit }
	END { exit !(n == 6 && all > 0 && self > all - 0.06 && self < all + 0.06) }' "$work/out"
verdict "their times"
./lapwing record -q --script "$work/declared.stp" -o "$work/d" -- "$work/arcs" 100 > "$work/err" 2>&1 &&
	./lapwing callgraph --min 0 --limit 0 "$work/d" > "$work/out" && calls && grep -qx COMPLETE "$work/out" &&
	grep -qE '^floor    [1-9].* were the probes. own cost, .* a call, and are taken off;' "$work/out" &&
	! grep -q 'have the probes. own cost' "$work/out"
verdict "a declaration: exact calls, with their floor"
# Each of 64 calls touches a new page; no probe does. The code of what calls them may be touched first, too.
cat > "$work/touch.c" <<END
#include <sys/mman.h>
static char *p;
__attribute__((noinline)) void touch(int i) { p[i * 4096L] = 1; }
__attribute__((noinline)) void touch_all(int n) { for (int i = 0; i < n; i++) touch(i); }
int main(void)
{
	p = mmap(0, 64 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(p, 64 * 4096, MADV_NOHUGEPAGE);
	touch_all(64);
	return 0;
}
END
gcc -g -O1 -o "$work/touch" "$work/touch.c" || exit 2
echo "callgraph process(\"$work/touch\").function(\"{touch,touch_all}\") with page-faults" > "$work/touch.stp"
./lapwing record -q --script "$work/touch.stp" -o "$work/t" -- "$work/touch" 2> "$work/err" &&
	./lapwing callgraph --min 0 "$work/t" > "$work/out" && grep -qE '^ +64 .* 64 +64  touch_all > touch$' "$work/out" &&
	grep -qE '^ +1 .* (< floor +64|1 +65)  <spontaneous> > touch_all$' "$work/out"
verdict "events of calls"
# What longjmp() leaves is in the heading. Times of calls are ns, whatever samples count, and the floor is there beside them.
cat > "$work/leaves.c" <<END
#include <setjmp.h>
static jmp_buf back;
__attribute__((noipa)) void leaf(void) { __asm__ volatile(""); }
__attribute__((noipa)) void throws(void) { longjmp(back, 1); }
int main(void)
{
	if (!setjmp(back))
		throws();
	for (int i = 0; i < 10; i++)
		leaf();
	return 0;
}
END
gcc -g -O1 -o "$work/leaves" "$work/leaves.c" || exit 2
echo "callgraph process(\"$work/leaves\").function(\"{leaf,throws,main}\").call with page-faults" > "$work/leaves.stp"
./lapwing record -q -e page-faults -c 1 --script "$work/leaves.stp" -o "$work/t" -- "$work/leaves" 2> "$work/err" &&
	./lapwing callgraph --min 0 "$work/t" > "$work/out" && grep -q '^calls    1 never returned' "$work/out" &&
	grep -q '^floor    .* and are taken off' "$work/out" &&
	awk '/throws > leaf$/ { n = $1 == 10 && ($2 == "<" || $2 < 1000) } END { exit !n }' "$work/out"
verdict "calls that never return"
./lapwing --runtime=user -e 'callgraph process.function("a") callgraph process.function("b")' -c true > "$work/out" 2> "$work/err"
[ $? -eq 1 ] && grep -q 'expected one callgraph in a script' "$work/err"
verdict "two declarations"
./lapwing export -o "$work/gmon.out" "$work/c" > "$work/out" 2> "$work/err" &&
	gprof -b "$work/arcs" "$work/gmon.out" > "$work/out" 2>> "$work/err" &&
	awk '$NF == "leaf" && $4 == 201 { n++ } $NF == "first" && $4 == 100 { n++ }
		/200\/201 +leaf/ { n++ } / 1\+3 +second/ { n++ } END { exit n != 4 }' \
	"$work/out"
verdict "gprof shows them too"
./lapwing record -q -F 4000 -g --script "$work/calls.stp" -o "$work/b" -- "$work/arcs" 100 2> "$work/err" &&
	./lapwing callgraph --min 0 --limit 0 "$work/b" > "$work/out" && calls && grep -q '^calls .*; time is that of samples$' "$work/out"
verdict "with samples"
# What calls main() is not probed: samples have it, but its calls were not counted.
sed 's/"\*@\*arcs.c"/"main"/' "$work/calls.stp" > "$work/main.stp"
./lapwing record -q -F 4000 --call-graph dwarf --script "$work/main.stp" -o "$work/m" -- "$work/arcs" 10000000 2> "$work/err" &&
	./lapwing callgraph --min 0 --limit 0 "$work/m" > "$work/out" &&
	awk '/^\[/ { below = 1; counted += / 1  main \[/ } /^---/ { below = 0 } / 0\// { wrong = 1 }
		!/^\[/ && below && $3 == "main" && NF == 4 { called++ } END { exit wrong || !called || counted != 1 }' "$work/out"
verdict "calls of a caller that is not probed"
# Processes that are there already: the one that is named and no other, and all of them. Where nobody can ask, -d ends it.
live=calls_$$
recording() { until ./lapwing ctl status $live > /dev/null 2>&1 || ! kill -0 $! 2> /dev/null; do sleep 0.05; done; }
mkfifo "$work/go"
sh -c 'read -r go < "$1/go"; exec "$1/arcs" 100' x "$work" &
target=$!
./lapwing record -q -d 100 --script "$work/calls.stp" -o "$work/$live" -p $target 2> "$work/err" &
recording
"$work/arcs" 10
echo > "$work/go"
wait $! && ./lapwing callgraph --min 0 --limit 0 "$work/$live" > "$work/out" && calls
verdict "calls of a process that was there"
"$work/arcs" 10
./lapwing record -q -d 100 -F 97 --script "$work/calls.stp" -o "$work/$live" -a 2> "$work/err" &
recording
"$work/arcs" 40 && "$work/arcs" 60
kill $! && wait $! && ./lapwing callgraph --min 0 --limit 0 "$work/$live" > "$work/out" &&
	[ "$(awk -f testsuite/report/calls.awk "$work/out" | grep -cxE 'first 100|leaf 202|main 2|second 2\+6')" = 4 ]
verdict "calls of all processes"
# A device stays one.
mknod "$work/null" c 1 3 && ./lapwing flame -o "$work/null" "$work/b" 2> "$work/err" &&
	./lapwing export -f json -o "$work/null" "$work/b" && [ -c "$work/null" ] &&
	! ./lapwing export -f json -o /dev/full "$work/b" 2> "$work/err" && grep -q 'cannot write /dev/full: No space' "$work/err"
verdict "written to devices"
# Seven of nine arcs: ping's and pong's calls of each other, 3 and 2 of them, have no row, and are nobody else's.
./lapwing record -q --arcs 7 --script "$work/calls.stp" -o "$work/f" -- "$work/arcs" 100 2> "$work/err"
./lapwing callgraph --min 0 "$work/f" > "$work/out"
grep -qE '^calls +5 found a table full: those of 2 arcs, which have no row; lapwing record --arcs' "$work/out" &&
	grep -q '^PARTIAL: 5 calls found the table' "$work/out" && awk -f testsuite/report/calls.awk "$work/out" | sort |
	diff <(sed -e '/>p.ng [23]/d' -e '/^pong/d' -e 's/^ping 3/ping 1/' -e 's|ping 1/3|ping 1/1|' testsuite/report/calls.expected) -
verdict "a full table is said"
./lapwing export -f json "$work/f" 2> "$work/err" > "$work/out" && grep -q '"verdict": "PARTIAL"' "$work/out"
verdict "in JSON, too"
printf 'lapwing arcs 1\nfunction 1 9 x\narc 0 1 1 4 9\nrefused 6 1\n' | ./lapwing record -q --arcs-from - -o "$work/f" 2> "$work/err"
./lapwing callgraph "$work/f" > "$work/out" && grep -q ' 6 found a table full: those of at least 1 arcs' "$work/out"
verdict "more arcs than a table can count"
# Of another machine, in a guest: it is that one's.
printf 'lapwing arcs 1\nmachine riscv64 9.9.1-x 77 elsewhere\nfunction 1 9 x\narc 0 1 1 4 9\nrefused 0 0\n' |
	./lapwing record -q --arcs-from - -o "$work/f" 2> "$work/err"
./lapwing callgraph "$work/f" > "$work/out" && grep -qF 'on elsewhere (riscv64, Linux 9.9.1-x, 77 CPUs)' "$work/out"
verdict "calls of another machine"
./lapwing --runtime=user --only-target -c "$work/arcs 100" "$work/calls.stp" 2> "$work/err" |
	./lapwing record -q --arcs-from - -o "$work/f" &&
	./lapwing callgraph "$work/f" > "$work/out" &&
	grep -qF "on $(uname -n) ($(uname -m), Linux $(uname -r), $(nproc) CPUs)" "$work/out"
verdict "calls of this machine"
echo 'probe end { println("nothing") }' > "$work/none.stp"
./lapwing record -q --script "$work/none.stp" -o "$work/n" -- true > "$work/out" 2> "$work/err"
[ $? -eq 1 ] && grep -q 'the script printed no table of calls' "$work/err"
verdict "a script without a table"
./lapwing record -q --script "$work/missing.stp" -o "$work/n" -- true > "$work/out" 2> "$work/err"
[ $? -eq 1 ] && grep -q 'missing.stp' "$work/err" && grep -q 'does not run' "$work/err"
verdict "a script that does not run"
for table in 'count 0 1 1 2 3' 'arc 1 2 3 4 5' 'function 7 1 x' 'arc 0 9999999999999 1 1 1' ''; do
	printf 'lapwing arcs 1\nfunction 1 1 x\n%s\n' "$table" | ./lapwing record -q --arcs-from - -o "$work/n" > "$work/out" 2> "$work/err"
	[ $? -eq 1 ] && grep -qE "has a line '$table'|table of calls is cut off" "$work/err"
	verdict "a table that lies: '$table'"
done
for table in "$(printf 'arc 0 1 1 1 1\nevent 0 x')" "$(for i in $(seq 65); do echo "event 0 e$i"; done)"; do
	printf 'lapwing arcs 1\nfunction 1 1 x\n%s\n' "$table" | ./lapwing record -q --arcs-from - -o "$work/n" > "$work/out" 2> "$work/err"
	[ $? -eq 1 ] && grep -qF "has a line '$(printf '%s' "$table" | tail -n 1)'" "$work/err"
	verdict "too many events, or too late"
done
for counts in '' 'count 0 1 2 3 4' 'count 1 1 1 3 4' 'count 0 1 1 3 4\ncount 0 1 1 3 4'; do
	printf "lapwing arcs 1\nfunction 1 1 x\nevent 0 cycles\narc 0 1 1 1 1\n$counts\nfloor 1 1 0\nrefused 0 0\n" |
		./lapwing record -q --arcs-from - -o "$work/n" > "$work/out" 2> "$work/err"
	[ $? -eq 1 ] && grep -qE "has a line '($(printf "$counts" | tail -n 1)|refused 0 0)'" "$work/err"
	verdict "counts that lie: '$counts'"
done
exit $failed
