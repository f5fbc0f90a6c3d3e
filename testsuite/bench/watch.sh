#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# watch.sh - what lapwing watch costs: beside compilers, beside a server of short requests and on an idle machine, at its own rate and at
# DCPI's. A TSV of workload, samples a second and CPU wanted and received, its CPU time in percent of one CPU (limits, of the mean of the
# three: 0.5 at 97 Hz, 1.5 at 6,100), resident memory in MB (limit: 32), rows, samples without an image in percent (limit: 1).
# SECONDS_EACH=N: so long for each (20).
cd "$(dirname "$0")/../.." || exit 2
. testsuite/bench/workloads.sh || exit 2
bad=0
printf 'workload\tHz\tsamples/s\t%% of a CPU\tMB\trows\t%% unknown\n'
for workload in idle builds requests; do
	for rate in 97 6100; do
		start_load $workload
		./lapwing-watch -F $rate -o "$work/w.cap" 2> "$work/err" & pid=$!
		sleep "$seconds"
		memory=$(awk '/^VmHWM/ { printf "%.1f", $2 / 1024 }' /proc/$pid/status)
		kill -INT $pid
		wait $pid || { cat "$work/err"; exit 1; }
		stop_load
		rows=$(sed -n 's/.* in \([0-9]*\) rows.*/\1/p' "$work/err")
		./lapwing report --json --by image "$work/w.cap" | python3 -c '
import json, sys
report, (workload, rate, memory, rows) = json.load(sys.stdin), sys.argv[1:]
seconds = report["duration_ns"] / 1e9
unknown = sum(row["samples"] for row in report["rows"] if row["image"] in (None, "[unknown]"))
own = 100 * report["recording_ns"] / report["duration_ns"]
share = 100 * unknown / max(report["received"], 1)
print(workload, rate, "%.0f" % (report["received"] / seconds), "%.2f" % own, memory, rows, "%.2f" % share, sep="\t")
sys.exit(float(memory) > 32 or share > 1)' $workload $rate "$memory" "$rows" > "$work/row" || bad=1
		tee -a "$work/rows" < "$work/row"
	done
done
for rate in 97 6100; do
	awk -F '\t' -v rate=$rate '$2 == rate { sum += $4; n++ }
		END { printf "mean\t%d\t\t%.2f\n", rate, sum / n; exit sum / n > (rate == 97 ? 0.5 : 1.5) }' "$work/rows" || bad=1
done
exit $bad
