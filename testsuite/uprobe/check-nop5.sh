#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-nop5.sh - probes at nops of 5 bytes, in functions that keep values below their stack
# pointer: where they stand instead on a kernel that would break the program there, which of them
# are refused and why, and that the program's results, the hits and their arguments are right. What
# kernels do is told to lapwing-run in the file where it keeps their answer, in a /run of the run's
# own, so that both ways are tried on any kernel.
. "$(dirname "$0")/../common.sh"
if [ "$(uname -m)" != x86_64 ]; then
	echo 'nop5: only x86-64 has such nops'
	exit 0
fi

trigger=testsuite/triggers/nops.c expected=testsuite/run-kernel/program_nops.out
gcc -g -O1 -static -pthread -o "$work/nops" $trigger || exit 1
program="process(\"$work/nops\")"
boot=$(cat /proc/sys/kernel/random/boot_id)
line=$(grep -n 'a statement' $trigger | cut -d: -f1)

cat > "$work/apart" <<'END'
mount -t tmpfs -o mode=755 tmpfs /run && mkdir /run/lapwing || exit 99
[ ! -s given ] || { cp given /run/lapwing/nop5 && chmod "$mode" /run/lapwing/nop5; } || exit 99
cd "$top" || exit 99
"$@"
status=$?
cp /run/lapwing/nop5 "$work/answer"
exit $status
END
# told ANSWER ARGUMENT...: a run of the user runtime that finds this answer ('': none); what is there
# when it ends is in $work/answer
told() {
	[ -z "$1" ] && : > "$work/given" || echo "$1" > "$work/given"
	shift
	(export top=$PWD work mode="${mode:-600}"
		cd "$work" && unshare -m sh ./apart ./lapwing --runtime=user "$@" > out 2> err)
}
said() { paste -sd ' ' "$work/out"; }
shown() { fail "$@"; cat "$work/out" "$work/err"; }

# ---- where a probe stands instead, or why nowhere ----
row() { ./lapwing --runtime=user -p3 -e "probe $program.$1 { println(pp()) }" 2> "$work/err"; }
place() {	# place POINT TEXT: that is in its row
	row "$1" > "$work/out"
	grep '{ &probes\[0\], ' "$work/out" | grep -qF -- "$2" || shown "$1: not '$2'"
}
safe() {	# nothing is said of it
	row "$1" > "$work/out"
	grep -q '{ &probes\[0\], ' "$work/out" && ! grep -qE '\.(aside|stuck) =|\.way = [^8]' "$work/out" ||
		shown "$1 is not safe"
}
for point in 'mark("alone")' 'mark("mid")' 'mark("prefixed")' 'function("copied").inline' \
	"statement(\"lined@nops.c:$line\")" 'function("labelled").label("here")' \
	'function("again")' 'function("again").return'; do
	place "$point" '.aside = 5'
done
place 'mark("twice")' '.aside = 10'
for name in second around; do place "mark(\"$name\")" '.aside = -1'; done
for point in 'mark("pair")' 'function("first")' 'function("first").return' 'function("landed")' \
	'function("alone")' 'mark("shadow")' 'mark("cut")'; do
	safe "$point"
done
branch='a branch leads to what follows it'
for name in led back doors outer; do place "mark(\"$name\")" ".stuck = \"$branch"; done
for name in any tables; do place "mark(\"$name\")" '.stuck = "an indirect jump of its function'; done
place 'mark("odd")' '.stuck = "its function cannot be decoded'
place 'mark("swapped")' '.stuck = "it exchanges registers'
strip -o "$work/stripped" "$work/nops"
program="process(\"$work/stripped\")" place 'mark("alone")' '.stuck = "its function is not known'

# ---- what this kernel does is found out, kept, and known to doctor ----
told '' -c "$work/nops 1" -e "probe $program.mark(\"alone\") { println(\$arg1) }"
case $(cat "$work/answer") in
"$boot 0") here=whole state=ok;;
"$boot 1") here=breaks state=limited;;
*) fail "the kernel's answer is not kept: $(cat "$work/answer")"; here=breaks state=limited;;
esac
[ "$(stat -c %a "$work/answer")" = 600 ] || fail 'others may read the answer'
./lapwing doctor | grep -q "^$state *nop5 " || fail 'doctor knows it otherwise'

# ---- results, hits and arguments: as this kernel is, and as one is that breaks ----
sed -e "s|process(\"/|&${work#/}/|g" testsuite/run-kernel/program_nops.stp > "$work/nops.stp"
all() {		# all WHAT ANSWER: 2,000 calls, of each 1,000 of which program_nops.out tells
	awk -v what="$1" '/^told:/ { told = 1; next }
		told == (what == "breaks") && NF == 2 { if ($2 != "wrong") $2 *= 2; print }' \
		$expected > "$work/expected"
	told "$2" -s 4 -c "$work/nops 2000" "$work/nops.stp"
	diff "$work/expected" "$work/out" || { fail "all of them, $1"; head -5 "$work/err"; }
	# one line for each reason, and how many more have the same
	awk '/^WARNING: probe .* skipped: a probe of the 5-byte nop there would break the program/ { n++; lines++ }
		/^WARNING: [0-9]+ probes in all are skipped: a probe of the 5-byte nop/ { n += $2 - 1 }
		END { print n + 0, lines + 0 }' "$work/err" > "$work/skipped"
	[ "$(cat "$work/skipped")" = "$([ "$1" = breaks ] && echo 9 4 || echo 0 0)" ] ||
		{ cat "$work/skipped"; shown "what is refused, $1"; }
}
all $here ''
all breaks "$boot 1"

# ---- 100,000 calls ----
told '' -c "$work/nops 100000" -e "global alone, second, around, copied, lined
	probe $program.mark(\"alone\") { alone++ } probe $program.mark(\"second\") { second++ }
	probe $program.mark(\"around\") { around++ }
	probe $program.function(\"copied\").inline { copied++ }
	probe $program.statement(\"lined@nops.c:$line\") { lined++ }
	probe end { println(alone, \" \", second, \" \", around, \" \", copied, \" \", lined) }"
[ "$(said)" = '0 wrong 100000 100000 50000 100000 100000' ] || shown '100,000 calls'

# ---- what is refused ends the run; one of two places of a mark is not left out but with '?' ----
for name in led shared; do
	told "$boot 1" -c "$work/nops 10" -e "probe $program.mark(\"$name\") { println(\$arg1) }" &&
		fail "$name is not refused"
	grep -q "mark(\"$name\") registration error .*: $branch" "$work/err" || shown "why no $name"
done
told "$boot 1" -c "$work/nops 10" \
	-e "global n probe $program.mark(\"shared\")? { n++ } probe end { println(n) }"
[ "$(said)" = '0 wrong 10' ] && grep -q skipped "$work/err" || shown "what '?' leaves out"

# ---- the address is where the program was stopped; no answer of another boot, of no sense or that
#      others may write is taken ----
address() {	# address ANSWER
	told "$1" -c "$work/nops 1" -e "probe $program.mark(\"alone\") { println(usymdata(uaddr())) }"
	sed -n 's/^alone+\(0x[0-9a-f]*\).*/\1/p' "$work/out"
}
[ "$(address "$boot 1")" = 0xa ] || shown 'it does not stand behind the nop'
if [ $here = breaks ]; then right=1 wrong=0 stands=0xa; else right=0 wrong=1 stands=0x5; fi
for answer in "00000000-0000-0000-0000-000000000000 $wrong" "$boot 7" "$boot"; do
	[ "$(address "$answer")" = $stands ] && grep -qx "$boot $right" "$work/answer" ||
		fail "the answer '$answer' is taken"
done
[ "$(mode=666; address "$boot $wrong")" = $stands ] || fail 'the answer of others is taken'

[ $failed -eq 0 ] && echo 'nop5: all as it should be'
[ $failed -eq 0 ]
