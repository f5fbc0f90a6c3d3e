#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-export.sh - one capture in every format: each is read by a reader of that format (check-export.py; pprof by its own too, where Go
# is installed) and holds the same samples.
. "$(dirname "$0")/../common.sh"
. testsuite/report/build-load || exit 2
# exports CAPTURE PROGRAM OPTION...: every format says of each function what the report says.
exports() {
	local capture=$1 program=$2
	shift 2
	for ending in folded pb.gz speedscope.json firefox.json trace.json csv json; do
		./lapwing export "$@" -o "$work/x.$ending" "$capture" || fail "$* $ending: exit status $?"
	done
	./lapwing report "$@" --csv --by function "$capture" > "$work/x.report"
	./lapwing callgraph "$@" --min 0 --limit 0 "$capture" > "$work/x.calls"
	gzip -dc < "$work/x.pb.gz" | protoc --decode=pprof.Profile report/pprof.proto > "$work/x.pb.txt" || fail "pprof: it cannot be decoded"
	python3 testsuite/report/check-export.py "$work/x" "$program" || fail "$*: a format is wrong"
}
testsuite/report/make-capture testsuite/report/sums.frames "$work/sums" || exit 2
for event in cpu-clock cycles off-cpu; do exports "$work/sums" sums -e $event; done
exports "$work/sums" sums --mode=idle
exports "$work/sums" sums -n sums
# Names may be anything: no format breaks on them, and no terminal obeys them.
testsuite/report/make-capture testsuite/report/names.frames "$work/names" || exit 2
exports "$work/names" "a,\"<b>&'"$'\\012\\033[31m\xc3\xa9\\001\\302\\205'
for view in report callgraph 'export -f folded'; do
	./lapwing $view "$work/names" | LC_ALL=C grep -a $'[\001-\011\013-\037\177]' && fail "$view: control characters of names"
done
./lapwing flame -o "$work/names.svg" "$work/names" || fail "flame graph of names: exit status $?"
python3 - "$work/names.svg" << 'END' || fail "names make an SVG that is no XML"
import sys, xml.etree.ElementTree as tree
names = [g.get('data-name') for g in tree.parse(sys.argv[1]).getroot().iter('{http://www.w3.org/2000/svg}g')]
assert any(n and n.endswith(']]></script><script>x</script>\\') for n in names), names
END
# Compared with a capture of other events, of which the same is one: with itself nothing is more or less.
sed 's/events { name: "cpu-clock"/events { name: "faults" } &/
	s/^\t  event: .*/\t  event: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]/' \
	testsuite/report/sums.frames > "$work/other.frames"
testsuite/report/make-capture "$work/other.frames" "$work/other" || exit 2
./lapwing flame -e cpu-clock --diff "$work/other" -o "$work/d.svg" "$work/sums" || fail "diff: exit status $?"
grep -q '; +0.00 % against the base' "$work/d.svg" || fail "diff: nothing is as in the base"
grep -o '; [-+][0-9.]* % against the base' "$work/d.svg" | grep -v ' +0.00 ' && fail "diff: the base is not itself"
./lapwing flame -e faults --diff "$work/sums" -o "$work/d.svg" "$work/other" 2> "$work/err" && fail "diff: events that are not the same"
grep -qF "has no event 'faults'; it has: cpu-clock cycles off-cpu" "$work/err" || fail "diff: $(cat "$work/err")"
./lapwing report "$work/sums" | grep -q ' 2 idle, 1 left out: of recording itself;' || fail "samples that are in no row"
./lapwing record -q -g -o "$work/c" -- "$work/load" 300 > /dev/null || exit 2
exports "$work/c" load
if command -v go > /dev/null; then
	HOME=$work go tool pprof -top "$work/x.pb.gz" > "$work/top" 2> "$work/err" || fail "pprof: $(cat "$work/err")"
	grep -q ' heavy$' "$work/top" || fail "pprof does not show heavy: $(cat "$work/top")"
fi
./lapwing export -f folded "$work/c" | cmp - "$work/x.folded" || fail "-f differs from -o"
./lapwing export -f nothing "$work/c" 2> "$work/err" && fail "accepted: -f nothing"
grep -qF "no format 'nothing': one of folded (.folded)" "$work/err" || fail "-f nothing: $(cat "$work/err")"
./lapwing export "$work/c" 2> "$work/err" && fail "accepted: no format"
grep -qF 'which format?' "$work/err" || fail "no format: $(cat "$work/err")"
# gprof reads gmon.out as it does its own: self seconds are those of the samples.
./lapwing export --program "$work/load" -o "$work/gmon.out" "$work/c" || fail "gmon: exit status $?"
gprof -b -p "$work/load" "$work/gmon.out" > "$work/flat" || fail "gprof: exit status $?"
awk 'FNR == NR { n = $NF; sub(/ [0-9]+$/, ""); while (sub(/;[^;]*_\[i\]$/, "")); sub(/.*;/, ""); s[$0] += n / 1e9; next }
	$NF == "heavy" || $NF == "light" { seen++; off = $3 - s[$NF]; if (off > 0.011 || off < -0.011) { print; bad = 1 } }
	END { exit bad || seen != 2 }' "$work/x.folded" "$work/flat" || fail "gprof's times: $(cat "$work/flat")"
gprof -b -q "$work/load" "$work/gmon.out" | grep -q 'through <cycle 1>' || fail "gprof sees no cycle"
./lapwing export --program "$work/bare" -o "$work/gmon.out" "$work/c" > "$work/err" 2>&1
gprof -b -p "$work/bare" "$work/gmon.out" 2>&1 | grep -q heavy && fail "gmon: samples in a program that did not run"
./lapwing export --program "$work/none" -o "$work/gmon.out" "$work/c" 2> "$work/err" && fail "accepted: --program of nothing"
grep -q 'gmon.out needs the program' "$work/err" || fail "no program: $(cat "$work/err")"
cp "$work/bare" "$work/load"
./lapwing export --program "$work/load" -o "$work/gmon.out" "$work/c" 2> "$work/err" && fail "accepted: a program that was built anew"
grep -q 'is not the program that was recorded' "$work/err" || fail "another program: $(cat "$work/err")"
[ $failed -eq 0 ] && echo "export: passed"
[ $failed -eq 0 ]
