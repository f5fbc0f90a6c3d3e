#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-export.sh - exports captures in every format: a reader of the format (check-export.py, also
# `go tool pprof` if installed, and gprof) reads each file and finds the same samples.
. "$(dirname "$0")/../common.sh"
. testsuite/report/build-load || exit 2
# exports CAPTURE PROGRAM OPTION...: checks that every format agrees with the report.
exports() {
	local capture=$1 program=$2
	shift 2
	for ending in folded pb.gz speedscope.json firefox.json csv json; do
		./lapwing export "$@" -o "$work/x.$ending" "$capture" ||
			fail "$* $ending: exit status $?"
	done
	./lapwing report "$@" --csv --by function "$capture" > "$work/x.report"
	./lapwing callgraph "$@" --min 0 --limit 0 "$capture" > "$work/x.calls"
	gzip -dc < "$work/x.pb.gz" | protoc --decode=pprof.Profile \
		report/pprof.proto > "$work/x.pb.txt" || fail "pprof: it cannot be decoded"
	python3 testsuite/report/check-export.py "$work/x" "$program" ||
		fail "$*: a format is wrong"
}
testsuite/report/make-capture testsuite/report/sums.frames "$work/sums" || exit 2
for event in cpu-clock cycles off-cpu; do exports "$work/sums" sums -e $event; done
exports "$work/sums" sums --mode=idle
exports "$work/sums" sums -n sums
# Hostile names break no format, and no terminal gets control characters from them.
testsuite/report/make-capture testsuite/report/names.frames "$work/names" || exit 2
exports "$work/names" "a,\"<b>&' "$'\\033[31m\xc3\xa9\\001\\302\\205'
for view in report callgraph 'export --format folded'; do
	./lapwing $view "$work/names" | LC_ALL=C grep -a $'[\001-\011\013-\037\177]' &&
		fail "$view: prints control characters in names"
done
./lapwing flame -o "$work/names.svg" "$work/names" || fail "flame graph of names: exit status $?"
python3 - "$work/names.svg" << 'END' || fail "names break the SVG's XML"
import sys, xml.etree.ElementTree as tree
groups = tree.parse(sys.argv[1]).getroot().iter('{http://www.w3.org/2000/svg}g')
names = [g.get('data-name') for g in groups]
assert any(n and n.endswith(']]></script><script>x</script>\\') for n in names), names
END
# A difference to a capture with other events besides uses the event of the same name: here its
# samples are equal, so every difference is 0.
sed 's/events { name: "cpu-clock"/events { name: "faults" } &/
	s/^\t  event: .*/\t  event: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]/' \
	testsuite/report/sums.frames > "$work/other.frames"
testsuite/report/make-capture "$work/other.frames" "$work/other" || exit 2
./lapwing flame -e cpu-clock --diff "$work/other" -o "$work/d.svg" "$work/sums" ||
	fail "diff: exit status $?"
grep -q '; +0.00 % against the base' "$work/d.svg" || fail "diff: no frame is equal to the base"
grep -o '; [-+][0-9.]* % against the base' "$work/d.svg" | grep -v ' +0.00 ' &&
	fail "diff: equal captures differ"
./lapwing flame -e faults --diff "$work/sums" -o "$work/d.svg" "$work/other" 2> "$work/err" &&
	fail "accepted: --diff with a base that lacks the event"
grep -qF "has no event 'faults'; it has: cpu-clock cycles off-cpu" "$work/err" ||
	fail "diff: $(cat "$work/err")"
./lapwing report "$work/sums" | grep -q ' 2 idle, 1 of lapwing record itself, dropped;' ||
	fail "dropped samples are not reported"
./lapwing record -q -g -o "$work/c" -- "$work/load" 300 > /dev/null || exit 2
exports "$work/c" load
if command -v go > /dev/null; then
	HOME=$work go tool pprof -top "$work/x.pb.gz" > "$work/top" 2> "$work/err" ||
		fail "pprof: $(cat "$work/err")"
	grep -q ' heavy$' "$work/top" || fail "pprof does not show heavy: $(cat "$work/top")"
fi
./lapwing export --format folded "$work/c" | cmp - "$work/x.folded" ||
	fail "--format differs from -o"
./lapwing export --format nothing "$work/c" 2> "$work/err" && fail "accepted: --format nothing"
grep -qF "unknown format 'nothing' (formats: folded (.folded)" "$work/err" ||
	fail "-f nothing: $(cat "$work/err")"
./lapwing export "$work/c" 2> "$work/err" && fail "accepted: no format"
grep -qF 'no format given' "$work/err" || fail "no format: $(cat "$work/err")"
# gprof reads gmon.out: self seconds agree with the samples.
./lapwing export --image "$work/load" -o "$work/gmon.out" "$work/c" || fail "gmon: exit status $?"
gprof -b -p "$work/load" "$work/gmon.out" > "$work/flat" || fail "gprof: exit status $?"
awk 'FNR == NR {
		n = $NF; sub(/ [0-9]+$/, "")
		while (sub(/;[^;]*_\[i\]$/, ""));
		sub(/.*;/, ""); s[$0] += n / 1e9
		next
	}
	$NF == "heavy" || $NF == "light" {
		seen++; off = $3 - s[$NF]
		if (off > 0.011 || off < -0.011) { print; bad = 1 }
	}
	END { exit bad || seen != 2 }' "$work/x.folded" "$work/flat" ||
		fail "gprof's times: $(cat "$work/flat")"
gprof -b -q "$work/load" "$work/gmon.out" | grep -q 'through <cycle 1>' ||
	fail "gprof shows no cycle"
./lapwing export --image "$work/bare" -o "$work/gmon.out" "$work/c" > "$work/err" 2>&1
gprof -b -p "$work/bare" "$work/gmon.out" 2>&1 | grep -q heavy &&
	fail "gmon: samples in a program that did not run"
./lapwing export --image "$work/none" -o "$work/gmon.out" "$work/c" 2> "$work/err" &&
	fail "accepted: --image with an unknown file"
grep -q 'gmon.out needs the program' "$work/err" || fail "no program: $(cat "$work/err")"
cp "$work/bare" "$work/load"
./lapwing export --image "$work/load" -o "$work/gmon.out" "$work/c" 2> "$work/err" &&
	fail "accepted: a rebuilt program"
grep -q 'is not the recorded program' "$work/err" || fail "another program: $(cat "$work/err")"
[ $failed -eq 0 ] && echo "export: passed"
[ $failed -eq 0 ]
