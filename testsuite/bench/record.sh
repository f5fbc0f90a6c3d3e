#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# record.sh - lapwing record beside perf record, of xz, gcc and python in alternating runs: a TSV of program, function, share with each,
# difference in standard deviations of two proportions (limit: 3) for the ten functions with most samples; then a row for each program with
# the profilers' own CPU seconds per million samples, recording alone and with the report. RUNS=N: so many runs of each (5).
# Functions of stripped images count together, by image: the two call what has no symbol by different names.
cd "$(dirname "$0")/../.." || exit 2
command -v perf > /dev/null || { echo "perf is not installed (package linux-perf)"; exit 77; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
${CC:-cc} -O1 -o "$work/cost" testsuite/bench/cost.c || exit 1
runs=${RUNS:-5} rate=999
export DEBUGINFOD_URLS=
cat translator/*/*.c > "$work/text"
awk 'BEGIN { for (i = 0; i < 300; i++)
	printf "int f%d(int *a, int n) { int s = %d; for (int i = 0; i < n; i++) s += a[i] * (s ^ i); return s; }\n", i, i }' \
	> "$work/many.c"
cat > "$work/sort.py" <<'END'
words = {}
for i in range(2000000):
    words.setdefault(str(i * 7919 % 10007), []).append(i)
print(len(sorted(words, key=lambda w: (len(words[w]), w))))
END
declare -A command=([xz]="xz -9e -k -c $work/text" [gcc]="gcc -O2 -c -o $work/many.o $work/many.c" [python]="python3 $work/sort.py")

# Samples by function: "COUNT NAME", NAME [IMAGE] for all of an image that has no symbols. Kernel functions are named without image.
by_lapwing() {
	./lapwing report --csv --by image,function "$1" | awk -F, 'NR > 1 { image = $6; sub(/.*\//, "", image)
		name = $0; for (i = 0; i < 6; i++) sub(/^[^,]*,/, "", name)
		gsub(/"/, "", name); print $1, name ~ /->|no symbol/ ? "[" image "]" : name }'
}
by_perf() {
	perf report -i "$1" --no-children --no-demangle -g none -n --percent-limit 0 -F sample,dso,sym --stdio -t , 2> /dev/null |
		awk -F, '/^ *[0-9]/ { gsub(/^ +| +$/, "", $2); name = $3; sub(/^ *\[.\] */, "", name); sub(/ +$/, "", name)
			print $1 + 0, name ~ /^0x/ ? "[" $2 "]" : name }' | c++filt
}
spent() { awk -v inner="$2" 'BEGIN { while ((getline n < inner) > 0) part += n } { all += $1 } END { print all - part }' "$1"; }

for program in xz gcc python; do
	for run in $(seq "$runs"); do
		for who in lapwing perf; do
			file=$work/$program.$who.data cost=$work/$program.$who
			if [ $who = lapwing ]; then
				"$work/cost" "$cost.all" ./lapwing record -q -g -F $rate -o "$file" -- "$work/cost" "$cost.inner" ${command[$program]}
				"$work/cost" "$cost.report" ./lapwing report "$file" > "$work/report"
			else
				"$work/cost" "$cost.all" perf record -q -e cpu-clock -F $rate -g -o "$file" -- "$work/cost" "$cost.inner" ${command[$program]}
				"$work/cost" "$cost.report" perf report -i "$file" --no-children -g none --stdio > "$work/report" 2> /dev/null
			fi > "$work/output" 2> "$work/err" || { cat "$work/err"; exit 1; }
			by_$who "$file" >> "$cost.functions"
		done
	done
	awk -v program=$program 'FNR == NR { l = substr($0, index($0, " ") + 1); n[l] += $1; all += $1; next }
		{ l = substr($0, index($0, " ") + 1); m[l] += $1; other += $1 }
		END {
			for (l in n) {
				p = n[l] / all; q = m[l] / other; r = (n[l] + m[l]) / (all + other); s = sqrt(r * (1 - r) * (1 / all + 1 / other))
				printf "%d\t%s\t%s\t%.2f %%\t%.2f %%\t%.1f\n", n[l] + m[l], program, l, 100 * p, 100 * q, s ? (p > q ? p - q : q - p) / s : 0
			}
		}' "$work/$program.lapwing.functions" "$work/$program.perf.functions" | sort -rn | head -10 | cut -f 2- | tee -a "$work/rows"
	for who in lapwing perf; do
		cost=$work/$program.$who
		samples=$(awk '{ n += $1 } END { print n }' "$cost.functions")
		echo "$program $who $samples $(spent "$cost.all" "$cost.inner") $(spent "$cost.report" /dev/null)" >> "$work/costs"
	done
done
printf 'program\tprofiler\tsamples\trecording s/million\twith report s/million\n'
awk '{ printf "%s\t%s\t%d\t%.2f\t%.2f\n", $1, $2, $3, $4 / $3, ($4 + $5) / $3 }' "$work/costs"
awk -F'\t' '$5 > 3 { bad++ } END { printf "%d of %d functions differ by more than 3 sigma\n", bad, NR; exit bad > 0 }' "$work/rows"
status=$?
awk '{ cost[$2, $1] = $4 / $3; seen[$1] }
	END {
		for (program in seen)
			if (cost["lapwing", program] > cost["perf", program]) { print program ": lapwing costs more than perf"; bad = 1 }
		exit bad
	}' "$work/costs" || status=1
exit $status
