#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check-profile.sh - lapwing profile, and a stopwatch, for programs: their rows, and in the JSON what was lost, what found no row, that an
# error ended the run.
. "$(dirname "$0")/../common.sh"
. testsuite/report/build-load || exit 2
# Touches so many pages of its own, one after the other.
cat > "$work/pages.c" <<'END'
#include <stdlib.h>
#include <sys/mman.h>
int main(int argc, char **argv)
{
	long n = atol(argv[1]);
	char *p = mmap(0, n << 12, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(p, n << 12, MADV_NOHUGEPAGE);
	for (long i = 0; i < n; i++)
		p[i << 12] = 1;
	return argc > 2 ? atoi(argv[2]) : 0;
}
END
gcc -O1 -o "$work/pages" "$work/pages.c" || exit 2
mkdir "$work/tmp" && export TMPDIR="$work/tmp"
profile() { ./lapwing profile --runtime=user "$@"; }
# judge WHAT CODE: python's `report` is the JSON
judge() {
	printf 'import json, sys\nreport = json.load(open(sys.argv[1], encoding="utf-8"))\nrun, rows = report["run"], report["rows"]\n%s\n' "$2" |
		python3 - "$work/json" 2> "$work/said" ||
		fail "$1: $(cat "$work/said" "$work/json" "$work/err")"
}

# The books say how many samples there were, and those are the rows.
profile --json -o "$work/json" -F 997 -- "$work/load" 300 > "$work/out" 2> "$work/err" || fail "profile --json: $(cat "$work/err")"
grep -q '^heavy ' "$work/out" || fail "the program's own output is not where it was: $(cat "$work/out")"
judge 'a profile' '
assert list(report) == ["schema", "rows", "samples", "rowless", "run"], list(report)
assert report["schema"] == "lapwing-samples/1" and run["schema"] == "lapwing-run/1"
assert list(rows[0]) == ["name", "function", "samples", "percent"], rows[0]
assert rows[0]["name"] == "load" and rows[0]["function"] == "heavy", rows[0]
assert sum(row["samples"] for row in rows) == report["samples"] == run["samples"]["received"] > 50
assert report["rowless"] == 0 and all(a["samples"] >= b["samples"] for a, b in zip(rows, rows[1:]))
assert abs(rows[0]["percent"] - 100 * rows[0]["samples"] / report["samples"]) < 0.011
s = run["samples"]
assert s["expected"] == s["received"] + s["own"] + s["off"] + s["asleep"] + s["lost"]
assert (run["verdict"] == "PARTIAL") == (s["lost"] > 0)'
testsuite/formats.py "$work/json" || fail "doc/formats.md"
profile --csv -F 997 by 'execname()' -o "$work/csv" -- "$work/load" 50 > "$work/out" 2> "$work/err" ||
	fail "profile --csv: $(cat "$work/err")"
head -1 "$work/csv" | grep -qxF '"execname()",samples,percent' && sed -n 2p "$work/csv" | grep -q '^"load",[0-9]*,[0-9]*[.][0-9][0-9]$' ||
	fail "profile --csv: $(cat "$work/csv")"
profile --csv -F 997 -- "$work/load" 50 2> "$work/err" | grep -qxF '"name","function",samples,percent' || fail "profile --csv: no names"

# What finds the table full has no row, and is said.
profile --json -e page-faults:1 by 'ktime_get_ns()' -o "$work/json" --json-summary="$work/books" -- "$work/pages" 9000 3 2> "$work/err"
[ $? -eq 3 ] || fail "the exit status is not the command's: $(cat "$work/err")"
judge 'a full table' '
probe = next(p for p in run["probes"] if "page-faults" in p["point"])
assert report["samples"] == probe["completed"] and report["samples"] + sum(probe["missed"].values()) > 9000, probe
assert len(rows) == 8192 and report["rowless"] == report["samples"] - 8192 > 0
assert run["verdict"] == "PARTIAL" and run["shares"]["inserts"] < 1
assert run == json.load(open(sys.argv[1][:-4] + "books"))'
profile --csv -e page-faults:1 by 'ktime_get_ns()' -o "$work/csv" -- "$work/pages" 9000 2> "$work/err"
grep -q '^WARNING: [0-9]* of [0-9]* samples have no row: the table is full$' "$work/err" && [ "$(wc -l < "$work/csv")" -eq 8193 ] ||
	fail "a full table as CSV: $(cat "$work/err")"

# The smallest ring and a handler that is long lose samples, which the JSON says too.
profile --json -s 0.0625 -e page-faults:1 by 'strlen(sprint(1))' -o "$work/json" -- "$work/pages" 200000 2> "$work/err"
judge 'a ring that was too small' '
probe = next(p for p in run["probes"] if "page-faults" in p["point"])
lost = sum(probe["missed"].values())
assert report["samples"] == probe["completed"] and probe["entered"] == probe["completed"] + probe["in_flight"] + lost
assert (run["verdict"] == "PARTIAL") == (lost > 0) == (run["shares"]["hits"] < 1)'

# So does a stopwatch, whose reader is stopped while the program runs: a call is in a row, or the books say that it was missed.
cat > "$work/calls.c" <<'END'
#include <stdlib.h>
__attribute__((noinline)) void called(void) { __asm__ volatile(""); }
int main(int argc, char **argv)
{
	for (long n = atol(argv[1]); n; n--)
		called();
	return 0;
}
END
gcc -g -O1 -o "$work/calls" "$work/calls.c" || exit 2
./lapwing stopwatch --json -s 0.0625 --runtime=user "$work/calls:called" -o "$work/json" \
	-- testsuite/stopped.sh "$work/calls" 20000 2> "$work/err"
judge 'a stopwatch whose ring was too small' '
calls = report["calls"]
probe = next(p for p in run["probes"] if "called" in p["point"])
lost = sum(probe["missed"].values())
assert probe["entered"] == probe["completed"] + lost == 20000 and lost > 10000, probe
assert calls == { "entered": 20000, "timed": 20000 - lost, "in_flight": 0, "missed": lost, "left": 0, "rowless": 0 }, calls
assert [row["calls"] for row in rows] == [calls["timed"]], rows
assert run["verdict"] == "PARTIAL" and run["shares"]["hits"] == calls["timed"] * 1000000 // 20000 / 1e6, run["shares"]'

# Of system calls and of the children that they make: all are in the books of their tables, which are both in the JSON. Of a child that was
# timed nothing is lost: its fault, where its ID is stored in memory shared with the parent, is its own.
gcc -O1 -o "$work/forks" testsuite/triggers/forks.c || exit 2
./lapwing stopwatch --json -s 0.0625 --runtime=user fork by 'execname()' with page-faults -o "$work/json" \
	-- testsuite/stopped.sh "$work/forks" 3000 2> "$work/err"
judge 'a stopwatch of forks whose ring was too small' '
children, = report["also"]
assert (report["of"], children["of"]) == ("kernel", "children"), report
# a call that began before the run makes a child in it
began = sum(p["entered"] for p in run["probes"] if "sys_enter_" in p["point"])
made = next(p for p in run["probes"] if "sched_process_fork" in p["point"])["entered"]
for table, entered in (report, began), (children, made):
	calls = table["calls"]
	assert 3000 <= entered == calls["entered"] and calls["left"] == calls["rowless"] == 0, (began, made, calls)
	assert calls["entered"] == calls["timed"] + calls["in_flight"] + calls["missed"] and calls["missed"] > 1000, calls
	assert sum(row["calls"] for row in table["rows"]) == calls["timed"] > 0, table
forks = next(row for row in children["rows"] if row["execname()"] == "forks")
assert forks["page-faults/call"] in (1, None) and forks["page-faults/quality"] == "partial", forks
assert run["verdict"] == "PARTIAL"'

# What other probes print is not of the JSON, whatever it looks like, and is not lost: it is on standard error.
mkdir "$work/library"
cat > "$work/library/told.stp" <<'END'
probe begin { print("{ begins \"\n") }
probe end { print("} ends \"") }
function told:string() { return "{\"\\" }
END
profile --json -I "$work/library" -F 997 by 'told()' -- "$work/load" 50 > "$work/all" 2> "$work/err"
grep -v '^heavy \|^light \|^all ' "$work/all" > "$work/json"
judge 'what a library prints' 'assert rows[0]["told()"] == "{\"\\" and report["samples"] == run["samples"]["received"], rows'
grep -qx '{ begins "' "$work/err" && grep -q '^} ends "' "$work/err" || fail "what a library prints is lost: $(cat "$work/err")"

# Names of any bytes.
cp "$work/load" "$work/$(printf 'a"b\\\nc\377')"
profile --json -F 997 -o "$work/json" -- "$work/$(printf 'a"b\\\nc\377')" 50 > "$work/out" 2> "$work/err"
judge 'a name of any bytes' 'assert rows[0]["name"] == "a\"b\\\nc\ufffd", rows[0]'

# An error that ends the run, a signal that does, and what does not run at all.
profile --json -F 997 by '1/(cpu()*0)' -o "$work/json" -- "$work/load" 1000 > "$work/out" 2> "$work/err" &&
	fail "a division by 0 is a success"
judge 'an error' '
assert rows == [] and report["samples"] is None and report["rowless"] is None
assert run["ended_by_error"] and run["verdict"] == "PARTIAL" and run["status"] == 1'
# shellcheck disable=SC2016 # the program's parent is lapwing-run, whose parent is lapwing profile
profile --json -F 997 -o "$work/json" -- sh -c '"$1" 50 > /dev/null; read -r line < /proc/$PPID/stat
	set -- ${line##*) }; kill -INT "$2"; echo $$ > "$0"; exec sleep 1000' "$work/sleeper" "$work/load" 2> "$work/err"
kill "$(cat "$work/sleeper")"
judge 'an interrupt' 'assert report["samples"] == run["samples"]["received"] > 5 and not run["ended_by_error"]'
profile --json by nonsense -o "$work/none" -- true > "$work/out" 2> "$work/err"
[ $? -eq 1 ] && [ ! -e "$work/none" ] && [ ! -s "$work/out" ] && grep -q "unresolved" "$work/err" ||
	fail "a wrong key: $(cat "$work/out" "$work/err")"
profile --json -S 1 -o "$work/none" -- true 2> "$work/err"
[ $? -eq 2 ] && grep -qF -e '-S and -b write several files' "$work/err" || fail "-S: $(cat "$work/err")"
profile --json -F 997 -- true > /dev/full 2> "$work/err"
[ $? -eq 1 ] && grep -q 'cannot write standard output: No space' "$work/err" || fail "a full disk: $(cat "$work/err")"
profile --json -F 997 --json-summary="$work/none/books" -- true > "$work/out" 2> "$work/err"
[ $? -eq 1 ] && grep -q -e '--json-summary .*No such file' "$work/err" || fail "books that cannot be written: $(cat "$work/err")"
[ -z "$(ls -A "$TMPDIR")" ] || fail "files are left in $TMPDIR: $(ls "$TMPDIR")"
./lapwing stopwatch "$work/load:heavy" by '1/(cpu()*0)' --json --runtime=user -o "$work/json" \
	-- "$work/load" 10 > "$work/out" 2> "$work/err" &&
	fail "a stopwatch with a division by 0 is a success"
judge 'an error of a stopwatch' 'assert rows == [] and report["calls"] is None and run["ended_by_error"]'
testsuite/formats.py "$work/json" || fail "doc/formats.md"
profile --json --expand > "$work/out" && grep -q 'lapwing-samples/1' "$work/out" || fail "--expand: $(cat "$work/out")"
[ $failed -eq 0 ] && echo "profile: all as it should be"
[ $failed -eq 0 ]
