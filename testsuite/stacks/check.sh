#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - whole stacks of programs along frame pointers: callers of functions without a frame, in the user runtime and in record; what is
# said of those that nothing proves, and of those that do not go back to where their thread began.
. "$(dirname "$0")/../common.sh"

gcc -O1 -g -o "$work/leaf" testsuite/triggers/leaf.c || exit 1
gcc -O1 -g -fno-asynchronous-unwind-tables -fno-unwind-tables -o "$work/bare" testsuite/triggers/leaf.c || exit 1
names='function names() { stack = ubacktrace(); text = ""
	for (w = tokenize(stack, " "); w != ""; w = tokenize("", " ")) text .= " " . usymname(strtol(w, 16))
	return text }'

# ---- calls with nothing behind them, and what was interrupted where another function ends ----
gcc -O1 -g -fno-toplevel-reorder -falign-functions=1 -fcf-protection=none -fno-optimize-sibling-calls -o "$work/noreturn" \
	testsuite/triggers/noreturn.c || exit 1
./lapwing --runtime=user --user-unwind=dwarf -c "$work/noreturn" -e "probe process(\"$work/noreturn\").function(\"stuck\") {
	print_ubacktrace() print_usyms(ubacktrace()) print(sprint_ubacktrace()) print_ubacktrace_fileline()
	for (i = 0; i < 6; i++) println(usymdata(ustack(i)))
}" > "$work/out" 2> "$work/err"
grep -oE '(: |^)[a-z_]+[+]0x' "$work/out" | tr -d ': +' | sed 's/0x$//' | grep -vE 'libc_start|^_start' | paste -sd ' ' > "$work/chain"
chain='stuck no_way_back handler __restore_rt faults main'
[ "$(uname -m)" = x86_64 ] || chain='stuck no_way_back handler __kernel_rt_sigreturn faults main'
[ "$(cat "$work/chain")" = "$chain $chain $chain $chain $chain" ] ||
	{ fail "calls with nothing behind them: $(cat "$work/chain")"; cat "$work/out"; }
for what in no_way_back:'sink++' handler:'sink--'; do		# the line behind that
	line=$(($(grep -n "${what#*:};" testsuite/triggers/noreturn.c | cut -d: -f1) + 1))
	grep -q ": ${what%:*}+.*noreturn.c:$line " "$work/out" || fail "${what%:*} is not at line $line: $(cat "$work/out")"
done

# ---- at every instruction ----
objdump -d "$work/leaf" | awk '/^[0-9a-f]+ <(leaf|a|b)>:/ { f = $2; gsub(/[<>:]/, "", f) } /^$/ { f = "" }
	f && /^ +[0-9a-f]+:/ { sub(/:/, "", $1); print f, $1 }' > "$work/places"
{
	echo "global got $names"
	while read -r f at; do
		echo "probe process(\"$work/leaf\").statement(0x$at) { got[\"$f $at\" . names()]++ }"
	done < "$work/places"
	echo 'probe end { foreach (g in got) println(got[g], " ", g) }'
} > "$work/places.stp"
for how in fp dwarf; do
	./lapwing --runtime=user --strict -g --user-unwind=$how -c "$work/leaf 7" "$work/places.stp" > "$work/out" 2> "$work/err" ||
		fail "$how, at every instruction: $(cat "$work/err")"
	tail -1 "$work/err" | grep -q '^COMPLETE' || fail "$how, at every instruction: $(cat "$work/err")"
	grep -q 'do not go back' "$work/err" && fail "$how: whole stacks are said to be cut off: $(cat "$work/err")"
	awk 'FNR == NR { place[$2] = $1; n++; next }
		{ good = ($2 == "leaf" ? "leaf (a|b)" : $2) " main [^ ]+( [^ ]+)*"; stack = $0; sub(/^[0-9]+ [a-z]+ [0-9a-f]+ /, "", stack)
		  if (stack !~ "^" good "$") { print "not the stack at " $3 ": " stack; bad = 1 }
		  if (!($3 in seen)) { seen[$3]; m++ }
		  if ($2 == "leaf") { split(stack, s); by[$3, s[2]] += $1 } else by[$3, $2] += $1 }
		END {
			for (p in place) {
				if (place[p] != "leaf" && by[p, place[p]] != 7) { print p ": " by[p, place[p]] + 0 " hits, not 7"; bad = 1 }
				if (place[p] == "leaf" && (by[p, "a"] < 7 || by[p, "b"] < 7)) { print p ": not from both"; bad = 1 }
			}
			if (n < 12 || m != n) { print m + 0 " of " n + 0 " places were hit"; bad = 1 }
			exit bad
		}' "$work/places" "$work/out" || fail "$how: stacks at every instruction"
done

# ---- samples ----
./lapwing record -q -g -F 2000 -o "$work/c" -- "$work/leaf" 300 100000 || fail "record"
./lapwing export -f folded "$work/c" > "$work/out"
grep -q ';main;a;leaf' "$work/out" && grep -q ';main;b;leaf' "$work/out" || fail "leaf() has not both callers: $(cat "$work/out")"
grep -q 'main;leaf' "$work/out" && fail "a caller is passed over: $(grep 'main;leaf' "$work/out")"
# What ran before main() may be code without call frame information: the dynamic linker begins with such. Shares there are of time, where
# periods are drawn at +-1/8, and of samples in what is said.
before=$(awk '{ all += $NF } !/;main/ { before += $NF } END { printf "%.2f", 100 * before / all * 9 / 7 }' "$work/out")
./lapwing callgraph "$work/c" > "$work/out"
awk -v before="$before" '
	/the innermost caller is not proven/ && match($0, /in [0-9.]+ %/) && substr($0, RSTART + 3) + 0 > before + 0 { exit 1 }' "$work/out" ||
	fail "what is proven is said not to be: $(tail -1 "$work/out"), and at most $before % ran before main()"

# ---- nothing proves the caller ----
./lapwing record -q -g -F 2000 -o "$work/c" -- "$work/bare" 300 100000 || fail "record without .eh_frame"
./lapwing callgraph "$work/c" > "$work/out"
tail -1 "$work/out" | grep -q '^PARTIAL: .*the innermost caller is not proven' ||
	fail "not proven, and not said: $(tail -1 "$work/out")"
at=$(nm "$work/bare" | awk '$3 == "leaf" { print $1 }')
middle=$(objdump -d --start-address="0x$at" "$work/bare" | awk '/ret/ { sub(/:/, "", $1); print $1; exit }')
./lapwing --runtime=user -g --json-summary="$work/json" -c "$work/bare 5" -e "$names
	probe process(\"$work/bare\").statement(0x$middle), process(\"$work/bare\").function(\"leaf\") { println(names()) }" \
	> "$work/out" 2> "$work/err"
grep -q 'WARNING: 10 of 20 user stacks may lack the innermost caller' "$work/err" ||
	fail "uncertain stacks: $(cat "$work/err")"
grep -q '^PARTIAL: 50.00 % of stacks' "$work/err" || fail "uncertain, and not PARTIAL: $(cat "$work/err")"
[ "$(grep -c '^ leaf [ab] main ' "$work/out")" = 10 ] ||
	fail "at its entry a function's caller is known without a table: $(cat "$work/out")"
grep -q '"taken": 20, .*"uncertain": 10' "$work/json" || fail "uncertain stacks in JSON: $(grep '"stacks"' "$work/json")"

# ---- not back to the thread's start: on arm64 the table leads through it ----
if [ "$(uname -m)" = x86_64 ]; then
	./lapwing --runtime=user -c "$work/leaf 9" -e "$names
		probe process(\"$work/leaf\").function(\"lost\"), process(\"$work/leaf\").function(\"a\") { println(names()) }" \
		> "$work/out" 2> "$work/err"
	[ "$(grep -c '^ lost clobbers$' "$work/out")" = 9 ] && [ "$(grep -c '^ a main ' "$work/out")" = 9 ] ||
		fail "stacks of lost(): $(cat "$work/out")"
	grep -q ': 9 of 18 user stacks do not reach the start of their thread' "$work/err" ||
		fail "rootless stacks: $(cat "$work/err")"
fi

[ $failed -eq 0 ] && echo 'stacks: all as it should be'
[ $failed -eq 0 ]
