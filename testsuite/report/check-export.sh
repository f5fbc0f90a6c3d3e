#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-export.sh - one capture in every format: each is read by a reader of that format (check-export.py; pprof by its own too, where Go
# is installed) and holds the same samples.
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "FAIL export: $*"; failed=$((failed + 1)); }
. testsuite/report/build-load || exit 2
./lapwing record -q -g -o "$work/c" -- "$work/load" 300 > /dev/null || exit 2
for ending in folded pb.gz speedscope.json firefox.json csv json; do
	./lapwing export -o "$work/x.$ending" "$work/c" || fail "$ending: exit status $?"
done
gzip -dc < "$work/x.pb.gz" | protoc --decode=pprof.Profile report/pprof.proto > "$work/x.pb.txt" || fail "pprof: it cannot be decoded"
python3 testsuite/report/check-export.py "$work/x" || fail "a format is wrong"
if command -v go > /dev/null; then
	HOME=$work go tool pprof -top "$work/x.pb.gz" > "$work/top" 2> "$work/err" || fail "pprof: $(cat "$work/err")"
	grep -q ' heavy$' "$work/top" || fail "pprof does not show heavy: $(cat "$work/top")"
fi
./lapwing export -f folded "$work/c" | cmp - "$work/x.folded" || fail "-f differs from -o"
./lapwing export -f nothing "$work/c" 2> "$work/err" && fail "accepted: -f nothing"
grep -qF "no format 'nothing': one of folded (.folded)" "$work/err" || fail "-f nothing: $(cat "$work/err")"
./lapwing export "$work/c" 2> "$work/err" && fail "accepted: no format"
grep -qF 'which format?' "$work/err" || fail "no format: $(cat "$work/err")"
[ $failed -eq 0 ] && echo "export: passed"
exit $((failed > 0))
