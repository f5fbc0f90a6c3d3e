#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - captures of a program whose profile is known, and what the report programs say of them; captures that are cut off, damaged
# or lie.
. "$(dirname "$0")/../common.sh"
# says FILE TEXT...: each TEXT is a fixed string of the file
says() {
	local file=$1 text
	shift
	for text; do
		tr -s ' ' < "$file" | grep -qF -e "$text" || { fail "does not say '$text':"; cat "$file"; }
	done
}
. testsuite/report/build-load || exit 2

# Of the samples in heavy and light the share of heavy is the program's own, by its thread's clock, within five standard deviations (wrong
# once in 1.7 million runs: samples at varied times vary no more than independent ones). Where samples that were lost would have been
# nobody knows.
./lapwing record -q -g -o "$work/c" -- "$work/load" 1500 > "$work/truth" || fail "record: exit status $?"
./lapwing report --csv "$work/c" > "$work/csv"
./lapwing report "$work/c" > "$work/out"
awk -v lost="$(awk '/^samples / { print $7 }' "$work/out")" -F, '
	FNR == NR { split($0, w, " "); ns[w[1]] = w[2]; next }
	$6 in ns { n[$6] += $1; all += $1 }
	END {
		true = ns["heavy"] / (ns["heavy"] + ns["light"]); sigma = sqrt(true * (1 - true) * (all + lost)); due = true * (all + lost)
		if (all >= 100 && n["light"] && n["heavy"] > due - lost - 5 * sigma && n["heavy"] < due + 5 * sigma) exit 0
		print n["heavy"] " of " all " samples, " lost " lost, where the program has " 100 * true " %"; exit 1
	}' "$work/truth" "$work/csv" || fail "shares are not the program's"
# What is said of a share is of all samples, and within Wilson's interval of 95 %.
awk -F, 'function differs(a, b) { return a - b > 0.001 || b - a > 0.001 }
	FNR > 1 { n[FNR] = $1; all += $1; percent[FNR] = $3; half[FNR] = $4 }
	END {
		for (i in n) {
			p = n[i] / all
			interval = 100 * 1.959964 * sqrt(p * (1 - p) / all + 3.841459 / (4 * all * all)) / (1 + 3.841459 / all)
			if (differs(percent[i], 100 * p) || differs(half[i], interval)) { print n[i], all, percent[i], half[i], interval; bad = 1 }
		}
		exit bad || !all
	}' "$work/csv" || fail "a share or its interval"
says "$work/out" "command $work/load 1500" 'event cpu-clock: a sample every 1 ms' 'procedure image'
honest "$work/out"
./lapwing report --by line,function "$work/c" > "$work/out"
# Its loop is in three lines; on which of them samples fall depends on the processor.
grep -Eq 'load\.c:(22|27|28) +heavy$' "$work/out" || { fail "no line of heavy"; cat "$work/out"; }
./lapwing report --by name,mode --limit 1 "$work/c" > "$work/out"
says "$work/out" 'load user' 'rows more'

# One sample in so many events, of threads that come and go: 20,000 page faults and some of its own, each CPU at a period of 88 to 112.
${CC:-cc} -O1 -pthread -o "$work/touched" testsuite/triggers/touched.c || exit 2
./lapwing record -q -e page-faults -c 100 -o "$work/p" -- "$work/touched" 2 20 500
./lapwing report "$work/p" > "$work/out"
honest "$work/out"
awk '/^samples / { exit !($2 > 165 && $2 < 245) }' "$work/out" || fail "not one sample in 100 of 20,000 page faults: $(cat "$work/out")"

# The command's exit status is ours; what cannot be run is said as a shell says it.
./lapwing record -q -o "$work/x" -- sh -c 'exit 7'
[ $? -eq 7 ] || fail "exit status is not the command's"
./lapwing record -q -o "$work/x" -- "$work/nothing" 2> "$work/err"
[ $? -eq 127 ] || fail "exit status of a command that is not there"
says "$work/err" 'cannot be run: No such file or directory [lapwing explain E1012]'

# On and off the CPU together are the thread's life: no less than what the program saw of it, no more than the recording took.
./lapwing record -q -g --off-cpu -o "$work/o" -- "$work/load" 50 20 > "$work/truth"
./lapwing report -t --event off-cpu "$work/o" > "$work/out"
says "$work/out" 'event off-cpu: time off the CPU, exact'
awk 'FNR == NR { if ($1 == "all") all = $2 / 1e6; next } / load\(/ { wall = $3; on = $1; off = $2 }
	END {
		if (wall >= all && on + off > wall - 0.002 && on + off < wall + 0.002 && off > 100) exit 0
		print "wall", wall, "on", on, "off", off, "program", all; exit 1
	}' \
	"$work/truth" "$work/out" || fail "time on and off the CPU"

# So it is for threads that were there before: for one that only waits, and for one that takes another name all the time.
gcc -O1 -D_GNU_SOURCE -pthread -x c -o "$work/names" - << 'END' || exit 2
#include <pthread.h>
#include <unistd.h>
static void *work(void *unused)
{
	for (int i = 0;; i++) {
		pthread_setname_np(pthread_self(), i & 1 ? "odd" : "even");
		usleep(2000);
	}
}
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); write(1, "\n", 1); pause(); return 0; }
END
mkfifo "$work/ready"
"$work/names" > "$work/ready" &
there=$!
read -r _ < "$work/ready"
./lapwing record -q --off-cpu -d 0.3 -p $there -o "$work/o"
kill $there
./lapwing report -t --event off-cpu "$work/o" > "$work/out"
awk '/\([0-9]+\)$/ { n++; wall[$3] } END { for (w in wall) m++; exit !(n == 2 && m == 1) }' "$work/out" ||
	fail "threads that were there before: $(cat "$work/out")"
# Of the whole machine: a process that is gone waits no more. One after the other they live no longer than who started them.
cp /bin/true "$work/brief" && cp /bin/sleep "$work/nap" || exit 2
./lapwing record -q --off-cpu -a -o "$work/o" -- sh -c '"$1/brief"; "$1/nap" 0.5; echo $$' x "$work" > "$work/pid"
./lapwing report -t --event off-cpu "$work/o" > "$work/out"
awk -v sh="$(cat "$work/pid")" 'match($0, /\([0-9]+\)$/) { pid = substr($0, RSTART + 1, RLENGTH - 2); wall[pid] += $3 }
	$4 ~ /^brief\(/ { first = pid }
	$4 ~ /^nap\(/ { second = pid }
	END { exit !(wall[first] > 0 && wall[second] > 0 && wall[first] + wall[second] <= wall[sh]) }' "$work/out" ||
	fail "a process that is gone: $(cat "$work/out")"

# Who calls whom: heavy from through alone, for all its time; through and across are a cycle that holds nearly everything.
# Interrupts of interrupts may make others in the kernel, which are counted, too.
./lapwing callgraph --min 0 --limit 0 "$work/c" | sed 's/<cycle [0-9]*/<cycle 1/' > "$work/out"
says "$work/out" '<cycle 1 as a whole>' 'through <cycle 1>' 'across <cycle 1>' 'flat profile'
awk '/^\[.*<cycle 1 as a whole>/ { if ($2 > 80) cycle = 1 }
	/^--/ { n = 0 }
	/^ .* \[[0-9]+\]$/ && !primary { above[++n] = $1 + $2; name = $3 }
	/^\[.*  heavy \[/ { if (n == 1 && name == "through" && above[1] > $3 + $4 - 0.02 && above[1] < $3 + $4 + 0.02) heavy = 1 }
	END { exit !(cycle && heavy) }' "$work/out" || fail "callgraph: $(cat "$work/out")"
./lapwing callgraph --flat --limit 1 "$work/c" > "$work/out"
says "$work/out" 'more (--limit, --min)'
./lapwing callgraph "$work/p0" 2> "$work/err" && fail "callgraph of nothing"
says "$work/err" 'lapwing callgraph:'

# What a program tells of itself: its phases, and names of code that it made.
gcc -O1 -o "$work/phases" examples/phases.c || exit 2
./lapwing record -q -o "$work/n" -- "$work/phases" 100
./lapwing report --by phase,function "$work/n" > "$work/out"
says "$work/out" 'made code countdown' 'without a name (no symbol)' 'own code compute'
./lapwing report --csv --phase 'own code' --by function "$work/n" > "$work/csv"
grep -q countdown "$work/csv" && fail "--phase lets others through"
awk -F, 'NR > 1 { sum += $3 } END { exit !(sum > 99.9 && sum < 100.1) }' "$work/csv" ||
	fail "shares are not of what is shown: $(cat "$work/csv")"

# Without frame pointers: by call frame information.
./lapwing record -q --call-graph dwarf -o "$work/d" -- "$work/bare" 200 > /dev/null
./lapwing export -f folded "$work/d" > "$work/out"
says "$work/out" 'through;across;through;across;through;heavy'

# A call that is a function's last instruction: the caller is that function, not the one behind it.
gcc -O1 -fno-omit-frame-pointer -x c -o "$work/last" - <<'END' || exit 2
#include <stdlib.h>
static volatile long n;
__attribute__((noinline, noreturn)) void ends(void) { while (n < 100000000) n++; exit(0); }
__attribute__((noinline)) void calls(void) { ends(); }
__attribute__((noinline)) void behind(void) { n++; }
int main(void) { if (n) behind(); calls(); return 0; }
END
./lapwing record -q -g -o "$work/l" -- "$work/last"
./lapwing export -f folded "$work/l" > "$work/out"
says "$work/out" ';main;calls;ends '

# A frame pointer that is none: no callers are made of it, and the stack is said to be cut off.
if [ "$(uname -m)" = x86_64 ]; then
	gcc -O1 -mno-red-zone -x c -o "$work/astray" - <<'END' || exit 2
static void *strange[2] = { 0, (void *)0x123456789 };
int main(void)
{
	asm volatile("push %%rbp; mov %0, %%rbp; mov $100000000, %%rcx; 1: dec %%rcx; jnz 1b; pop %%rbp" :: "r"(strange) : "rcx", "cc", "memory");
	return 0;
}
END
	./lapwing record -q -g -o "$work/s" -- "$work/astray"
	./lapwing export -f folded "$work/s" > "$work/out"
	says "$work/out" 'astray;main '
	grep -q unknown "$work/out" && fail "callers out of nothing: $(cat "$work/out")"
	./lapwing callgraph "$work/s" > "$work/out"
	says "$work/out" '% were cut off: outer callers are missing'
fi

# A stack that is deeper than the kernel follows it is cut off, too.
gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -x c -o "$work/deep" - <<'END' || exit 2
#include <stdlib.h>
static volatile long x;
__attribute__((noipa)) static void descend(int depth)
{
	if (depth)
		descend(depth - 1);
	for (long i = 0; !depth && i < 200000000; i++)
		x++;
}
int main(int argc, char **argv) { descend(atoi(argv[1])); return 0; }
END
most=$(cat /proc/sys/kernel/perf_event_max_stack)
./lapwing record -q -g -o "$work/s" -- "$work/deep" $((most + 20))
./lapwing callgraph "$work/s" > "$work/out"
says "$work/out" '% were cut off: outer callers are missing' 'kernel.perf_event_max_stack'
./lapwing record -q -g -o "$work/s" -- "$work/deep" $((most / 4))
./lapwing callgraph "$work/s" > "$work/out"
# A sample of the dynamic linker, which has no frame pointers, may be.
./lapwing export -f folded "$work/s" > "$work/folded"
grep -q ';main;descend;descend;' "$work/folded" || fail "no stack of descend: $(cat "$work/folded")"
grep descend "$work/folded" | grep -v ';main;descend;' && fail "a whole stack is cut off"
# What calls itself has its time as its own in its caller's row, too.
awk '/^ .*  main \[/ { above = $1 } /^\[.*  descend \[/ { if ($3 > 0 && above == $3) same = 1 } END { exit !same }' "$work/out" ||
	fail "callgraph of a recursion: $(cat "$work/out")"

# What was inlined is a frame of its own, in what it was inlined into, however deep.
gcc -g -O1 -x c -o "$work/inlined" - <<'END' || exit 2
static volatile long x;
static inline __attribute__((always_inline)) void inner(long n) { for (long i = 0; i < n; i++) { x += i; } }
static inline __attribute__((always_inline)) void middle(long n) { if (n > 1) { inner(n); } }
__attribute__((noipa)) static void outer(long n) { middle(n); x++; }
int main(void) { outer(200000000); return 0; }
END
./lapwing record -q -o "$work/s" -- "$work/inlined"
./lapwing export -f folded "$work/s" > "$work/out"
says "$work/out" 'inlined;outer;middle_[i];inner_[i] '

# C++: names as people write them, those that a script counted too.
g++ -g -O1 -x c++ -o "$work/plain" - <<'END' || exit 2
namespace list {
	static volatile long x;
	template <class T> __attribute__((noipa)) void push(T n) { for (long i = 0; i < 100000000; i++) x += n; }
}
int main() { list::push<int>(3); return 0; }
END
./lapwing record -q -o "$work/s" -- "$work/plain"
./lapwing report "$work/s" > "$work/out"
says "$work/out" ' void list::push<int>(int) '
g++ -O1 -fno-toplevel-reorder -rdynamic -s -x c++ -o "$work/plain" - <<'END' || exit 2
namespace list {
	static volatile long x;
	__attribute__((noipa)) void first() { x++; }
	__attribute__((noipa)) static void hidden() { for (long i = 0; i < 100000000; i++) x += i; }
	__attribute__((noipa)) void last() { x++; }
}
int main() { list::first(); list::hidden(); list::last(); return 0; }
END
./lapwing record -q -o "$work/s" -- "$work/plain"
./lapwing report "$work/s" > "$work/out"
says "$work/out" ' list::first()->list::last() '
printf 'lapwing arcs 1\nfunction 1 5 process("/x").function("_ZN4list4pushIiEEvT_@x.cc:3").call\narc 0 1 1 5 5\nrefused 0 0\n' |
	./lapwing record -q --arcs-from - -o "$work/s"
./lapwing callgraph "$work/s" > "$work/out"
says "$work/out" ' void list::push<int>(int) ['

# Of several events, by name: what it was told besides need not be said again.
./lapwing record -q -e cpu-clock -e page-faults:period=1 -o "$work/e" -- "$work/load" 50 > /dev/null
./lapwing report -e page-faults "$work/e" > "$work/out"
says "$work/out" 'event page-faults:period=1: a sample every 1'

# Instructions: the samples of heavy are all on them, in the block that its loop is, which may follow itself.
./lapwing annotate -f heavy "$work/d" > "$work/out"
says "$work/out" 'heavy [' 'of cpu-clock' 'block 2' 'testsuite/report/load.c:27' retq
# Lines without samples too: the end of the function.
says "$work/out" 'testsuite/report/load.c:29'
awk '/ samples of / { all = $(NF - 3) } /^ *[0-9]+ +[0-9.]+ +[0-9a-f]+ / { sum += $1 } END { exit !(all && sum == all) }' "$work/out" ||
	fail "annotate: samples are not all on instructions"
./lapwing annotate -f heavy --blocks "$work/d" > "$work/out"
awk '$2 > 95 && / [0-9]+$/ { for (i = 6; i <= NF; i++) if ($i == $3) loop = $1 > 0 } END { exit !loop }' "$work/out" ||
	fail "blocks: $(cat "$work/out")"
# The same blocks as rows of a report, in every image: samples of heavy are in the block that its loop is.
./lapwing report --csv --by function,block "$work/d" > "$work/csv"
awk -F, '$6 == "heavy" && $7 ~ /^heavy\+0x[0-9a-f]+$/ { all += $1; if ($1 > most) most = $1 } 
	END { exit !(most && most > 0.9 * all) }' "$work/csv" || fail "blocks of a report: $(cat "$work/csv")"
./lapwing annotate -f heavy --dot "$work/d" > "$work/out"
grep -qE 'label="block [0-9]+: [1-9][0-9]* samples, ' "$work/out" || fail "cfg: no samples in any block"
says "$work/out" 'digraph "heavy" {' 'b2 -> b2;' '-> out;'
./lapwing annotate -f nobody "$work/d" 2> "$work/err" && fail "annotated nobody"
says "$work/err" 'no samples in a function nobody'

# A call that the kernel lends: its instructions are in the capture too.
gcc -O1 -x c -o "$work/clock" - <<'END' || exit 2
#include <time.h>
int main(void) { struct timespec t; for (long i = 0; i < 4000000; i++) clock_gettime(CLOCK_MONOTONIC, &t); return 0; }
END
./lapwing record -q -o "$work/v" -- "$work/clock"
./lapwing report --by block,image "$work/v" > "$work/out"
tr -s ' ' < "$work/out" | grep -qE '__(vdso|kernel)_clock_gettime\+0x[0-9a-f]+ \[vdso\]' || fail "blocks of the vdso: $(cat "$work/out")"

# Ended by a signal, the recording is whole, and its status is 0, whatever becomes of the command.
./lapwing record -q -o "$work/t" -- "$work/load" 100000 > /dev/null &
await 'sampled "$work/t" heavy || ! kill -0 $!'
kill -TERM $!
wait $! || fail "ended by SIGTERM: exit status $?"
./lapwing report "$work/t" > "$work/out" 2> "$work/err" && [ ! -s "$work/err" ] || fail "ended by SIGTERM: $(cat "$work/err")"
honest "$work/out"
./lapwing report -n nobody "$work/c" > "$work/out" 2> "$work/err" || fail "a report of nobody: exit status $?"
says "$work/err" ", program 'nobody'"

# -p: a process that is there already.
"$work/load" 100000 > /dev/null &
there=$!
rm "$work/p"
./lapwing record -q -p $there -o "$work/p" &
await 'sampled "$work/p" heavy' && await_work $there 30 && kill -TERM $! && wait $! || fail "recording of a process: exit status $?"
./lapwing record -q -d 0.01 -p $there -o "$work/x" || fail "-d: exit status $?"
./lapwing record -q -p $there -o "$work/until" &
await 'sampled "$work/until" heavy || ! kill -0 $!'
kill $there
wait $! || fail "recording does not end with its process: exit status $?"
./lapwing report --by process "$work/p" > "$work/out"
says "$work/out" "load($there)"
honest "$work/out"

# Cut off anywhere: what is before that, and that it is not all.
size=$(stat -c %s "$work/c")
for part in 1 2 3 5 8 13 21 34 55 89; do
	head -c $((size * part / 90)) "$work/c" > "$work/cut"
	./lapwing report "$work/cut" > "$work/out" 2> "$work/err"
	status=$?
	case $status in
	0) says "$work/out" PARTIAL && says "$work/err" 'is PARTIAL:' ;;
	1) says "$work/err" 'the capture holds nothing: it was cut off' ;;
	*) fail "cut at $part/90: exit status $status" ;;
	esac
done
head -c 20 "$work/c" > "$work/cut"
./lapwing report "$work/cut" > /dev/null 2> "$work/err" && fail "a capture of nothing is shown"
says "$work/err" 'the capture holds nothing: it was cut off at byte 16 of 20 [lapwing explain E1009]'
# From a pipe as from its file.
./lapwing report "$work/c" > "$work/out"
./lapwing report <(cat "$work/c") | cmp - "$work/out" || fail "a capture from a pipe"
# One byte that is not as it was.
for at in 20 200 2000 5000; do
	cp "$work/c" "$work/bad"
	printf '\377\0\377' | dd of="$work/bad" bs=1 seek=$at conv=notrunc status=none
	./lapwing report "$work/bad" > "$work/out" 2> "$work/err"
	[ $? -le 1 ] || fail "damage at $at: exit status $?"
	says "$work/err" 'lapwing report:'
done
printf 'no capture at all' > "$work/bad"
./lapwing report "$work/bad" 2> "$work/err" && fail "a text was read as a capture"
says "$work/err" 'not a Lapwing capture'

# wrong WORDS... : TEXT in the message of a wrong call
wrong() {
	local text=$1
	shift
	./lapwing "$@" > /dev/null 2> "$work/err" && fail "accepted: $*"
	says "$work/err" "$text"
}
wrong 'what is to be profiled?' record
wrong "'1x' is no process id" record -p 1x
wrong 'there is no process 4194304' record -p 4194304
wrong 'a number of samples a second' record -F 0 -- true
wrong "-d: '-1' is not a number" record -d -1 -- true
wrong '-d takes seconds' record -d 0 -- true
wrong 'at least 1' record -c 0 -- true
wrong '-F HZ and -c N exclude each other' record -F 99 -c 1000000 -- true
wrong 'they need -g (of record and events: --guru)' record -e raw:0x3c -- true
wrong "-e nonsense: no event" record -e nonsense -- true
wrong 'expected fp or dwarf' record --call-graph x -- true
wrong 'cannot be written' record -o "$work/none/c" -- true
(ulimit -n 9 && ./lapwing-record -q -o "$work/x" -a -d 0.1 2> "$work/err") && fail "nine open files are enough"
says "$work/err" "too many open files: raise 'ulimit -n' [lapwing explain E1019]"
wrong 'expected one capture file' report "$work/c" "$work/c"
(cd "$work" && "$OLDPWD/lapwing" record -q -- true && cmp <("$OLDPWD/lapwing" report) <("$OLDPWD/lapwing" report lapwing.capture)) ||
	fail "report without a file does not read what record wrote"
rm "$work/lapwing.capture"
(cd "$work" && "$OLDPWD/lapwing" report > out 2> err; [ $? -eq 1 ] && grep -q "'lapwing.capture': No such file" err) ||
	fail "report where nothing was recorded"
wrong "unknown key 'colour' (keys: " report --by colour "$work/c"
wrong 'NAME.svg or NAME.html' flame -o "$work/f.png" "$work/c"
wrong '--mode=system: expected user, kernel or idle' report --mode system "$work/c"
wrong "has no event 'cycles'; it has: cpu-clock [lapwing explain E1010]" report -e cycles "$work/c"
wrong "'$work/none': No such file" report "$work/none"
wrong "'$work/none.db': no such store: 'lapwing watch' makes one" report --db "$work/none.db"
for view in report callgraph annotate; do
	./lapwing $view "$work/c" > /dev/full 2> "$work/err" && fail "$view: a full disk is as good as any"
	says "$work/err" "lapwing $view: cannot write standard output: No space left on device"
done

# Who is not root sees programs' own code: that is said, in the capture too, and the kernel's alone cannot be asked for.
if [ "$(id -u)" = 0 ]; then
	paranoid 2 || exit 77
	mkdir "$work/mine" && chown nobody "$work/mine" && chmod 711 "$work"
	nobody() { setpriv --reuid nobody --clear-groups ./lapwing-record "$@" -- "$work/load" 50 > /dev/null 2> "$work/err"; }
	nobody -o "$work/mine/u" || fail "a user's recording: exit status $?"
	says "$work/err" "'cpu-clock' is sampled as 'cpu-clock:u': samples of kernel code need root or CAP_PERFMON"
	./lapwing report "$work/mine/u" > "$work/out"
	says "$work/out" 'event cpu-clock:u: a sample' 'user 100.00 %'
	nobody -o "$work/mine/k" -e cpu-clock:k && fail "a user recorded the kernel"
	says "$work/err" 'cpu-clock:k: perf_event_open is refused (kernel.perf_event_paranoid is 2)' \
		"or sample programs' own code (:u) [lapwing explain E1013]"
	# A script's probes of functions are root's: said once.
	if setpriv --reuid nobody --clear-groups test -x "$PWD/lapwing" -a \
		! -r /sys/kernel/tracing/events -a ! -r /sys/kernel/debug/tracing/events; then
		echo "probe process(\"$work/load\").function(\"heavy\").call { arc_call() } probe end { arcs_print() }" > "$work/mine/s.stp"
		HOME=$work/mine nobody -o "$work/mine/s" --script "$work/mine/s.stp" && fail "a user's script probed functions"
		[ "$(grep -c "need tracefs, which is root's: run as root" "$work/err")" = 1 ] || fail "a user's script: $(cat "$work/err")"
	fi
fi

[ $failed -eq 0 ] && echo "report: passed"
[ $failed -eq 0 ]
