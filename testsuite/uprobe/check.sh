#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - user programs in the user runtime, on this machine: what is taken at the hit and what is refused, counts beside perf's, what
# killed runs leave, what a reader that stands still loses.
. "$(dirname "$0")/../common.sh"

refused() {	# refused TEXT SCRIPT
	./lapwing --runtime=user -p3 -e "$2" > "$work/out" 2>&1 && fail "accepted: $2"
	grep -qF -- "$1" "$work/out" || { fail "not '$1': $2"; cat "$work/out"; }
}

row() {		# row TEXT SCRIPT: the first uprobe's row ends so
	./lapwing --runtime=user -p3 -e "$2" 2> "$work/err" | grep -A1 'uprobe_rows\[\]' | grep -qF -- "$1" ||
		{ fail "row without '$1': $2"; cat "$work/err"; }
}

gated() {	# gated ARGUMENT...: begins $run, which is armed when this returns; its command ends when 3 is closed
	rm -f "$work/armed"
	exec 3<> "$work/gate"
	./lapwing --runtime=user -c "{ echo > $work/armed; cat; } < $work/gate" "$@" > "$work/out" 2> "$work/err" 3>&- &
	run=$!
	until [ -e "$work/armed" ]; do kill -0 $run || break; done
}

gcc -O1 -pthread -o "$work/works" testsuite/triggers/works.c || exit 1
p="process(\"$work/works\").function(\"work\")"

# ---- what is taken ----
if [ "$(uname -m)" = x86_64 ]; then
	row '.fetch = { 0x20 } }' "probe $p { println(int_arg(1)) }"
	row '.fetch = { 0x20, (const struct rt_piece[]){ { "%di", 8, 8 }, }, 1 }' "probe $p { at = pointer_arg(1) + 8; println(user_long(at)) }"
	row '{ "+16(%di)", -4, 0 }, }, 2 }' "probe $p { println(user_string(user_pointer(pointer_arg(1) + 16) - 4)) }"
	row '.fetch = { 0x80, (const struct rt_piece[]){ { "%sp", 16, 8 }, }, 1 }' "probe $p { println(long_arg(8)) }"
	row '{ "%si", 0, 64 }, { "%si", 64, 36 }, }, 2 }' "probe $p { println(user_buffer_quoted(pointer_arg(2), 100)) }"
fi
row '.counter = &g_n, .step = -2 }' "global n probe $p { n -= 2 }"
for uses in '{ n++ } probe timer.s(1) { println(n) }' 'if (n < 3) { n++ }'; do
	./lapwing --runtime=user -p3 -e "global n probe $p $uses" | grep -q '\.counter =' && fail "counted by the kernel: $uses"
done
refused '[lapwing explain E0609]' "global last probe $p { println(user_string(last[tid()])); last[tid()] = pointer_arg(2) }"
refused '--target=vm' "probe $p { at = pointer_arg(1); while (at) at = user_long(at) }"

gcc -O1 -o "$work/marks" testsuite/triggers/marks.c || exit 1
refused '--target=vm' "probe process(\"$work/marks\").mark(\"indexed\") { println(\$arg1) }"

# ---- functions with target variables: those of the probe that calls them ----
gcc -g -O1 -pthread -o "$work/typed" testsuite/triggers/works.c || exit 1
t="process(\"$work/typed\").function"
./lapwing --runtime=user -c "$work/typed 1 10 1" -e "global sum, back, none
	function more(k) {
		try { return k ? more(k - 1) + (@defined(\$n) ? \$n : 7) : @defined(\$below) + 4 * @defined(\$nosuch) } catch (m) { println(m) }
	}
	function result() { return \$return * 100 + \$n }
	probe $t(\"work\") { sum += more(2) } probe $t(\"work\").return { back += result() } probe $t(\"run\") { none += more(1) }
	probe end { println(sum, \" \", back, \" \", none) }" > "$work/out" 2> "$work/err"
[ "$(tail -1 "$work/out")" = '120 5555 7' ] || { fail "target variables of functions"; cat "$work/out" "$work/err"; }
refused "probe point 'begin' has no target variables" "function more() { return \$n } probe $t(\"work\"), begin { println(more()) }"

# ---- returns of what is called, not of what is jumped to ----
part=' is a part of a function' jumped='it is jumped to, not called'
[ "$(uname -m)" = x86_64 ] || jumped=$part
for how in '' -fno-asynchronous-unwind-tables; do
	gcc -O2 $how -o "$work/cold" testsuite/triggers/cold.c || exit 1
	nm "$work/cold" | grep -q ' work[.]cold$' || fail "this compiler makes no work.cold: nothing is tested"
	cold="process(\"$work/cold\").function"
	./lapwing --runtime=user -c "$work/cold 2000" -e "global n
		probe $cold(\"*\") { n[ppfunc()]++ } probe $cold(\"*\").return { n[ppfunc() . \" returned\"]++ }
		probe process.plt(\"*\").return { n[\"stubs\"] = 1 } probe $cold(\"work.cold\") { n[\"passes\"]++ }
		probe end { foreach (f+ in n) if (f =~ \"^(work|rare|passes|stubs)\") println(f, \" \", n[f]) }" > "$work/out" 2> "$work/err"
	printf '%s\n' "$("$work/cold" 2000)" 'passes 200' 'rare 400' 'rare returned 400' 'stubs 1' 'work 2000' 'work returned 2000' |
		diff - "$work/out" || { fail "returns of all functions ($how)"; cat "$work/err"; }
	refused "returns of 'work.cold' cannot be probed: $([ -z "$how" ] && echo "$jumped" || echo "it$part")" \
		"probe $cold(\"work.cold\").return { exit() }"
	refused 'that is called' "probe $cold(\"work.c*\") { exit() }"
	refused "'_start' cannot be probed: the program begins there" "probe $cold(\"_start\").return { exit() }"
done
./lapwing stopwatch "$work/cold:work*" --runtime=user -- "$work/cold" 2000 > "$work/out" 2>&1
grep -qx '2000 calls: 2000 timed, 0 in flight, 0 missed' "$work/out" || { fail 'stopwatch work*'; cat "$work/out"; }
# ---- paths: a file of that very name is no pattern, and needs no quoting ----
for name in 'quote"d' 'comma,brace{1}' 'hash#per%d$(x)' 'back\slash' 'co:lon' $'new\nline'; do
	cp "$work/cold" "$work/$name"
	command="'$work/$name' 3"
	./lapwing --runtime=user -c "$command" -e 'global n probe process.function("work") { n++ } probe end { println(n) }' \
		> "$work/out" 2> "$work/err"
	[ "$(tail -1 "$work/out")" = 3 ] || { fail "process.function of '$name'"; cat "$work/err"; }
	quoted=${name//\\/\\\\} quoted=${quoted//\"/\\\"}
	for written in "$work/$name:work" "\"$work/$quoted\":work"; do
		./lapwing stopwatch "$written" --runtime=user -- "$work/$name" 3 > "$work/out" 2>&1
		grep -qx '3 calls: 3 timed, 0 in flight, 0 missed' "$work/out" || { fail "stopwatch '$written'"; cat "$work/out"; }
	done
done

# ---- functions that return twice ----
libc=$(ldd ./lapwing-run | sed -n 's|.*=> \(/.*/libc\.so\.6\) .*|\1|p')
cat > "$work/twice.c" << 'END'
#include <setjmp.h>
#include <stdio.h>
static jmp_buf back;
static int n;
int main(void) { if (setjmp(back) < 3) longjmp(back, ++n); printf("%d\n", n); return 0; }
END
gcc -O1 -o "$work/twice" "$work/twice.c" || exit 1
./lapwing --runtime=user --only-target -c "$work/twice" -e 'global n probe end { println(n > 0) }
	probe process.library("libc").function("*setjmp*").return ? { println("returned") }
	probe process.library("libc").function("*setjmp") { n++ }' > "$work/out" 2> "$work/err"
[ "$(paste -sd ' ' "$work/out")" = '3 1' ] || { fail "setjmp"; cat "$work/out" "$work/err"; }
refused 'it keeps its return address for a second return' 'probe process("'"$libc"'").function("_setjmp").return { exit() }'

# ---- a command that dies while its returns are probed ----
cat > "$work/dies.c" << 'END'
#include <signal.h>
__attribute__((noinline)) void work(void) { __asm__ volatile(""); }
int main(void) { work(); return raise(SIGSEGV); }
END
gcc -O1 -o "$work/dies" "$work/dies.c" || exit 1
for point in work work.return; do
	./lapwing --runtime=user --json-summary "$work/json" -c "$work/dies" \
		-e "global n probe process.function(\"${point%.return}\")${point#work} { n++ } probe end { println(n) }" > "$work/out" 2> "$work/err"
	verdict=COMPLETE died=false
	[ $point = work ] || verdict='PARTIAL: the command died of SIGSEGV while its returns were probed, which may be the cause' died=true
	[ "$(cat "$work/out")" = 1 ] && grep -qx "$verdict" "$work/err" && grep -q "\"command_died\": $died" "$work/json" ||
		{ fail "$point of a command that dies"; cat "$work/err"; }
done

# Without call frame information: a function of an assembler's is one, a label in it may be jumped to.
cat > "$work/label.s" << 'END'
.globl main
.type main,@function
.type inner,@function
main: nop
inner: nop
ret
.size main,.-main
.section .note.GNU-stack
END
gcc -o "$work/label" "$work/label.s" || exit 1
refused "returns of 'inner' cannot be probed: it lies within another function" \
	"probe process(\"$work/label\").function(\"inner\").return { exit() }"
label="process(\"$work/label\").function"
[ "$(./lapwing -l "$label(\"{main,inner}*\").return")" = "$label(\"main\").return" ] ||
	fail "functions of an assembler's"

# ---- what guests are tested with gives the same here ----
for script in testsuite/run-kernel/program_{calls,life,marks,stacks,variables}.stp; do
	trigger=$(sed -n 's/^#@ trigger: *//p' "$script")
	gcc -g -O1 -static -pthread -o "$work/${trigger%% *}" "testsuite/triggers/${trigger%% *}.c" || exit 1
	sed "s|process(\"/|&${work#/}/|g" "$script" > "$work/script.stp"
	# Of the trigger's system calls alone: those of a busy machine fill any ring.
	./lapwing --runtime=user --only-target -c "$work/$trigger" "$work/script.stp" 2> "$work/err" | sed "s|$work/|/|g" > "$work/out"
	diff -u "${script%.stp}.out" "$work/out" || { fail "$script differs"; head -5 "$work/err"; }
done

refused "'\$order[(\$n) & (1)]->n' reads memory at an address" \
	"probe process(\"$work/work\").function(\"work\") { println(\$order[\$n & 1]->n) }"

# ---- C++ with debuginfo: functions by their own names, parameters where the ABI puts them ----
for level in 0 1; do
	g++ -g -O$level -o "$work/classes" testsuite/triggers/classes.cc || exit 1
	./lapwing --runtime=user -c "$work/classes" testsuite/uprobe/classes.stp "$work/classes" 2> "$work/err" |
		sed 's/0x7f[0-9a-f]*/STACK/' > "$work/out"
	diff -u testsuite/uprobe/classes.out "$work/out" || { fail "C++ at -O$level"; head -5 "$work/err"; }
done

# ---- bit fields and enumerators, in the forms that DWARF has had for them ----
cat > "$work/bits.out" << 'END'
{.f={.one=1, .three=5, .minus=-9, .wide=737894400291, .deep=-5000000, .tail=100}, .t={.c=120, .u=100001, .s=-100002, .l=1250999896491, \
.last=-7}, .ints=[-1, -2, 3, -4], .bytes=[-128, 127, -1], .grid=[[1, -2], [-4, 5]], .yes=1, .no=0, .colour=-1, .large=-5000000000, \
.word=2147483649, .number=-2147483647, .inner=-3000000000, .hidden=255}
5 -9 -5000000 100001 -100002 -7 -2147483647
END
for compiler in "${CC:-gcc}" clang; do
	command -v "$compiler" > /dev/null || continue
	for form in 2 3 4 5; do
		"$compiler" -gdwarf-$form -O0 -o "$work/bits" testsuite/triggers/bits.c || exit 1
		./lapwing --runtime=user -c "$work/bits" -e "probe process(\"$work/bits\").function(\"take\") {
			println(\$a\$\$)
			printf(\"%d %d %d \", \$f->three, \$f->minus, \$f->deep)
			printf(\"%d %d %d %d\n\", \$a->t->u, \$a->t->s, \$a->t->last, \$a->number)
		}" 2> "$work/err" | diff <(sed -z 's/\\\n//g' "$work/bits.out") - ||
			{ fail "bit fields by $compiler -gdwarf-$form"; head -5 "$work/err"; }
	done
done

# ---- variables of a file, whose addresses Clang has in a table, and the unit's own file as number 0 ----
cat > "$work/globals.c" << 'END'
struct box { int level; long wide; };
struct box first = { 3, 44 }; static long hidden = 7;
__attribute__((noinline)) int add(int n) { hidden += n; __asm__ volatile("" ::: "memory"); return n + first.level; }
int main(void) { return add(2) != 5 || hidden != 9; }
END
for compiler in "${CC:-gcc}" clang; do
	command -v "$compiler" > /dev/null || continue
	for form in 4 5; do
		"$compiler" -gdwarf-$form -O1 -o "$work/globals" "$work/globals.c" || exit 1
		p3="process(\"$work/globals\").function(\"add\")"
		./lapwing --runtime=user -c "$work/globals" -e "probe $p3 { println(\$first->wide, \" \", \$hidden, \" \", \$first\$) }
			probe $p3.return { println(@var(\"hidden@globals.c\")) }" > "$work/out" 2> "$work/err"
		[ "$(tr '\n' ' ' < "$work/out")" = '44 7 {.level=3, .wide=44} 9 ' ] ||
			{ fail "variables of a file by $compiler -gdwarf-$form"; cat "$work/out" "$work/err"; }
	done
done

# ---- a function inlined into a loop, where Clang has padding at its lowest address and names no entry ----
cat > "$work/inlined.c" << 'END'
#include <stdlib.h>
__attribute__((noinline)) int leaf(int n) { __asm__ volatile("" ::: "memory"); return n * 2; }
static inline __attribute__((always_inline)) int both(int n)
{
	__asm__ volatile("" : "+r"(n));
	if (n < 0)
		goto negative;
	return n + 1;
negative:
	__asm__ volatile("");
	return n - 1;
}
volatile int sum;
int main(int argc, char **argv)
{
	int (*volatile call)(int) = leaf;
	for (int n = 1; n <= atoi(argv[argc - 1]); n++) {
		int b = both(n) + call(-n);
		sum += leaf(n) + leaf(100);
		sum += b;
	}
	return 0;
}
END
for compiler in "${CC:-gcc}" clang; do
	command -v "$compiler" > /dev/null || continue
	for level in 1 2; do
		(cd "$work" && "$compiler" -g -O$level -o inlined inlined.c) || exit 1
		./lapwing --runtime=user -c "$work/inlined 7" -e "global n, s
			probe process(\"$work/inlined\").function(\"both\").inline { n++; s += \$n } probe end { println(n, \" \", s) }" \
			> "$work/out" 2> "$work/err"
		[ "$(cat "$work/out")" = '7 28' ] || { fail "a function inlined by $compiler -O$level"; cat "$work/out" "$work/err"; }
	done
done

# ---- a struct that the probed unit only declares, a character with a sign; frames printed are names asked for ----
cat > "$work/a.c" << 'END'
struct o; struct o *make(void); int take(struct o *);
int take(struct o *p) { return !p; }
int main(void) { return take(make()); }
END
cat > "$work/b.c" << 'END'
struct o { int a; signed char x; }; struct o *make(void);
struct o *make(void) { static struct o one = { 4, -5 }; return &one; }
END
gcc -g -o "$work/declared" "$work/a.c" "$work/b.c" || exit 1
p2="process(\"$work/declared\").function(\"take\")"
./lapwing --runtime=user -c "$work/declared" -e "probe $p2 { println(\$p->x) print_ubacktrace() }" > "$work/out" 2> "$work/err"
grep -qxe -5 "$work/out" || { fail "a struct of another unit"; cat "$work/err"; }
grep -qE '^lapwing-run: [0-9]+ of [0-9]+ addresses without a name' "$work/err" || fail "the share without a name is not told"

gcc -O1 -o "$work/held" testsuite/triggers/held.c || exit 1
"$work/held" 100 & held=$!
"$work/held" 30 & other=$!
for process in $held $other; do
	until grep -q '^State:.S' /proc/$process/status; do kill -0 $process || break; done
done
mkfifo "$work/gate"
gated testsuite/run-kernel/program_pid.stp $held
kill -USR1 $held $other && wait $held $other
exec 3>&-
wait
diff -u testsuite/run-kernel/program_pid.out "$work/out" || { fail 'program_pid.stp differs'; head -5 "$work/err"; }

# ---- a process that was there before, whose children end at once: what they ran is known ----
cat > "$work/forks.c" << 'END'
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noipa)) void leaf(void) { }
int main(void)
{
	sigset_t set;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	close(1);
	sigwait(&set, &sig);
	for (int i = 0; i < 20; i++) {
		if (!fork()) {
			leaf();
			_exit(0);
		}
		wait(NULL);
	}
	return 0;
}
END
gcc -O1 -o "$work/forks" "$work/forks.c" || exit 1
mkfifo "$work/blocks"
"$work/forks" > "$work/blocks" & forks=$!
cat "$work/blocks"		# until it has closed it: it takes the signal from now on
./lapwing --runtime=user -c "cat $work/gate" -e "global n probe process(\"$work/forks\").function(\"leaf\") { n[usymname(uaddr())]++ }" \
	> "$work/out" 2> "$work/err" &
exec 3> "$work/gate"
kill -USR1 $forks && wait $forks
exec 3>&-
wait
grep -qx 'n\["leaf"\]=20' "$work/out" || { fail 'names of what children ran'; cat "$work/out" "$work/err"; }

# ---- a program that removes its file and ends at once ----
cat > "$work/gone.c" << 'END'
#include <unistd.h>
__attribute__((noipa)) void leaf(void) { }
int main(int argc, char **argv) { unlink(argv[0]); leaf(); return argc != 1; }
END
gcc -O1 -o "$work/gone" "$work/gone.c" || exit 1
./lapwing --runtime=user -c "$work/gone" -e "probe process(\"$work/gone\").function(\"leaf\") { println(usymname(uaddr())) }" \
	> "$work/out" 2> "$work/err"
grep -qx leaf "$work/out" || { fail 'names of a file that is gone'; cat "$work/out" "$work/err"; }

# ---- addresses of a process that has ended, in an end probe ----
gcc -O1 -pie -fPIE -o "$work/recursing" testsuite/triggers/recurse.c || exit 1
./lapwing --runtime=user -c "$work/recursing 2 1" > "$work/out" 2> "$work/err" \
	-e "global at probe process(\"$work/recursing\").function(\"leaf\") { at = ubacktrace() } probe end { print_usyms(at) }"
sed 's/.* : //; s/+.*//' "$work/out" | head -4 | paste -sd ' ' | grep -qx 'leaf deeper deeper main' ||
	{ fail 'names in an end probe'; cat "$work/out" "$work/err"; }

# ---- counts beside the kernel's own (count.c, as perf stat does), in the same run, of system programs without debuginfo ----
events=/sys/kernel/tracing/uprobe_events
group=check_$$
gcc -O1 -o "$work/count" testsuite/uprobe/count.c || exit 1
mark() {	# mark POINT: an event where the probe will be; $path is the file
	local at
	at=$(./lapwing --runtime=user -p3 -e "probe $1 { exit() }" 2> "$work/err" |
		sed -n 's/.*{ &probes\[0\], "\([^"]*\)", \(0x[0-9a-f]*\),.*/\1:\2/p')
	echo "p:$group/code $at" >> $events || fail "no event at '$at'"
	path=${at%:*}
}
beside() {	# beside POINT BODY
	local said known
	"$work/count" "$(cat "/sys/kernel/tracing/events/$group/code/id")" "$work/stat" \
		./lapwing --runtime=user --only-target -c "$command" -e "global n probe $1 $2" > "$work/out" 2> "$work/err"
	said=$(sed -n 's/^n=//p' "$work/out") known=$(cat "$work/stat")
	[ "${said:-0}" -gt 10 ] && [ "$said" = "$known" ] || { fail "$1 $2: '$said' hits, the kernel counts '$known'"; cat "$work/err"; }
}
if xz=$(command -v xz); then
	head -c 600000 /dev/urandom > "$work/data"
	command="$xz -k -f $work/data"
	library="process(\"$xz\").library(\"liblzma.so.5\")"
	mark "$library.function(\"lzma_code\")"
	beside "process(\"$path\").function(\"lzma_code\")" '{ n++ }'
	beside "$library.function(\"lzma_code\")" '{ n++ }'
	beside "$library.function(\"lzma_*\")" '{ n += ppfunc() == "lzma_code" }'
	beside "$library.function(\"lzma_code\").return" '{ n += returnval() < 2 }'
	echo "-:$group/code" >> $events
else
	fail "no xz to be counted in: apt-get install xz-utils"
fi
python=/usr/bin/python3
if [ -x $python ]; then
	printf 'print(sum(len(str(i)) for i in range(3000)))\n' > "$work/sum.py"
	command="$python $work/sum.py"
	p3="process(\"$python\").function(\"PyObject_Str\")"
	mark "$p3"
	beside "$p3" '{ n++ }'
	beside "$p3" '{ n += pointer_arg(1) != 0 }'
	beside "$p3.return" '{ n += returnval() != 0 }'
	echo "-:$group/code" >> $events
else
	fail "no $python to be counted in: apt-get install python3"
fi

# ---- before its command's exec a process is called as lapwing-run is ----
./lapwing --runtime=user --only-target -c true -e "probe process(\"$libc\").function(\"execvp\") { println(execname()) }" \
	> "$work/out" 2> "$work/err"
grep -qx lapwing-run "$work/out" || { fail 'the name before exec'; cat "$work/out" "$work/err"; }

# ---- nor is anything seen of what it does as lapwing-run, until the program is there, however long that takes ----
cat > "$work/slow.c" << 'END'
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int prctl(int what, ...)
{
	unsigned long value;
	va_list all;

	va_start(all, what);
	value = va_arg(all, unsigned long);
	va_end(all);
	for (volatile long n = what == PR_SET_PDEATHSIG ? 500000000 : 0; n; n--)
		;
	return (int)syscall(SYS_prctl, what, value, 0, 0, 0);
}
END
gcc -O1 -shared -fPIC -o "$work/slow.so" "$work/slow.c" || exit 1
LD_PRELOAD=$work/slow.so ./lapwing --runtime=user --strict -c /bin/true -e 'global first
	probe process.syscall { if (!first++) println(syscall_name($syscall)) }' > "$work/out" 2> "$work/err"
[ "$(cat "$work/out")" = brk ] || { fail 'calls of lapwing-run are the command'\''s'; cat "$work/out" "$work/err"; }
grep -qx COMPLETE "$work/err" || { fail 'calls of a command'; cat "$work/err"; }

# ---- a stack whose return addresses the script's own return probes have replaced, through a signal handler ----
gcc -O1 -o "$work/recurse" testsuite/triggers/recurse_plain.c || exit 1
p2="process(\"$work/recurse\").function"
./lapwing --runtime=user --user-unwind=dwarf -c "$work/recurse 5 1" -e "global n probe $p2(\"deeper\").return { n += returnval() != 0 }
	probe $p2(\"leaf\") { print_ubacktrace_brief() }" > "$work/out" 2> "$work/err"
sed 's/+.*//' "$work/out" | paste -sd ' ' | grep -q '^leaf .*raise.* deeper deeper deeper deeper deeper main .*_start' ||
	{ fail 'a stack under return probes'; cat "$work/out" "$work/err"; }

# ---- 100 calls deep, of which the kernel gives 64 returns: those that something is kept for are missed and counted ----
sed "s|process(\"/|&${work#/}/|g" testsuite/run-kernel/program_deep.stp > "$work/deep.stp"
./lapwing --runtime=user -c "$work/works 2 3 100" "$work/deep.stp" 2> "$work/err" | tail -1 > "$work/out"
grep -qx '600 384 26304' "$work/out" && grep -q '600 entered, 384 completed; missed: 216 no return slot' "$work/err" ||
	{ fail 'of calls 100 deep'; cat "$work/out" "$work/err"; }

# ---- stopwatches: of what does nothing the fastest call is below the floor, or takes what it could if all calls took twice as long as
#      when the floor was measured (run-kernel/floors has a clock for more); what was read of a loop lies between what the program's clock
#      says within it and around it, and what is shown is the floor less; the status is the program's ----
gcc -g -O1 -pthread -o "$work/floors" testsuite/triggers/floors.c || exit 1
./lapwing stopwatch "process(\"$work/floors\").function(\"{nothing,nearly,timed,down}\")" --raw --hist --runtime=user -- "$work/floors" \
	> "$work/out" 2> "$work/err"
[ $? -eq 3 ] || fail "stopwatch's status is not the program's"
awk 'function is_nothing(f) { return calls[f] == 500 && floor[f] > 0 && (min[f] == "below" || min[f] <= 2 * floor[f]) }
	{ gsub("< floor", "below") }
	$1 == "timed" && NF == 2 { truth = $2; next }
	$1 == "within" { within = $2 }
	/^[a-z]+ +[0-9]+ +[0-9b]/ && NF == 12 { row = $1; calls[row] = $2; min[row] = $4; floor[row] = $10 }
	/^  raw / { raw[row] = $3 }
	END { exit !(is_nothing("nothing") && is_nothing("nearly") && calls["down"] == 100 && calls["timed"] == 10 && within > 0 &&
		       within <= raw["timed"] && raw["timed"] <= truth && min["timed"] == raw["timed"] - floor["timed"]) }' "$work/out" ||
	{ fail "floors"; cat "$work/out" "$work/err"; }
awk '/^[a-z]+ +[0-9]+ +[0-9<]/ { gsub("< floor", "-1"); if (rows++ && $3 > above) exit 1; above = $3 }
	END { if (rows != 4) exit 1 }' "$work/out" ||
	{ fail "rows in the order of what is shown"; cat "$work/out"; }
grep -q '^  raw  *[0-9]' "$work/out" && grep -q '^nothing: ns as read, [1-9][0-9]* of them the floor$' "$work/out" &&
	grep -q '^1110 calls: 1110 timed, 0 in flight, 0 missed$' "$work/out" || { fail "stopwatch's table"; cat "$work/out" "$work/err"; }
./lapwing --runtime=user -c "$work/floors hold" -e "stopwatch process(\"$work/floors\").function(\"main\")
	probe process(\"$work/floors\").function(\"hold\") { exit() }" > "$work/out" 2> "$work/err"
grep -q '^1 calls: 0 timed, 1 in flight, 0 missed$' "$work/out" || { fail "no call in flight"; cat "$work/out" "$work/err"; }
./lapwing stopwatch "$work/floors:{leap,leave}" --runtime=user -- "$work/floors" > "$work/out" 2> "$work/err"
grep -qx '12 calls: 5 timed, 0 in flight, 0 missed, 7 left without a return' "$work/out" ||
	{ fail "calls that do not return"; cat "$work/out" "$work/err"; }
./lapwing stopwatch "$work/floors:leap,leave" --runtime=user --expand > "$work/expanded.stp"
./lapwing --runtime=user --only-target -c "$work/floors" "$work/expanded.stp" > "$work/out" 2> "$work/err"
grep -qx '12 calls: 5 timed, 0 in flight, 0 missed, 7 left without a return' "$work/out" &&
	grep -q '^leap .* [1-9][0-9]*  *[1-9][0-9]*  *[-0-9]*$' "$work/out" ||
	{ fail "what --expand prints does not do the same"; cat "$work/out" "$work/err"; }
./lapwing stopwatch "$work/floors:open_request" to "$work/floors:close_request" by '$req' --raw --json --runtime=user -o "$work/json" \
	-- "$work/floors" > "$work/out" 2> "$work/err"
python3 - "$work/out" "$work/json" << 'END' || { fail "from one function to another"; cat "$work/out" "$work/err"; }
import json, sys
lines = open(sys.argv[1]).read().splitlines()
loops = [int(l.split()[1]) for l in lines if l.startswith("open ")][0]
said = json.load(open(sys.argv[2]))
row, = said["rows"]
run = said["run"]
assert run["schema"] == "lapwing-run/1" and sum(p["entered"] for p in run["probes"]) > 7 and run["verdict"] in ("COMPLETE", "PARTIAL"), run
assert said["calls"] == { "entered": 7, "timed": 5, "in_flight": 1, "missed": 1, "left": 0, "rowless": 0 }, said
assert row["function"] == "close_request" and row["calls"] == 5 and row["floor_ns"] > 0, row
assert row["raw_total_ns"] > loops and row["total_ns"] in (None, row["raw_total_ns"] - 5 * row["floor_ns"]), row
END
COLUMNS=80 ./lapwing stopwatch "$work/floors:timed,nothing" with task-clock,page-faults --raw --runtime=user -- "$work/floors" \
	> "$work/out" 2> "$work/err"
# Below the floor, unless the machine took more for calls than for what the floor was read from: then the average says so.
awk 'function us(t) { return t + 0 ? (t ~ /ns$/ ? t / 1000 : t ~ /ms$/ ? t * 1000 : t ~ /us$/ ? t + 0 : t * 1000000) : 0 }
	/^nothing  *500 .* <floor / { below = 1 }
	/^nothing/ { row = NR } /^  raw/ && NR == row + 1 && !average { average = us($4) }
	/^nothing  *[0-9.]+[mu]?n?s  *[0-9.]+[mu]?n?s / { floor = us($2); varies = us($3) }
	END { exit !(floor && (below || average > floor + varies)) }' "$work/out" &&
	[ -s "$work/out" ] && ! grep -q '.\{81\}' "$work/out" ||
	{ fail "a table of 80 columns"; cat "$work/out" "$work/err"; }
./lapwing stopwatch "$work/floors:timed,nothing" by 'ppfunc(),execname()' with page-faults --csv --runtime=user -- "$work/floors" \
	> "$work/out" 2> "$work/err"
grep -qx '"ppfunc()","execname()",calls,total_ns,.*,page-faults/call,page-faults/quality' "$work/out" &&
	grep -q '^"timed","floors",10,' "$work/out" &&
	awk -F, 'NR > 1 && NF > 1 && NF != 15 { exit 1 }' "$work/out" || { fail "comma-separated values"; cat "$work/out" "$work/err"; }
./lapwing stopwatch "process(\"$work/floors\").function(\"step\")" by '$req' --runtime=user -- "$work/floors" > "$work/out" 2> "$work/err"
grep -q '^7  *2 ' "$work/out" && grep -q '^6  *1 ' "$work/out" || { fail "a request of two threads"; cat "$work/out" "$work/err"; }
./lapwing stopwatch "$work/works:work" by 'int_arg(1)' --csv --runtime=user -- "$work/works" 1 600 1 > "$work/out" 2> "$work/err"
[ $? -eq 0 ] && [ "$(grep -c '^"[0-9]*",1,' "$work/out")" = 512 ] && grep -q '^PARTIAL: .* of inserts$' "$work/err" &&
	[ "$(grep -c refused "$work/err")" = 1 ] &&
	grep -qF "the table of stopwatch process(\"$work/works\").function(\"work\") by int_arg(1) show csv refused 88 inserts" "$work/err" &&
	grep -qx 'WARNING: 600 calls: 600 timed, 0 in flight, 0 missed; 88 of those timed have no row: the table is full' "$work/err" ||
	{ fail "a table of more rows than it has"; head -3 "$work/out"; cat "$work/err"; }

# ---- counts and times of a call are those of its return less those of its entry: 50 new pages each ----
gcc -g -O0 -pthread -static -o "$work/touched" testsuite/triggers/touched.c || exit 1
touch="process(\"$work/touched\").function(\"touch\")"
./lapwing stopwatch "$touch" with page-faults,task-clock --runtime=user -- "$work/touched" 4 20 50 > "$work/out" 2> "$work/err"
# Some kernels do not tell of all switches, of those from idle threads above all:
# that is said, and then no count is shown that may be wrong.
untold() { grep -q 'switches were not seen: .*: the kernel did not tell of them' "$work/err" && grep -q '^PARTIAL' "$work/err"; }
awk '$1 == "touch" { calls = $2; faults = $13; time = $14 } /^counts: / { quality = $3; of_time = $5 }
	END {
		if (calls != 80 || (faults != 50 && faults != 51 && faults != "-") || (time <= 0 && of_time != "partial")) exit 1
		print (faults == "-" ? "none" : "all") " " quality
	}' "$work/out" > "$work/known"
grep -qx 'all exact,' "$work/known" || { grep -q 'partial,$' "$work/known" && untold; } ||
	{ fail "counts of calls"; cat "$work/known" "$work/out" "$work/err"; }
./lapwing --runtime=user -c "$work/touched 1 5 50" -e "probe $touch.startwatch(\"page-faults\").return {
	if (\$timestamp <= @entry(\$timestamp) || \$pmu[0] - @entry(\$pmu[0]) < 50) wrong++
	println(wrong, \" \", pmu_quality(\"faults\")) }" > "$work/out" 2> "$work/err"
[ "$(uniq -c < "$work/out" | tr -s ' ')" = ' 5 0 exact' ] || { untold && ! grep -v '^0 \(exact\|partial\)$' "$work/out"; } ||
	{ fail "@entry of counts and times"; cat "$work/out" "$work/err"; }

# ---- a reader that stands still while 200,000 hits fill rings for 100,000: what is lost is counted ----
printf 'kill -STOP $PPID\n%s 2 100000 1\nkill -CONT $PPID\n' "$work/works" > "$work/still"
./lapwing --runtime=user -c "sh $work/still" -e "global n, m probe $p { n++ } probe $p { m += int_arg(1) > 0 }" > "$work/out" 2> "$work/err"
n=$(sed -n 's/^n=//p' "$work/out") m=$(sed -n 's/^m=//p' "$work/out")
[ "$n" = 200000 ] || fail "$n of 200000 counted while the reader stood still"
[ "${m:-200000}" -lt 200000 ] &&
	grep -q ": 200000 entered, $m completed; missed: $((200000 - m)) overload: ring buffer full (try -s [0-9]*)" "$work/err" ||
	{ fail "the books do not balance with $m handled"; cat "$work/err"; }

# ---- what the aliases of the C library say is what it was asked for, and gave ----
gcc -O1 -pthread -o "$work/heap" testsuite/triggers/heap.c || exit 1
./lapwing --runtime=user --only-target -c "$work/heap > $work/true" -e '
	probe libc.memory.{malloc,calloc,realloc} {
		if (execname() == "heap") printf("libc.memory.%s size %d address %d\n", name, size, address)
	}
	probe libc.memory.free { if (execname() == "heap") printf("libc.memory.%s address %d\n", name, address) }
	probe libc.mutex.* { if (execname() == "heap") printf("libc.mutex.%s mutex %d\n", substr(name, 6, 10), mutex) }' \
	> "$work/out" 2> "$work/err"
[ "$(wc -l < "$work/true")" = 7 ] && ! grep -vxFf "$work/out" "$work/true" ||
	{ fail "aliases of the C library"; cat "$work/out" "$work/err"; }

# ---- functions that are there as the compiler's copies alone, by their own names: without debuginfo what is left of one whose beginning is
# inlined, with it its beginnings ----
for debug in '-g0 5 2 5 2' '-g 5 5 5 2'; do
	gcc -O3 "${debug%% *}" -o "$work/parts" testsuite/triggers/parts.c || exit 1
	nm "$work/parts" > "$work/names"
	[ "$(grep -cE ' (work[.]part|scaled[.]constprop)[.]0$' "$work/names")" = 2 ] && ! grep -qE ' (work|scaled)$' "$work/names" ||
		fail "parts.c has not the copies that it says: the test is blind"
	program="process(\"$work/parts\")"
	./lapwing --runtime=user -v -c "$work/parts" -e "
		global n, r
		probe $program.function(\"scaled\"), $program.function(\"work\") { n[substr(ppfunc(), 0, 4)]++ }
		probe $program.function(\"scaled\").return, $program.function(\"wor?\").return { r[substr(ppfunc(), 0, 4)]++ }
		probe end { println(n[\"scal\"], \" \", n[\"work\"], \" \", r[\"scal\"], \" \", r[\"work\"]) }" \
		> "$work/out" 2> "$work/err"
	[ "$(cat "$work/out")" = "${debug#* }" ] &&
		grep -qF "has the compiler's copy work.part.0: its beginning is inlined, and calls" "$work/err" ||
		{ fail "the compiler's copies ${debug%% *}"; cat "$work/out" "$work/err"; }
done
./lapwing --runtime=user -e "probe process(\"$work/parts\").function(\"made_inlined\") { println(ppfunc()) }" -c "$work/parts" \
	> "$work/out" 2>&1
[ "$(grep -c '^made_inlined$' "$work/out")" = 1 ] || { fail "inlined by a macro"; cat "$work/out"; }

# ---- a kernel whose records begin otherwise: what is where in them is read from tracefs, here from what is not true of this kernel ----
printf '#include <sys/syscall.h>\n#include <unistd.h>\nint main(void) { return syscall(SYS_getppid, 4242, 4343, 4444) < 0; }\n' |
	gcc -x c -o "$work/asks" - || exit 1
sed 's/\(id;	offset:\)8;/\116;/; s/\(args\[6\];	offset:\)16;/\124;/' "${events%/*}/events/raw_syscalls/sys_enter/format" > "$work/format"
unshare -m sh -c 'mount --bind "$1/format" "$2/events/raw_syscalls/sys_enter/format" && shift 2 && exec "$@"' sh "$work" "${events%/*}" \
	./lapwing --runtime=user -c "$work/asks" -e 'probe process.syscall { if ($syscall == 4242) println($syscall, " ", $arg1, " ", $arg2) }' \
	> "$work/out" 2> "$work/err"
[ $? -eq 0 ] && [ "$(cat "$work/out")" = '4242 4343 4444' ] || { fail "records that begin otherwise"; cat "$work/out" "$work/err"; }

# ---- what a killed run leaves is removed by the next ----
gated -e "probe $p { println(pid()) }"
left=$(sed -n "s|^p:\(lapwing_[0-9]*\)/.* $work/works:.*|\1|p" $events)
[ -n "$left" ] || fail "a run has no events: the test is blind"
kill -9 "${left#lapwing_}"
exec 3>&-
wait $run 2> "$work/err"
./lapwing --runtime=user -e "probe $p { println(pid()) } probe timer.ms(1) { exit() }" > "$work/out" 2>&1
grep "$left/" $events && fail 'what a killed run left is there still'
grep -F "$work/works" $events && fail 'a run left its events'

[ $failed -eq 0 ] && echo 'uprobe: all as it should be'
[ $failed -eq 0 ]
