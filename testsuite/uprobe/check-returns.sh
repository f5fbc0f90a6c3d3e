#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-returns.sh - returns of programs in the user runtime that are probed at their instructions: of coroutines, of calls that exceptions
# leave, of more calls than the kernel replaces return addresses of; and which functions that is refused for.
. "$(dirname "$0")/../common.sh"

# ---- coroutines, each call of which ends in another thread than it began in; also without symbols and unwind tables ----
known=testsuite/run-kernel/program_coroutines
sed "s|\"/coroutines\"|\"$work/coroutines\"|" $known.stp > "$work/coroutines.stp"
for how in -O1 '-O1 -fno-asynchronous-unwind-tables' '-O1 -rdynamic -s'; do
	gcc $how -g -pthread -o "$work/coroutines" testsuite/triggers/coroutines.c || exit 1
	[ "$how" = -O1 ] ||		# without names of variables
		sed -i 's/@entry(\$who)/@entry(int_arg(1))/; s/@entry(\$i)/@entry(int_arg(2))/; s/\$return/returnval()/' "$work/coroutines.stp"
	sed -n '/^sum/,/^wrong/p' $known.out > "$work/expected"
	timeout 100 ./lapwing --runtime=user -c "$work/coroutines" "$work/coroutines.stp" > "$work/out" 2> "$work/err"
	grep -v '^in ' "$work/out" | diff "$work/expected" - || { fail "coroutines ($how)"; cat "$work/err"; }
	grep -q ': 300 entered, 100 completed; missed: 200 left by a tail call$' "$work/err" &&
		grep -q ": 300 entered, 0 completed; missed: 300 counts mixed with another thread's$" "$work/err" &&
		grep -q '^PARTIAL: [0-9.]* % of hits$' "$work/err" ||
		{ fail "the books of coroutines ($how)"; cat "$work/err"; }
done
gcc -O1 -g -pthread -o "$work/coroutines" testsuite/triggers/coroutines.c || exit 1
timeout 100 ./lapwing stopwatch "$work/coroutines:{step,resume,dive,leaves,jump}" --runtime=user -- "$work/coroutines" \
	> "$work/out" 2> "$work/err"
grep -qx '1063 calls: 823 timed, 0 in flight, 200 missed, 40 left without a return' "$work/out" &&
	grep -q '^step  *300 .* -$' "$work/out" && grep -q '^resume  *333 ' "$work/out" ||
	{ fail "a stopwatch of coroutines"; cat "$work/out" "$work/err"; }
./lapwing -p2 -v --runtime=user -e "probe process(\"$work/coroutines\").function(\"step\").return { exit() }" > "$work/out" 2>&1
grep -q 'returns of 1 function in .*/coroutines are probed at their instructions: it switches stacks ([a-z]*context)$' "$work/out" ||
	{ fail "nothing says how, and why"; cat "$work/out"; }

# ---- exceptions: every other call is left by one ----
cat > "$work/throws.cc" <<'END'
#include <cstdio>
__attribute__((noinline)) int odd(int n) { if (n & 1) throw n; return n; }
__attribute__((noinline)) int pass(int n) { return odd(n) + 1; }
int main()
{
	long sum = 0, caught = 0;
	for (int i = 0; i < 1000; i++)
		try { sum += pass(i); } catch (int n) { caught++; }
	std::printf("%ld %ld\n", sum, caught);
	return 0;
}
END
g++ -O1 -g -o "$work/throws" "$work/throws.cc" || exit 1
timeout 60 ./lapwing --runtime=user --strict -c "$work/throws" -e "global n, bad
	probe process(\"$work/throws\").function(\"{odd,pass}\").return {
		n[\$\$name]++
		bad += \$return - @entry(\$n) != (\$\$name == \"pass\")
	}
	probe end { foreach (f+ in n) println(f, \" \", n[f]); println(\"bad \", bad) }" > "$work/out" 2> "$work/err"
printf '250000 500\nodd 500\npass 500\nbad 0\n' | diff - "$work/out" && grep -qx COMPLETE "$work/err" ||
	{ fail "exceptions"; cat "$work/err"; }

./lapwing -p2 --runtime=user --returns=addresses -e "probe process(\"$work/throws\").function(\"odd\").return { exit() }" 2>&1 |
	grep -qF 'W0115' || fail 'nothing is said of replaced addresses where there are exceptions'

# ---- on request: calls 100 deep, of which the kernel replaces the return addresses of 64 ----
gcc -O1 -g -pthread -o "$work/works" testsuite/triggers/works.c || exit 1
works="process(\"$work/works\").function(\"work\").return"
for how in auto:384 instructions:600; do
	timeout 60 ./lapwing --runtime=user --returns=${how%:*} -c "$work/works 2 3 100 > $work/none" \
		-e "global n probe $works { n += @entry(1) }" > "$work/out" 2> "$work/err"
	grep -qx "n=${how#*:}" "$work/out" || { fail "deep calls, $how"; cat "$work/out" "$work/err"; }
done

# ---- what is refused ----
refused() {	# refused TEXT POINT OPTION...
	./lapwing -p2 --runtime=user "${@:3}" -e "probe $2 { exit() }" > "$work/out" 2>&1 && fail "accepted: $2"
	grep -qF -- "$1" "$work/out" || { fail "not '$1': $2"; cat "$work/out"; }
}
cat > "$work/odd.c" <<'END'
#include <ucontext.h>
#include <unistd.h>
void data(void);
#ifdef __aarch64__
__asm__(".text\n.type data, %function\ndata: ldr w0, 1f\n ret\n1: .word 0xd65f03c0\n.size data, . - data");
#else
__asm__(".text\n.type data, @function\ndata: mov 1f(%rip), %eax\n ret\n1: .long 0xc3c3c3c3\n.size data, . - data");
#endif
int main(int argc, char **argv) { static ucontext_t c; data(); return argc > 1 ? swapcontext(&c, &c) : getppid(); }
END
gcc -O1 -o "$work/odd" "$work/odd.c" || exit 1
refused 'only the instructions that return could be, as it switches stacks (swapcontext): there is data in its code' \
	"process(\"$work/odd\").function(\"data\").return"
refused 'as it switches stacks (swapcontext): it is a stub' "process(\"$work/odd\").plt(\"getppid\").return"
refused 'as it switches stacks (swapcontext): there is data in its code' \
	"process(\"$work/odd\").function(\"data\").return" --returns=addresses
refused '--returns=other: expected auto, instructions or addresses' "$works" --returns=other

[ $failed -eq 0 ] && echo 'returns: all as they should be'
[ $failed -eq 0 ]
