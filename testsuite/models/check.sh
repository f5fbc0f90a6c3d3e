#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - the thirteen usage models: examples/model-NN.stp, in the notation for profiling scripts, and model-NN-plain.stp, in plain
# SystemTap language. All are translated for the kernel runtime; those that need neither a module nor a PMU run here, and their numbers are
# compared with what their programs did. Models 3 and 5 run in guests (run-kernel/models), 4 and 9 too (run-kernel/check-counters.sh,
# run-kernel/nmi_inline).
. "$(dirname "$0")/../common.sh"
top=$PWD
cp examples/model-*.stp "$work/"
gcc -g -O1 -o "$work/queue" examples/queue.c && gcc -O1 -static -o "$work/counted" testsuite/triggers/counted.c || exit 2
cd "$work" || exit 2

# run MODEL COMMAND: records in $work/out
run() { "$top/lapwing" --runtime=user -o out -c "$2" "$1.stp" 2> err || fail "$1: exit status $?: $(cat err)"; }

# 1, 2: a program that does nothing but count: nearly all of its samples outside the kernel are in itself, and most of their stacks begin
# there. How many are in the kernel depends on the machine: a host that takes the processor away, interrupts.
sed -i '/^probe \(kernel.time_ms\|perf\|timer.profile\)/s/{$/{ if (pid() != target()) next/' model-0[12]*.stp model-07-plain.stp
for model in model-01 model-01-plain model-02; do
	run $model './counted 1 3000'
	awk -F '\t' -v fields=$([ $model = model-02 ] && echo 4 || echo 5) -v plain=$([ $model = model-01-plain ] && echo 1) '
		# plain: addresses, the innermost first; else names, the innermost last
		function begins(stack, ip, frame, n) {
			if (plain) return index(stack, sprintf("0x%x", ip)) == 1
			n = split(stack, frame, ";")
			return ip == frame[n] || index(ip, frame[n] "+0x") == 1
		}
		NF == fields && $2 == "counted" && $4 != "kernel" {
			n++; ip[$3]++
			if ($4 ~ /\/counted$/ && (NF == 4 || begins($5, $3))) own++
		}
		END { for (i in ip) if (ip[i] > most) most = ip[i]; exit !(n > 3 && own > 0.8 * n && most > 0.3 * n) }' out ||
		fail "$model: $(head -3 out)"
done
run model-02-plain './counted 1 3000'
awk -F '\t' '
	$1 == "name" && $2 == "counted" { n += $3 }
	$1 == "image" && $3 == "kernel" { n -= $4 }
	$1 == "image" && $3 ~ /\/counted$/ { own = $4 }
	$1 == "ip" && $3 > 0 && $4 > most { most = $4 }
	END { exit !(n > 3 && own > 0.8 * n && most > 0.3 * n) }' out || fail "model-02-plain: $(cat out)"

# 7: what is counted between two samples of a CPU adds up to its whole; here clocks are counted, of the CPU. In plain language of threads.
sed -i 's/"cpu_cycles")/"cpu-clock").system/; s/"instructions_retired"/"task-clock"/; s/stp(/stp(cpu(), /' model-07.stp
run model-07 './counted 1 3000'
awk -F '\t' 'NF == 5 { if (last[$1]) { d = $4 - last[$1]; if (d <= 0) bad++; sum[$1] += d } else first[$1] = $4; last[$1] = $4; n++ }
	END { for (c in last) if (sum[c] != last[c] - first[c]) bad++; exit !(n > 5 && !bad) }' out || fail "model-07: $(head -3 out)"
sed -i 's/hw.cpu_cycles/sw.cpu_clock/; s/hw.instructions/sw.task_clock/' model-07-plain.stp
sed -i 's/printf("%d/&\\t%d/; s/", user_mode/", tid(), user_mode/' model-07-plain.stp
run model-07-plain './counted 1 3000'
awk -F '\t' 'NF == 5 && $3 ~ /\/counted$/ { n++; if ($5 < last) bad++; last = $5; tid[$1] }
	END { exit !(n > 3 && !bad && last > 0 && length(tid) == 1) }' out ||
	fail "model-07-plain: $(head -3 out)"
grep -q elided err && fail "a counter without a handler is elided with a warning"

# 10 to 13: counts are the program's, times at least what it says; traces give the counts of arrays.
for v in '' -plain; do
	run model-10$v './queue 20 2'
	awk '$1 == 40 && $4 >= 2000000 { ok = 1 } END { exit !ok }' out || fail "model-10$v: $(cat out)"
	run model-11$v './queue 20 2'
	awk -F '\t' '$1 == "add" { at[$3] = $2 } $1 == "remove" { n++; if ($2 - at[$3] < 2000000) bad++ } END { exit !(n == 40 && !bad) }' out ||
		fail "model-11$v: $(head -3 out)"
	run model-12$v './queue 20 2'
	awk 'NR == 1 && $1 == 20 && $3 >= 2000000 { ok++ } NR == 2 && $1 == 20 && $3 >= 4000000 { ok++ } END { exit !(NR == 2 && ok == 2) }' out ||
		fail "model-12$v: $(cat out)"
	run model-13$v './queue 20 2'
	awk -F '\t' '$1 == "add" { at[$3, $4] = $2 } $1 == "remove" { n[$3]++; t = $2 - at[$3, $4]; if (!min[$3] || t < min[$3]) min[$3] = t }
		END {
			for (l in n) { lists++; if (n[l] != 20 || min[l] < 2000000) bad++; if (min[l] >= 4000000) slow++ }
			exit !(lists == 2 && !bad && slow)
		}' out ||
		fail "model-13$v: $(head -3 out)"
done

# What they are for, by the commands of their .meta: histograms of 1 and 2, waits of 11 and 13, which are the program's.
# report MODEL N FORM: what the Nth command after its run shows
report() {
	local command
	command=$(sed -n 's/^then: lapwing report [^ ]* //p' "$top/examples/$1.meta" | sed -n "$2p")
	[ -n "$command" ] || fail "$1 has no command $2"
	command=$(echo "$command" | sed 's/cpu_cycles/cpu-clock/; s/instructions_retired/task-clock/')
	eval "\"\$top/lapwing\" report out.cap $3 $command" 2> err || fail "$1, then $command: $(cat err)"
}
# capture MODEL COMMAND: its records are in out.cap
capture() { "$top/lapwing" --runtime=user -o out.cap -c "$2" "$1.stp" 2> err || fail "$1: exit status $?: $(cat err)"; }
# says MODEL N WHAT AWK: what is said there passes
says() { report "$1" "$2" '--csv --limit 0' | awk -F, "$4" || fail "$1 $3: $(report "$1" "$2" | head -12)"; }
capture model-01 './counted 1 3000'
says model-01 1 'by instruction' '$2 == "counted" && $4 ~ /\/counted$/ { n += $1; if ($1 > most) most = $1 } END { exit !(most > 0.3 * n) }'
says model-01 2 'by stack' 'NR == 2 { exit !($2 == "counted" && $3 ~ /;main;/) }'
says model-01 3 'by both' 'NR > 1 && $2 == "counted" { n = split($4, frame, ";"); rows++; if (n && index($3, frame[n]) != 1) bad++ }
	END { exit !(rows && !bad) }'
capture model-02 './counted 1 3000'
records=$("$top/lapwing" report out.cap --json | sed -n 's/.*"records": \([0-9]*\),.*/\1/p')
for table in 1 2 3; do
	says model-02 $table 'as a whole' "NR > 1 { n += \$1; own += \$2 == \"counted\" || \$2 > 0 } END { exit !(n == $records && own) }"
done
sed 's/"cpu_cycles"/"cpu-clock"/; s/"instructions_retired"/"task-clock"/' "$top/examples/model-07.stp" > model-07.stp
capture model-07 './counted 1 3000'
# what was counted between two samples of a thread: all rows together are the last count less the first of each thread
"$top/lapwing" report out.cap --csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ tid = $at["tid"]; if (!(tid in first)) first[tid] = $at["cpu-clock"]; last[tid] = $at["cpu-clock"] }
	END { for (t in first) sum += last[t] - first[t]; printf "%.0f\n", sum }' > whole
says model-07 1 'by image' "NR > 1 { sum += \$2; own += \$NF ~ /counted\$/ ? \$2 : 0 }
	END { exit !(sum == $(cat whole) && own > 0) }"
capture model-11 './queue 20 2'
says model-11 1 'waits' 'NR == 2 { exit !($1 == 40 && $3 >= 2000000) }'
capture model-13 './queue 20 2'
says model-13 1 'waits' 'NR > 1 { lists++; if ($1 != 20 || $3 < 2000000) bad++; if ($3 >= 4000000) slow++ }
	END { exit !(lists == 2 && !bad && slow) }'

# All of them, for the kernel runtime.
kernel=$("$top/runtime/vm/lapwing-vm" path 6.1 release 2> err) || {
	[ $failed -eq 0 ] || exit 1
	echo "SKIP models: no kernel to translate for: $(tail -1 err)"
	exit 77
}
for model in "$top"/examples/model-*.stp; do
	case $model in
	*model-08.stp) pmus='nhm snb ivb hsw skl icl spr';;
	*) pmus=skl;;
	esac
	for pmu in $pmus; do
		LIBPFM_FORCE_PMU=$pmu "$top/lapwing" --runtime=kernel -r "$kernel" -p3 "$model" > c 2> err || fail "${model##*/} on $pmu: $(cat err)"
	done
done
sed -i 's/data_ear_event/data_ear_event:ppp/' model-08.stp
LIBPFM_FORCE_PMU=amd64_fam19h_zen3 "$top/lapwing" --runtime=kernel -r "$kernel" -p3 model-08.stp 2>&1 | grep -q 'Intel since Nehalem' ||
	fail "model-08 does not say which machine has its event"
[ $failed -eq 0 ] && echo "models: 13 in both languages, all passed"
[ $failed -eq 0 ]
