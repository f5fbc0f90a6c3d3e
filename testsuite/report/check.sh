#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - records a program whose profile is known and checks what the report programs show; also
# captures that are truncated or damaged.
. "$(dirname "$0")/../common.sh"
# says FILE TEXT...: fails unless FILE contains each TEXT (a fixed string)
says() {
	local file=$1 text
	shift
	for text; do
		tr -s ' ' < "$file" | grep -qF -e "$text" ||
			{ fail "does not say '$text':"; cat "$file"; }
	done
}
# honest FILE: checks that expected samples were received, lost or not taken on idle CPUs, and that
# the verdict is PARTIAL if any were lost.
honest() {
	awk '/^samples / {
			received = $2; expected = $5; lost = $7
			asleep = match($0, /[0-9]+ not taken/) ? substr($0, RSTART) + 0 : 0
		}
		/^(COMPLETE|PARTIAL)/ { verdict = $1 }
		END {
			right = lost + 0 ? "PARTIAL:" : "COMPLETE"
			if (received + lost + asleep != expected || !received || verdict != right) {
				print received, "received", expected, "expected", lost, "lost",
					asleep, "asleep", verdict
				exit 1
			}
		}' "$1" || fail "the books do not balance: $(cat "$1")"
}
. testsuite/report/build-load || exit 2

# Shares agree with the program's own clock within four standard deviations (the report's 95 %
# interval is two).
./lapwing record -q -g -o "$work/c" -- "$work/load" 1500 > "$work/truth" ||
	fail "record: exit status $?"
./lapwing report --csv "$work/c" > "$work/csv"
awk -F, '
	FNR == NR { split($0, w, " "); ns[w[1]] = w[2]; next }
	$6 in ns { share[$6] = $3; half[$6] = $4 }
	END {
		for (f in share) {
			true = 100 * ns[f] / (ns["heavy"] + ns["light"])
			off = share[f] - true; seen++
			if (off < 0) off = -off
			if (off > 2 * half[f] + 1) {
				print f, share[f] " % where the program has " true " %"
				bad = 1
			}
		}
		exit bad || seen != 2
	}' "$work/truth" "$work/csv" || fail "shares are not the program's"
./lapwing report "$work/c" > "$work/out"
says "$work/out" "command $work/load 1500" 'event cpu-clock: a sample every 1 ms' 'procedure image'
honest "$work/out"
./lapwing report --by line,function "$work/c" > "$work/out"
says "$work/out" "load.c:27 heavy"
./lapwing report --by name,mode --limit 1 "$work/c" > "$work/out"
says "$work/out" 'load user' 'rows more'

# One sample per 100 events (each CPU has a period of 88 to 112), in short-lived threads: 20,000
# page faults and a few of the program itself.
${CC:-cc} -O1 -pthread -o "$work/touched" testsuite/triggers/touched.c || exit 2
./lapwing record -q -e page-faults -c 100 -o "$work/p" -- "$work/touched" 2 20 500
./lapwing report "$work/p" > "$work/out"
honest "$work/out"
awk '/^samples / { exit !($2 > 165 && $2 < 245) }' "$work/out" ||
	fail "not one sample per 100 of 20,000 page faults: $(cat "$work/out")"

# The exit status is the command's; a command that cannot run gives 127, as in a shell.
./lapwing record -q -o "$work/x" -- sh -c 'exit 7'
[ $? -eq 7 ] || fail "exit status is not the command's"
./lapwing record -q -o "$work/x" -- "$work/nothing" 2> "$work/err"
[ $? -eq 127 ] || fail "exit status of a missing command"
says "$work/err" "cannot run '$work/nothing': No such file or directory"

# Time on and off the CPU adds up to the thread's life, which is at least what the program measured.
./lapwing record -q -g --off-cpu -o "$work/o" -- "$work/load" 50 20 > "$work/truth"
./lapwing report --threads --event off-cpu "$work/o" > "$work/out"
says "$work/out" 'event off-cpu: time off the CPU, exact'
awk 'FNR == NR { if ($1 == "all") all = $2 / 1e6; next } / load\(/ { wall = $3; on = $1; off = $2 }
	END {
		sum = on + off
		if (wall >= all && sum > wall - 0.002 && sum < wall + 0.002 && off > 100) exit 0
		print "wall", wall, "on", on, "off", off, "program", all; exit 1
	}' \
	"$work/truth" "$work/out" || fail "time on and off the CPU"

# The same for threads that existed before: one that only waits, and one that changes its name all
# the time.
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
int main(void)
{
	pthread_t t;

	pthread_create(&t, 0, work, 0);
	write(1, "\n", 1);
	pause();
	return 0;
}
END
mkfifo "$work/ready"
"$work/names" > "$work/ready" &
there=$!
read -r _ < "$work/ready"
./lapwing record -q --off-cpu -d 0.3 -p $there -o "$work/o"
kill $there
./lapwing report --threads --event off-cpu "$work/o" > "$work/out"
awk '/\([0-9]+\)$/ { n++; wall[$3] } END { for (w in wall) m++; exit !(n == 2 && m == 1) }' \
	"$work/out" ||
	fail "threads that existed before: $(cat "$work/out")"
# With -a: time off the CPU ends when a process exits. Processes that run one after the other
# together live no longer than their parent.
cp /bin/true "$work/brief" && cp /bin/sleep "$work/nap" || exit 2
./lapwing record -q --off-cpu -a -o "$work/o" -- sh -c '"$1/brief"; "$1/nap" 0.5; echo $$' x \
	"$work" > "$work/pid"
./lapwing report --threads --event off-cpu "$work/o" > "$work/out"
awk -v sh="$(cat "$work/pid")" \
	'match($0, /\([0-9]+\)$/) { pid = substr($0, RSTART + 1, RLENGTH - 2); wall[pid] += $3 }
	$4 ~ /^brief\(/ { first = pid }
	$4 ~ /^nap\(/ { second = pid }
	END {
		exit !(wall[first] > 0 && wall[second] > 0 &&
			wall[first] + wall[second] <= wall[sh])
	}' "$work/out" ||
	fail "a process that has exited: $(cat "$work/out")"

# Callers: only through calls heavy, for all its time; through and across are a cycle that has
# nearly all time. Nested interrupts may add cycles in the kernel, so cycle numbers vary.
./lapwing callgraph --min 0 --limit 0 "$work/c" | sed 's/<cycle [0-9]*/<cycle 1/' > "$work/out"
says "$work/out" '<cycle 1 as a whole>' 'through <cycle 1>' 'across <cycle 1>' 'flat profile'
awk '/^\[.*<cycle 1 as a whole>/ { if ($2 > 80) cycle = 1 }
	/^--/ { n = 0 }
	/^ .* \[[0-9]+\]$/ && !primary { above[++n] = $1 + $2; name = $3 }
	/^\[.*  heavy \[/ && n == 1 && name == "through" {
		off = above[1] - $3 - $4
		if (off > -0.02 && off < 0.02) heavy = 1
	}
	END { exit !(cycle && heavy) }' "$work/out" || fail "callgraph: $(cat "$work/out")"
./lapwing callgraph --flat --limit 1 "$work/c" > "$work/out"
says "$work/out" 'more (--limit, --min)'
./lapwing callgraph "$work/p0" 2> "$work/err" && fail "callgraph of a missing file"
says "$work/err" 'lapwing callgraph:'

# What a program reports itself: its phases, and names of code that it generated.
gcc -O1 -o "$work/phases" examples/phases.c || exit 2
./lapwing record -q -o "$work/n" -- "$work/phases" 100
./lapwing report --by phase,function "$work/n" > "$work/out"
says "$work/out" 'made code countdown' 'without a name (no symbol)' 'own code compute'
./lapwing report --csv --phase 'own code' --by function "$work/n" | grep -q countdown &&
	fail "--phase does not filter"

# Without frame pointers, stacks are unwound by DWARF call frame information.
./lapwing record -q --call-graph dwarf -o "$work/d" -- "$work/bare" 200 > /dev/null
./lapwing export --format folded "$work/d" > "$work/out"
says "$work/out" 'through;across;through;across;through;heavy'

# An invalid frame pointer gives no callers, and the stack is reported as truncated.
if [ "$(uname -m)" = x86_64 ]; then
	gcc -O1 -mno-red-zone -x c -o "$work/astray" - <<'END' || exit 2
static void *strange[2] = { 0, (void *)0x123456789 };
int main(void)
{
	asm volatile("push %%rbp; mov %0, %%rbp; mov $100000000, %%rcx;"
		     "1: dec %%rcx; jnz 1b; pop %%rbp" :: "r"(strange) : "rcx", "cc", "memory");
	return 0;
}
END
	./lapwing record -q -g -o "$work/s" -- "$work/astray"
	./lapwing export --format folded "$work/s" > "$work/out"
	says "$work/out" 'astray;main '
	grep -q unknown "$work/out" &&
		fail "callers from an invalid frame pointer: $(cat "$work/out")"
	./lapwing callgraph "$work/s" > "$work/out"
	says "$work/out" '% truncated: outer callers are missing'
fi

# A stack deeper than the kernel's limit is reported as truncated, too.
gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -x c -o "$work/deep" - \
	<<'END' || exit 2
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
says "$work/out" '% truncated: outer callers are missing' 'kernel.perf_event_max_stack'
./lapwing record -q -g -o "$work/s" -- "$work/deep" $((most / 4))
./lapwing callgraph "$work/s" > "$work/out"
grep -q '% truncated' "$work/out" &&
	fail "a whole stack is reported as truncated: $(cat "$work/out")"
# The self time of a recursive function is self time in its caller's row, too.
awk '/^ .*  main \[/ { above = $1 }
	/^\[.*  descend \[/ { if ($3 > 0 && above == $3) same = 1 }
	END { exit !same }' "$work/out" ||
	fail "callgraph of a recursion: $(cat "$work/out")"

# Each level of inlined functions is a frame of its own.
gcc -g -O1 -x c -o "$work/inlined" - <<'END' || exit 2
#define INLINE static inline __attribute__((always_inline))
static volatile long x;
INLINE void inner(long n) { for (long i = 0; i < n; i++) { x += i; } }
INLINE void middle(long n) { if (n > 1) { inner(n); } }
__attribute__((noipa)) static void outer(long n) { middle(n); x++; }
int main(void) { outer(200000000); return 0; }
END
./lapwing record -q -o "$work/s" -- "$work/inlined"
./lapwing export --format folded "$work/s" > "$work/out"
says "$work/out" 'inlined;outer;middle_[i];inner_[i] '

# C++ names are demangled, also those in a script's table of calls.
g++ -g -O1 -x c++ -o "$work/plain" - <<'END' || exit 2
namespace list {
	static volatile long x;
	template <class T> __attribute__((noipa)) void push(T n)
	{
		for (long i = 0; i < 100000000; i++)
			x += n;
	}
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
printf '%s\n' 'lapwing arcs 1' \
	'function 1 5 process("/x").function("_ZN4list4pushIiEEvT_@x.cc:3").call' \
	'arc 0 1 1 5 5' 'refused 0 0' |
	./lapwing record -q --arcs-from - -o "$work/s"
./lapwing callgraph "$work/s" > "$work/out"
says "$work/out" ' void list::push<int>(int) ['

# A report selects one of several events by name, without the event's parameters.
./lapwing record -q -e cpu-clock -e page-faults:period=1 -o "$work/e" -- "$work/load" 50 > /dev/null
./lapwing report -e page-faults "$work/e" > "$work/out"
says "$work/out" 'event page-faults:period=1: a sample every 1'

# annotate: all samples of heavy are on its instructions, nearly all in the block of its loop, which
# is its own successor.
./lapwing annotate --function heavy "$work/d" > "$work/out"
says "$work/out" 'heavy [' 'of cpu-clock' 'block 2' 'testsuite/report/load.c:27' retq
# Lines without samples are shown, too: the end of the function.
says "$work/out" 'testsuite/report/load.c:29'
awk '/ samples of / { all = $(NF - 3) }
	/^ *[0-9]+ +[0-9.]+ +[0-9a-f]+ / { sum += $1 }
	END { exit !(all && sum == all) }' "$work/out" ||
	fail "annotate: samples are not all on instructions"
./lapwing annotate --function heavy --blocks "$work/d" > "$work/out"
awk '$2 > 95 && / [0-9]+$/ { for (i = 6; i <= NF; i++) if ($i == $3) loop = $1 > 0 }
	END { exit !loop }' "$work/out" ||
	fail "blocks: $(cat "$work/out")"
# The same blocks as rows of a report: most samples of heavy are in the block of its loop.
./lapwing report --csv --by function,block "$work/d" > "$work/csv"
awk -F, '$6 == "heavy" && $7 ~ /^heavy\+0x[0-9a-f]+$/ { all += $1; if ($1 > most) most = $1 } 
	END { exit !(most && most > 0.9 * all) }' "$work/csv" ||
		fail "blocks of a report: $(cat "$work/csv")"
./lapwing annotate --function heavy --dot "$work/d" > "$work/out"
grep -qE 'label="block [0-9]+: [1-9][0-9]* samples, ' "$work/out" ||
	fail "cfg: no samples in any block"
says "$work/out" 'digraph "heavy" {' 'b2 -> b2;' '-> out;'
./lapwing annotate --function nobody "$work/d" 2> "$work/err" &&
	fail "annotated an unknown function"
says "$work/err" 'no samples in a function nobody'

# The capture has the instructions of the vDSO, too.
gcc -O1 -x c -o "$work/clock" - <<'END' || exit 2
#include <time.h>
int main(void)
{
	struct timespec t;

	for (long i = 0; i < 4000000; i++)
		clock_gettime(CLOCK_MONOTONIC, &t);
	return 0;
}
END
./lapwing record -q -o "$work/v" -- "$work/clock"
./lapwing report --by block,image "$work/v" > "$work/out"
tr -s ' ' < "$work/out" | grep -qE '__(vdso|kernel)_clock_gettime\+0x[0-9a-f]+ \[vdso\]' ||
	fail "blocks of the vdso: $(cat "$work/out")"

# A recording that is ended by a signal is complete and exits with 0, whatever the command's status.
./lapwing record -q -o "$work/t" -- "$work/load" 100000 > /dev/null &
until [ -s "$work/t" ] || ! kill -0 $!; do sleep 0.1; done
kill -TERM $!
wait $! || fail "ended by SIGTERM: exit status $?"
./lapwing report "$work/t" | grep -qx COMPLETE || fail "ended by SIGTERM: not complete"
./lapwing report -n nobody "$work/c" > "$work/out" 2> "$work/err" ||
	fail "a report of an unknown program: exit status $?"
says "$work/err" ", program 'nobody'"

# -p: an existing process.
"$work/load" 100000 > /dev/null &
there=$!
./lapwing record -q -d 0.3 -p $there -o "$work/p"
timeout 120 ./lapwing record -q -p $there -o "$work/until" &
until [ -s "$work/until" ]; do kill -0 $! || break; done
kill $there
wait $! || fail "recording does not end with its process: exit status $?"
./lapwing report --by process "$work/p" > "$work/out"
says "$work/out" "load($there)"
honest "$work/out"

# A truncated capture: the report shows what is before the cut, and says that it is PARTIAL.
size=$(stat -c %s "$work/c")
for part in 1 2 3 5 8 13 21 34 55 89; do
	head -c $((size * part / 90)) "$work/c" > "$work/cut"
	./lapwing report "$work/cut" > "$work/out" 2> "$work/err"
	status=$?
	case $status in
	0) says "$work/out" PARTIAL && says "$work/err" 'is PARTIAL:' ;;
	1) says "$work/err" 'empty capture: the file is truncated' ;;
	*) fail "cut at $part/90: exit status $status" ;;
	esac
done
# A capture is read from a pipe as from a file.
./lapwing report "$work/c" > "$work/out"
./lapwing report <(cat "$work/c") | cmp - "$work/out" || fail "a capture from a pipe"
# Damaged bytes.
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

# wrong TEXT WORDS...: the command fails with a message that contains TEXT
wrong() {
	local text=$1
	shift
	./lapwing "$@" > /dev/null 2> "$work/err" && fail "accepted: $*"
	says "$work/err" "$text"
}
wrong 'nothing to profile' record
wrong "'1x' is not a process id" record -p 1x
wrong 'no process 4194304' record -p 4194304
wrong 'expected samples per second' record -F 0 -- true
wrong 'expected seconds, e.g. 5' record -d -1 -- true
wrong 'expected seconds, e.g. 5' record -d 0 -- true
wrong 'at least 1' record -c 0 -- true
wrong '-F HZ and -c N exclude each other' record -F 99 -c 1000000 -- true
wrong 'they need -g (of record and events: --guru)' record -e raw:0x3c -- true
wrong "-e nonsense: no event" record -e nonsense -- true
wrong 'fp (frame pointers) or dwarf' record --call-graph x -- true
wrong 'cannot write' record -o "$work/none/c" -- true
wrong 'expected exactly one capture file' report
wrong "unknown key 'colour'" report --by colour "$work/c"
wrong 'NAME.svg or NAME.html' flame -o "$work/f.png" "$work/c"
wrong "--mode 'system': expected user, kernel or idle" report --mode system "$work/c"
wrong "has no event 'cycles'" report -e cycles "$work/c"
wrong "'$work/none': No such file" report "$work/none"
for view in report callgraph annotate; do
	./lapwing $view "$work/c" > /dev/full 2> "$work/err" &&
		fail "$view: no error on a full disk"
	says "$work/err" "lapwing $view: cannot write stdout: No space left on device"
done

# Users other than root only get samples of user code: a message and the capture say so, and samples
# of the kernel alone are refused.
if [ "$(id -u)" = 0 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ]; then
	mkdir "$work/mine" && chown nobody "$work/mine" && chmod 711 "$work"
	nobody() { setpriv --reuid nobody --clear-groups ./lapwing-record "$@" -- "$work/load" \
		50 > /dev/null 2> "$work/err"; }
	nobody -o "$work/mine/u" || fail "a user's recording: exit status $?"
	says "$work/err" \
		"sampling 'cpu-clock:u' instead of 'cpu-clock': kernel samples need CAP_PERFMON or root"
	./lapwing report "$work/mine/u" > "$work/out"
	says "$work/out" 'event cpu-clock:u: a sample' 'user 100.00 %'
	nobody -o "$work/mine/k" -e cpu-clock:k && fail "a user recorded the kernel"
	says "$work/err" \
		'cpu-clock:k: perf_event_open is refused (kernel.perf_event_paranoid is 2)' \
		"or sample programs' own code (:u)"
	# A user's script cannot probe functions: one message says so.
	if setpriv --reuid nobody --clear-groups test -x "$PWD/lapwing" -a \
		! -r /sys/kernel/tracing/events -a ! -r /sys/kernel/debug/tracing/events; then
		echo "probe process(\"$work/load\").function(\"heavy\").call { arc_call() }
			probe end { arcs_print() }" > "$work/mine/s.stp"
		HOME=$work/mine nobody -o "$work/mine/s" --script "$work/mine/s.stp" &&
			fail "a user's script probed functions"
		refusals=$(grep -c "need tracefs, which only root can read: run as root" \
			"$work/err")
		[ "$refusals" = 1 ] || fail "a user's script: $(cat "$work/err")"
	fi
fi

[ $failed -eq 0 ] && echo "report: passed"
[ $failed -eq 0 ]
