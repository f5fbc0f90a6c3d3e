#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# week.sh - what a week of lapwing watch is in its store (week.c): an idle machine, compilers and a server of short requests are recorded at
# DCPI's rate, and a week of epochs at 97 Hz is drawn from that. A TSV of epochs, samples, the largest and the last size in MB (limit: 10),
# ms for an epoch in the mean and at most; then with a limit that the week exceeds, of 2 MB (limit: that); then the time of questions about
# the week in ms, the median of 5 (limit: 300), and samples in unknown functions in percent (limit: 1).
# SECONDS_EACH=N: recorded for each (20).
cd "$(dirname "$0")/../.." || exit 2
. testsuite/bench/workloads.sh || exit 2
bad=0
for workload in idle builds requests; do
	start_load $workload
	./lapwing-watch -q -F 6100 -d "$seconds" --epoch 86400 --db "$work/$workload/watch.db" || exit 1
	stop_load
done
week() {	# week LIMIT_MB NAME
	testsuite/bench/week "$work/$2/watch.db" $(($1 * 1000000)) "$work"/{idle,builds,requests}/watch.db || exit 1
}
printf 'limit\tepochs\tsamples\tlargest MB\tlast MB\tms\tmost ms\n'
for limit in 64 2; do
	week $limit week$limit | awk -v limit=$limit -v OFS='\t' '
		{ print limit, $1, $2, $3 / 1e6, $4 / 1e6, $5, $6; exit $3 > limit * 1e6 || (limit == 64 && $4 > 10e6) }' || bad=1
done
db=$work/week64/watch.db
printf 'question\tms\n'
for question in 'report --by function,image' 'report --by unit' 'report --by function --image libc' annotate 'watch --status' \
	'report --by epoch' 'timeline --image libc' 'timeline --by function'; do
	file=$db
	[ "$question" != 'watch --status' ] || file="--db $db"
	[ "${question%% *}" = watch ] || question+=' --db'
	for i in 1 2 3 4 5; do
		start=$(date +%s%N)
		./lapwing $question $file > "$work/out" 2> "$work/err" || { cat "$work/err"; exit 1; }
		echo $((($(date +%s%N) - start) / 1000000))
	done | sort -n | awk -v OFS='\t' -v question="$question" 'NR == 3 { print question, $1; exit $1 > 300 }' || bad=1
done
./lapwing watch --status --json --db "$db" | python3 -c '
import json, sys
status = json.load(sys.stdin)
print("unknown", "%.2f %%" % (100 * status["unknown"] / status["busy"]), sep="\t")
sys.exit(status["unknown"] > 0.01 * status["busy"])' || bad=1
exit $bad
