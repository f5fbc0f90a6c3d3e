#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-calls.sh - lapwing record --script: counts the calls of a program that makes a known number,
# alone and together with samples; full and inconsistent tables. testsuite/run-kernel/arcs tests the
# same in the kernel.
. "$(dirname "$0")/../common.sh"
verdict() { if [ $? -eq 0 ]; then echo "PASS $1"; else echo "FAIL $1"; cat "$work/out" "$work/err"
failed=1; fi; }
[ "$(id -u)" = 0 ] || exit 77		# uprobes
gcc -g -O1 -o "$work/arcs" testsuite/triggers/arcs.c || exit 2
cat > "$work/calls.stp" <<END
probe process("$work/arcs").function("*@*arcs.c").call { arc_call() }
probe process("$work/arcs").function("*@*arcs.c").return { arc_return() }
probe end { arcs_print() }
END
calls() { awk -f testsuite/report/calls.awk "$work/out" | sort |
	diff testsuite/report/calls.expected -; }

./lapwing record -q --script "$work/calls.stp" -o "$work/c" -- "$work/arcs" 100 2> "$work/err" &&
	./lapwing callgraph --min 0 --limit 0 "$work/c" > "$work/out" && calls &&
		grep -qx COMPLETE "$work/out"
verdict "exact calls"
grep -q ' 1+5  <cycle 1 as a whole>' "$work/out"
verdict "calls of a cycle"
for reader in "report" "flame -o $work/svg" "annotate" "export --format folded"; do
	# shellcheck disable=SC2086 # words
	./lapwing $reader "$work/c" > "$work/table" 2> "$work/err"
	grep -q "has no samples, only calls counted by a script: try 'lapwing callgraph'" \
		"$work/err"
	verdict "no samples: $reader"
done
# The functions' own times add up to main's time with its callees.
awk 'NF == 7 && $NF ~ /^\[/ { n++; self += $3; if ($6 == "main") all = $4 } /^call graph/ { exit }
	END { exit !(n == 6 && all > 0 && self > all - 0.06 && self < all + 0.06) }' "$work/out"
verdict "times of calls"
./lapwing export -o "$work/gmon.out" "$work/c" > "$work/out" 2> "$work/err" &&
	gprof -b "$work/arcs" "$work/gmon.out" > "$work/out" 2>> "$work/err" &&
	awk '$NF == "leaf" && $4 == 201 { n++ } $NF == "first" && $4 == 100 { n++ }
		/200\/201 +leaf/ { n++ } / 1\+3 +second/ { n++ } END { exit n != 4 }' \
	"$work/out"
verdict "gprof reads the calls"
./lapwing record -q -F 4000 -g --script "$work/calls.stp" -o "$work/b" -- "$work/arcs" 100 \
	2> "$work/err" &&
	./lapwing callgraph --min 0 --limit 0 "$work/b" > "$work/out" && calls &&
		grep -q '^calls .*; time is that of samples$' "$work/out"
verdict "with samples"
# The caller of main() is not probed: samples have it, but its calls were not counted.
sed 's/"\*@\*arcs.c"/"main"/' "$work/calls.stp" > "$work/main.stp"
./lapwing record -q -F 4000 --call-graph dwarf --script "$work/main.stp" -o "$work/m" -- \
	"$work/arcs" 30000 2> "$work/err" &&
	./lapwing callgraph --min 0 --limit 0 "$work/m" > "$work/out" &&
	awk '/^\[/ { below = 1; counted += / 1  main \[/ } /^---/ { below = 0 }
		/ 0\// { wrong = 1 } !/^\[/ && below && $3 == "main" && NF == 4 { called++ }
		END { exit wrong || !called || counted != 1 }' "$work/out"
verdict "calls of a caller that is not probed"
# Existing processes: with -p only the given one, with -a all. -d ends the recording if it cannot be
# controlled.
live=calls_$$
recording() { until ./lapwing ctl status $live > /dev/null 2>&1 ||
	! kill -0 $! 2> /dev/null; do sleep 0.05; done; }
mkfifo "$work/go"
sh -c 'read -r go < "$1/go"; exec "$1/arcs" 100' x "$work" &
target=$!
./lapwing record -q -d 100 --script "$work/calls.stp" -o "$work/$live" -p $target 2> "$work/err" &
recording
"$work/arcs" 10
echo > "$work/go"
wait $! && ./lapwing callgraph --min 0 --limit 0 "$work/$live" > "$work/out" && calls
verdict "calls of an existing process"
"$work/arcs" 10
./lapwing record -q -d 100 -F 97 --script "$work/calls.stp" -o "$work/$live" -a 2> "$work/err" &
recording
"$work/arcs" 40 && "$work/arcs" 60
kill $! && wait $! && ./lapwing callgraph --min 0 --limit 0 "$work/$live" > "$work/out" &&
	[ "$(awk -f testsuite/report/calls.awk "$work/out" |
		grep -cxE 'first 100|leaf 202|main 2|second 2\+6')" = 4 ]
verdict "calls of all processes"
# A device as output file is not replaced by a regular file.
mknod "$work/null" c 1 3 && ./lapwing flame -o "$work/null" "$work/b" 2> "$work/err" &&
	./lapwing export --format json -o "$work/null" "$work/b" && [ -c "$work/null" ] &&
	! ./lapwing export --format json -o /dev/full "$work/b" 2> "$work/err" &&
		grep -q 'cannot write /dev/full: No space' "$work/err"
verdict "written to devices"
# The table has room for seven of nine arcs: the 3 calls of pong from ping and the 2 of ping from
# pong have no row, and are not added to others.
./lapwing record -q --arcs 7 --script "$work/calls.stp" -o "$work/f" -- "$work/arcs" 100 \
	2> "$work/err"
./lapwing callgraph --min 0 "$work/f" > "$work/out"
lost='5 lost \(table of arcs full\): of 2 arcs without a row; try lapwing record --arcs'
grep -qE "^calls +$lost" "$work/out" &&
	grep -q '^PARTIAL: 5 calls lost: table of arcs full' "$work/out" &&
		awk -f testsuite/report/calls.awk "$work/out" | sort |
	diff <(sed -e '/>p.ng [23]/d' -e '/^pong/d' -e 's/^ping 3/ping 1/' \
		-e 's|ping 1/3|ping 1/1|' testsuite/report/calls.expected) -
verdict "a full table is reported"
./lapwing export --format json "$work/f" 2> "$work/err" > "$work/out" &&
	grep -q '"verdict":"PARTIAL"' "$work/out"
verdict "a full table is reported in JSON"
printf 'lapwing arcs 1\nfunction 1 9 x\narc 0 1 1 4 9\nrefused 6 1\n' |
	./lapwing record -q --arcs-from - -o "$work/f" 2> "$work/err"
./lapwing callgraph "$work/f" > "$work/out" &&
	grep -q ' 6 lost (table of arcs full): of at least 1 arcs without' "$work/out"
verdict "more arcs than a table can count"
echo 'probe end { println("nothing") }' > "$work/none.stp"
./lapwing record -q --script "$work/none.stp" -o "$work/n" -- true > "$work/out" 2> "$work/err"
[ $? -eq 1 ] && grep -q 'the script printed no table of calls' "$work/err"
verdict "a script without a table"
./lapwing record -q --script "$work/missing.stp" -o "$work/n" -- true > "$work/out" 2> "$work/err"
[ $? -eq 1 ] && grep -q 'missing.stp' "$work/err" && grep -q 'did not start' "$work/err"
verdict "a script that does not exist"
for table in 'arc 1 2 3 4 5' 'function 7 1 x' 'arc 0 9999999999999 1 1 1' ''; do
	printf 'lapwing arcs 1\nfunction 1 1 x\n%s\n' "$table" |
		./lapwing record -q --arcs-from - -o "$work/n" > "$work/out" 2> "$work/err"
	[ $? -eq 1 ] && grep -qE "malformed line '$table'|table of calls is truncated" "$work/err"
	verdict "an inconsistent table: '$table'"
done
exit $failed
