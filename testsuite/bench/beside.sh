#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside.sh - what a build costs beside lapwing watch, beside `perf record -a` and beside a sampler that only takes the interrupts
# (sampler.c), as a ratio to the build alone: in each round all of them, one after the other. A TSV of the CPU time and the elapsed time of
# the build, the median of the rounds (ROUNDS=N: 7), and of the sampler's own CPU time as a share of the elapsed time.
cd "$(dirname "$0")/../.." || exit 2
. testsuite/bench/workloads.sh || exit 2
command -v perf > /dev/null || { echo 'beside.sh: perf is not here (linux-perf)' >&2; exit 2; }
gcc -O2 -o "$work/sampler" testsuite/bench/sampler.c || exit 2
cores=$(nproc) ticks=$(getconf CLK_TCK)
all_cpus() {
	for i in $(seq "$cores"); do
		(for j in 1 2; do gcc -O2 -c -o "$work/b$i.o" "$work/many.c"; done) &
		builds+=($!)
	done
	wait "${builds[@]}"
}
build() {	# a fixed piece of work on all CPUs: CPU time and elapsed time, in ms
	local TIMEFORMAT='%U %S %R' builds=()
	{ time all_cpus; } 2>&1 | awk '{ print ($1 + $2) * 1000, $3 * 1000 }'
}
start_sampler() {	# start_sampler NAME HZ
	sampler=0
	case $1 in
	alone) return ;;
	interrupts) "$work/sampler" "$2" & ;;
	watch) ./lapwing-watch -q -F "$2" --db "$work/beside/watch.db" & ;;
	perf) exec_perf "$2" & ;;
	esac
	sampler=$!
	sleep 0.3
}
exec_perf() { exec perf record -q -a -e cpu-clock -F "$1" -o "$work/perf.data" > /dev/null 2>&1; }
own() { awk -v ticks="$ticks" '{ print ($14 + $15 + $16 + $17) * 1000 / ticks }' "/proc/$sampler/stat"; }
rounds=${ROUNDS:-7}
for round in $(seq "$rounds"); do
	for what in 'alone 0' 'interrupts 97' 'watch 97' 'perf 97' 'interrupts 6100' 'watch 6100' 'perf 6100'; do
		start_sampler $what
		took=$(build)
		cost=0
		if [ "$sampler" != 0 ]; then
			cost=$(own)
			kill -TERM "$sampler"
			wait "$sampler" 2> /dev/null
		fi
		echo "$round $what $took $cost"
	done
done > "$work/rounds"
python3 - "$work/rounds" << 'END'
import collections, statistics, sys
rounds = collections.defaultdict(dict)
for line in open(sys.argv[1]):
    number, what, hz, cpu, elapsed, own = line.split()
    rounds[number][what, hz] = float(cpu), float(elapsed), float(own)
print("beside", "Hz", "CPU time", "elapsed", "own %", sep="\t")
for key in next(iter(rounds.values())):
    ratio = lambda i: statistics.median(r[key][i] / r["alone", "0"][i] for r in rounds.values())
    own = statistics.median(100 * r[key][2] / r[key][1] for r in rounds.values())
    print(*key, "%.3f" % ratio(0), "%.3f" % ratio(1), "%.2f" % own, sep="\t")
END
