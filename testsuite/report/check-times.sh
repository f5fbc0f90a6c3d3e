#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-times.sh - lapwing diff, lapwing timeline and report --by epoch: their numbers are those that lapwing report has of the same
# captures and times, the test of two proportions is that of another implementation, and a program that ran in some epochs of a store is
# in those.
. "$(dirname "$0")/../common.sh"
. testsuite/report/build-load || exit 2

check() {	# check WHAT PYTHON ARGUMENT...: assertions about files of $work, each loaded as JSON
	python3 - "$work" "$1" "$2" << 'END' 2> "$work/said" || fail "$1: $(tail -3 "$work/said")"
import glob, json, math, os, sys, time
import xml.etree.ElementTree as xml
work, what, code = sys.argv[1:]
names = {os.path.basename(f)[:-5]: json.load(open(f)) for f in glob.glob(work + "/*.json")}
exec(code, {**globals(), **names})
END
}

# Captures: the same program for different times of its functions.
./lapwing record -q -F 997 -o "$work/a.cap" -- "$work/load" 400 > /dev/null || fail 'record a'
./lapwing record -q -F 997 -o "$work/b.cap" \
	-- sh -c "\"$work/load\" 100; i=0; while [ \$i -lt 100000 ]; do i=\$((i + 1)); done" > /dev/null || fail 'record b'
for c in a b; do ./lapwing report --json --by function,image "$work/$c.cap" > "$work/$c.json" || fail "report $c"; done
./lapwing diff --json --all "$work/a.cap" "$work/b.cap" > "$work/diff.json" || fail 'diff'
check diff '
sides = [{(r["function"], r["image"]): r for r in f["rows"]} for f in (a, b)]
none = {"samples": 0, "percent": 0}
seen = set()
for r in diff["rows"]:
    key = r["function"], r["image"]
    before, after = (side.get(key, none) for side in sides)
    seen.add(key)
    assert (r["before_samples"], r["after_samples"]) == (before["samples"], after["samples"]), r
    assert abs(r["before"] - before["percent"]) < 0.001 and abs(r["after"] - after["percent"]) < 0.001, r
    assert abs(r["change"] - (after["percent"] - before["percent"])) < 0.001, r
    x, y, m, n = r["before_samples"], r["after_samples"], a["samples"], b["samples"]
    chi = (m + n) * (x * (n - y) - y * (m - x)) ** 2 / max((x + y) * (m + n - x - y) * m * n, 1)   # Pearson, one degree of freedom
    assert r["differs"] == (chi > 1.96 ** 2), (r, chi)
assert seen == set(sides[0]) | set(sides[1])
order = [(not r["differs"], -abs(r["change"])) for r in diff["rows"]]
assert all(p[0] <= q[0] and (p[0] < q[0] or p[1] <= q[1] + 0.001) for p, q in zip(order, order[1:])), order
heavy = [r for r in diff["rows"] if r["function"] == "heavy"][0]
assert heavy["differs"] and heavy["change"] < -10, heavy'
./lapwing diff "$work/a.cap" "$work/a.cap" > "$work/out" || fail 'diff with itself'
grep -q ' rows whose change is no more than chance' "$work/out" && ! grep -q heavy "$work/out" ||
	fail "diff with itself: $(cat "$work/out")"
./lapwing diff --by mode --all "$work/a.cap" "$work/b.cap" | grep -q '^after: COMPLETE$' || fail 'diff has no verdicts'
./lapwing diff "$work/a.cap" 2> "$work/err" && fail 'diff of one capture'
grep -q 'expected two captures' "$work/err" || fail "diff of one capture: $(cat "$work/err")"
./lapwing diff "$work/a.cap" "$work/none.cap" 2> /dev/null && fail 'diff with nothing'

# Over time.
./lapwing timeline --json --step 0.05 "$work/b.cap" > "$work/t.json" || fail 'timeline'
./lapwing timeline --json --step 0.05 -f heavy "$work/b.cap" > "$work/f.json" || fail 'timeline -f'
check timeline '
rows = {}
for r in t["rows"]:
    rows.setdefault((r["function"], r["image"]), []).append(r)
assert {k: sum(r["samples"] for r in v) for k, v in rows.items()} == {(r["function"], r["image"]): r["samples"] for r in b["rows"]}
spans = list(rows.values())[0]
assert sum(r["all"] for r in spans) == b["samples"] and len(spans) == math.ceil(b["duration_ns"] / 5e7), len(spans)
assert all(p["end_ns"] == q["start_ns"] for p, q in zip(spans, spans[1:]))
assert all(r["percent"] is None or 0 <= r["percent"] <= 100 for r in t["rows"])
heavy = [v for k, v in rows.items() if k[0] == "heavy"][0]
assert [r["samples"] for r in heavy] == [r["samples"] for r in f["rows"]]
last = max(i for i, r in enumerate(heavy) if r["samples"])
assert last < len(heavy) - 1, "the shell runs after it"'
./lapwing timeline --step 0.05 -f heavy "$work/b.cap" | awk '$4 ~ /ms$/ { n += $5 } END { print n }' > "$work/n"
./lapwing report --csv --by function "$work/b.cap" | awk -F, '$6 == "heavy" { print $1 }' | cmp -s - "$work/n" ||
	fail "timeline as text: $(cat "$work/n")"
./lapwing timeline --step 0.05 -l 3 -o "$work/t.svg" "$work/b.cap" && ./lapwing timeline -o "$work/t.html" "$work/b.cap" || fail 'a picture'
./lapwing timeline --json --step 0.05 -l 3 "$work/b.cap" > "$work/t3.json"
check picture '
titles = [e.text for e in xml.parse(work + "/t.svg").iter() if e.tag.endswith("title")]
assert len(titles) == sum(r["samples"] > 0 for r in t3["rows"]) > 10, len(titles)
for r in t3["rows"]:
    if r["samples"]:
        assert any("%.2f %%" % r["percent"] in title and (r["function"] or "") in title for title in titles), r'
grep -q '^<!DOCTYPE html>' "$work/t.html" || fail 'a picture is no HTML'
./lapwing timeline -o "$work/t.png" "$work/b.cap" 2> "$work/err" && fail 'a picture of another kind'

# A store: the program runs in the second half. Which epochs it ran in is known by its own clock.
db=$work/own/watch.db
./lapwing watch -q --db "$db" --epoch 1 -F 997 2> "$work/err" & pid=$!
epochs() { ./lapwing report --db "$db" --csv --by epoch 2> /dev/null | awk 'END { print NR - 1 }'; }
await '[ "$(epochs)" -ge 3 ]' || fail "no epochs: $(cat "$work/err")"
border=$(date '+%F %T')
"$work/load" 2500 > /dev/null
until=$(date '+%F %T')
kill -INT $pid
wait $pid || fail "watch: $(cat "$work/err")"
./lapwing report --db "$db" --json --by epoch > "$work/e.json" && ./lapwing report --db "$db" --json > "$work/whole.json" &&
	./lapwing timeline --db "$db" --json -f heavy > "$work/h.json" || fail 'a store'
./lapwing timeline --db "$db" --json -n load --image load > "$work/i.json" || fail 'timeline --image'
export TZ_BORDER="$border" TZ_UNTIL="$until"
check 'a store' '
border, until = (time.mktime(time.strptime(os.environ[v], "%Y-%m-%d %H:%M:%S")) * 1e9 for v in ("TZ_BORDER", "TZ_UNTIL"))
assert sum(r["samples"] for r in e["rows"]) == whole["received"] == sum(r["all"] for r in h["rows"]), e
assert [r["epoch"] for r in e["rows"]] == sorted(r["epoch"] for r in e["rows"]) and len(e["rows"]) == len(h["rows"]) >= 5
heavy = sum(r["samples"] for r in whole["rows"] if r["function"] == "heavy")
assert heavy > 500 and sum(r["samples"] for r in h["rows"]) == heavy
for r in h["rows"]:
    assert not r["samples"] or (r["end_ns"] >= border and r["start_ns"] <= until + 1e9), (r, border, until)
assert sum(r["samples"] for r in i["rows"]) >= heavy'
./lapwing diff --db "1 h ago..$border" "$border..now" "$db" --csv --by function > "$work/d.csv" || fail 'diff --db'
awk -F, '$8 == "heavy" { found = $5 > 5 && $7 == "true" } END { exit !found }' "$work/d.csv" || fail "diff --db: $(cat "$work/d.csv")"
./lapwing diff --db 'soon' today "$db" 2> "$work/err" && fail "diff --db 'soon'"
grep -q "FROM..TO" "$work/err" || fail "diff --db 'soon': $(cat "$work/err")"
[ "$(./lapwing report --db "$db" --csv --image libc | awk -F, 'NR > 1 && $7 !~ /libc/' | wc -l)" = 0 ] || fail '--image has other images'
./lapwing report --db "$db" --csv --image load --by image > "$work/image.csv" 2> /dev/null
[ "$(wc -l < "$work/image.csv")" = 2 ] || fail "--image: $(cat "$work/image.csv")"
./lapwing report --db "$db" --csv --unit no-such-unit 2>&1 | grep -q "none of event .*, unit 'no-such-unit'" || fail '--unit of nothing'
echo "times: $failed failed"
[ $failed -eq 0 ]
