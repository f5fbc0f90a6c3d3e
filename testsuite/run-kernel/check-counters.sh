#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-counters.sh - counts per thread are exact: an arm64 guest whose clock counts instructions has a PMU that does too. Loops of
# 20,000,000 instructions, of a user and of the kernel, alone and with hogs on the same CPU, must be counted to 0.01 % in every call; on two
# CPUs, from one to the other all the time, none may be missing. What all threads have is what their CPU has counted.
# Results go to stdout and to $LAPWING_TEST_RESULTS. Usage: check-counters.sh [KERNEL]   (6.1-arm64)
set -u
cd "$(dirname "$0")/../.." || exit 1
vm=runtime/vm/lapwing-vm kernel=${1:-6.1-arm64} top=$PWD
results=${LAPWING_TEST_RESULTS:-/dev/null}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"; echo "counters/$kernel $SECONDS" >> "${LAPWING_TEST_SECONDS:-/dev/null}"' EXIT
failures=0

result() { printf '%s\n' "$*" | tee -a "$results"; [ "$1" != FAIL ] || failures=$((failures + 1)); }

# The difference between one call of getppid and the next: the loop, then what is between two loops.
cat > "$work/user.stp" <<'END'
global last
probe kernel.function("__arm64_sys_getppid").startwatch("instructions:u").startwatch("instructions:u").system {
	if (pid() != target()) next
	printf("%d %d\n", $pmu[0] - last[0], $pmu[1] - last[1])
	last[0] = $pmu[0]; last[1] = $pmu[1]
}
END
# The loop is in the kernel, and interrupts of its own thread are not its instructions: at most what one tick takes, each.
cat > "$work/kernel.stp" <<'END'
probe module("counted").function("counted_loop").startwatch("instructions").startwatch("instructions").system.return {
	printf("%d %d\n", $pmu[0] - @entry($pmu[0]), $pmu[1] - @entry($pmu[1]))
}
END
# 50 million cycles of the loop, sampled at every millionth.
cat > "$work/samples.stp" <<'END'
global n
probe pmu.profile("cycles:u:1000000").exact { if (pid() == target()) n++ }
probe end { println(n) }
END
# QEMU delivers overflows of the instruction counter only now and then: those that it does not are booked, by the event's own count.
cat > "$work/overflows.stp" <<'END'
global n
probe pmu.profile("instructions:u:1000000").exact { n++ }
probe end { println(n) }
END
# Periods that vary, one sample in each million: what the CPU counted between two samples. A cycle is an instruction here; QEMU samples
# nothing but the cycle counter exactly, so that is left to the sampling event.
cat > "$work/varied.stp" <<'END'
global last, d, in_step
probe pmu.profile("cycles:u:1000000").startwatch("instructions:u").system {
	if (last) d <<< $pmu[0] - last
	if (last && $pmu[0] - last > 999000 && $pmu[0] - last < 1001000) in_step++
	last = $pmu[0]
}
probe end { printf("%d %d %d %d %d\n", @count(d), @min(d), @max(d), @avg(d), in_step) }
END
# Every thread, whenever it leaves the CPU: its own count, which begins with its second turn, and the CPU's. What is uncounted is stated.
cat > "$work/sums.stp" <<'END'
global own, last, total, uncounted
probe kernel.trace("sched_switch").startwatch("instructions").startwatch("instructions").system {
	turn = last ? $pmu[1] - last : 0
	last = $pmu[1]
	total += turn
	if (tid() in own) own[tid()] = $pmu[0]
	else { own[tid()] = $pmu[0]; uncounted += turn }
}
probe end {
	foreach (t in own) counted += own[t]
	printf("%d %d %d\n", total, counted, uncounted)
}
END
cat > "$work/refused.stp" <<'END'
probe timer.s(1).startwatch("instructions").startwatch("cycles").startwatch("cycles:u").startwatch("cycles:k").startwatch("instructions:u")
	.startwatch("instructions:k").startwatch("instructions:uk").startwatch("cycles:uk").startwatch("cycles:kh") {
	println($pmu[0] + $pmu[1] + $pmu[2] + $pmu[3] + $pmu[4] + $pmu[5] + $pmu[6] + $pmu[7] + $pmu[8])
}
END
# Usage models 4 and 9, in both languages: the loop is the routine of known events; QEMU samples by cycles only, and there are no NMIs.
for v in '' _plain; do
	sed 's/^\(probe \)kernel\(.*function("\)sys_execve/\1module("counted")\2counted_loop/' "examples/model-04${v/_/-}.stp" \
		> "$work/model4$v.stp"
	sed 's/instructions_retired/cpu_cycles/; s/hw.instructions/hw.cpu_cycles/' "examples/model-09${v/_/-}.stp" > "$work/model9$v.stp"
done
scripts='user kernel samples overflows varied sums refused model4 model4_plain model9 model9_plain'
cat > "$work/measure" <<'END'
cd /tmp/counters
insmod ./counted.ko
for hogs in 0 1 3; do
	lapwing-run -c "./counted 5 20 $hogs" ./c_user.ko > user.$hogs
	lapwing-run -c "./counted 3 kernel 20 $hogs" ./c_kernel.ko > kernel.$hogs
done
lapwing-run -c "./counted 1 50" ./c_samples.ko > samples.0
lapwing-run --json-summary summary -c "./counted 1 50" ./c_overflows.ko > overflows.0 2> overflows.err
sed -n 's/.*"entered": \([0-9]*\), "completed": \([0-9]*\),.*/books \1 \2/p; s/.*"unsampled": \([0-9]*\),.*/unsampled \1/p' summary |
	sed -n '1,2p' >> overflows.0
grep -c '^WARNING: probe .* counted, but not sampled by the kernel$' overflows.err >> overflows.0
sed -n 's/^PARTIAL: \([0-9]*\)[.].* % of hits$/verdict \1/p' overflows.err >> overflows.0
lapwing-run -c "./counted 1 60" ./c_varied.ko > varied.0
lapwing-run -c "./counted 5 20 3" ./c_sums.ko > sums.0
for v in '' _plain; do
	lapwing-run -c "./counted 3 kernel 20 3" ./c_model4$v.ko > model4$v.0
	lapwing-run -c "./counted 1 60" ./c_model9$v.ko > model9$v.0
done
lapwing-run ./c_refused.ko > refused.0 2>&1
echo "status $?" >> refused.0
for f in *.[0-9]; do sed "s/^/$f /" $f; done
END
release=$("$vm" fetch "$kernel") || exit 1
mkdir "$work/kmod" && cp testsuite/triggers/kernel/counted.c "$work/kmod/" && echo 'obj-m := counted.o' > "$work/kmod/Makefile" &&
	make -s -C "$("$vm" path "$kernel" headers)" M="$work/kmod" ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- KCFLAGS=-g0 modules \
		> "$work/log" 2>&1 && aarch64-linux-gnu-gcc -O1 -static -o "$work/counted" testsuite/triggers/counted.c ||
	{ cat "$work/log"; result FAIL counters "does not build"; exit 1; }
for s in $scripts; do
	(cd "$work" && SYSTEMTAP_DEBUGINFO_PATH=$work/kmod "$top/lapwing" -p4 -r "$release" -a arm64 -m "c_$s" "$s.stp" > out 2> log) ||
		{ cat "$work/log"; result FAIL counters "$s.stp does not build"; exit 1; }
done
files=()
for f in measure $(printf 'c_%s.ko ' $scripts) counted kmod/counted.ko; do
	files+=(--file "$work/$f:/tmp/counters/$(basename "$f")")
done
"$vm" run --icount --timeout 600 --file "$top/lapwing-run-static-arm64:/bin/lapwing-run" "${files[@]}" "$kernel" -- \
	sh /tmp/counters/measure > "$work/got" 2> "$work/err" || result FAIL "counters/$kernel" "the guest ended with status $?"
"$vm" run --icount --smp 2 --timeout 600 --file "$top/lapwing-run-static-arm64:/bin/lapwing-run" "${files[@]}" "$kernel" -- \
	sh -c 'cd /tmp/counters && lapwing-run -c "./counted 5 20 1 140" ./c_user.ko' > "$work/moved" 2>> "$work/err" ||
	result FAIL "counters/$kernel" "the guest with two processors ended with status $?"

# Lines "WHAT.HOGS THREAD CPU" of the loops
for hogs in 0 1 3; do
	awk -v what="user.$hogs" '$1 == what && $2 > 1000000 { n++; if ($2 < 19998000 || $2 > 20002000) bad++; if ($3 > 1.5 * $2) more++ }
		END { exit !(n == 5 && !bad && (what == "user.0" || more)) }' "$work/got" &&
		result PASS "counters/$kernel/user-$hogs" || result FAIL "counters/$kernel/user-$hogs" "not 20,000,000 each"
	awk -v what="kernel.$hogs" '$1 == what { n++; if ($2 < 20000000 || $2 > 20300000) bad++; if ($3 > 1.5 * $2) more++ }
		END { exit !(n == 3 && !bad && (what == "kernel.0" || more)) }' "$work/got" &&
		result PASS "counters/$kernel/kernel-$hogs" || result FAIL "counters/$kernel/kernel-$hogs" "not 20,000,000 and ticks each"
done
# QEMU's count is of both processors: what the other one does meanwhile is in it, which is whatever the host has for the guest (0.2 % at
# most in 30 loops). Some six times in each loop the thread changes its CPU: a stretch that is counted twice is 15 % or more.
awk '$1 > 1000000 { n++; if ($1 < 20000000 || $1 > 21000000) bad++ } END { exit !(n == 5 && !bad) }' "$work/moved" &&
	result PASS "counters/$kernel/moved" || result FAIL "counters/$kernel/moved" "not 20,000,000 each and little more: $(cat "$work/moved")"
awk '$1 == "varied.0" { ok = $2 > 40 && $3 >= 15000 && $4 <= 2001000 && $4 - $3 > 500000 && $5 > 950000 && $5 < 1050000 && $6 < $2 / 4 }
	END { exit !ok }' "$work/got" &&
	result PASS "counters/$kernel/varied" || result FAIL "counters/$kernel/varied" "periods do not vary as they should"
awk '$1 == "overflows.0" && $2 == "books" { entered = $3; completed = $4 } $1 == "overflows.0" && $2 == "unsampled" { lost = $3 }
	$1 == "overflows.0" && $2 == "verdict" { share = $3 } $1 == "overflows.0" && NF == 2 { last = $2 }
	END { exit !(entered >= 50 && entered < 90 && completed < 50 && lost == entered - completed &&
		share == int(100 * completed / entered) && last == 1) }' "$work/got" &&
	result PASS "counters/$kernel/overflows" ||
	result FAIL "counters/$kernel/overflows" "not 50 and their loss: $(grep ^overflows "$work/got")"
awk '$1 == "sums.0" { off = $2 - $3 - $4; ok = $2 > 100000000 && off < $2 / 1000 && off > -$2 / 1000 } END { exit !ok }' "$work/got" &&
	result PASS "counters/$kernel/sums" || result FAIL "counters/$kernel/sums" "threads and CPU have not the same"
for v in '' _plain; do
	awk -v what="model4$v.0" '$1 == what { ok = $2 == 3 && $4 >= 60000000 && $4 < 60900000 && $6 >= 0.99 && $6 <= 1.01 }
		END { exit !ok }' "$work/got" &&
		result PASS "counters/$kernel/model-4$v" || result FAIL "counters/$kernel/model-4$v" "not 3 calls of 20,000,000 instructions"
	awk -v what="model9$v.0" '$1 == what && $3 == "counted" { n += $2; if ($2 > most) most = $2 }
		END { exit !(n >= 50 && n <= 75 && most >= 10) }' "$work/got" &&
		result PASS "counters/$kernel/model-9$v" || result FAIL "counters/$kernel/model-9$v" "not 60 samples in the loop"
done
grep -qx 'samples.0 50' "$work/got" &&
	result PASS "counters/$kernel/samples" || result FAIL "counters/$kernel/samples" "not 50 samples"
grep -q "^refused.0 ERROR: event '.*': no counter is left for it; these fit: instructions, cycles" "$work/got" &&
	grep -q '^refused.0 status 1' "$work/got" &&
	result PASS "counters/$kernel/refused" || result FAIL "counters/$kernel/refused" "too many events are not refused as they should"
# Usage model 6 as its file says that it is run: a guest of lapwing's own counts instructions too. Others may fork meanwhile.
./lapwing --target="vm:$kernel" -c "sh -c 'for i in 1 2 3; do ls > /dev/null; done'" examples/model-06.stp > "$work/forks" 2>> "$work/err"
awk '$1 >= 3 && $2 == "parents," && $3 >= 3 { ok = 1 } END { exit !ok }' "$work/forks" &&
	result PASS "counters/$kernel/model-6" || result FAIL "counters/$kernel/model-6" "not 3 parents and children: $(cat "$work/forks")"
[ $failures -eq 0 ] || cat "$work/got" "$work/err"
[ $failures -eq 0 ]
