#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-run.sh - what lapwing-run makes of errors and skipped probes: number, hint and lines are those of the row and of the place that the
# message names, whatever its text is; nothing in a message is trusted. run_errors.c sends them. Output: the differences; exit 1 then.
. "$(dirname "$0")/../common.sh"
${CC:-cc} -std=gnu11 -O1 -shared -fPIC -I. -Iruntime -o "$work/run_errors.so" testsuite/diag/run_errors.c || exit 1

# said OPTION...: the lines of errors and skips; $status
said() {
	timeout 20 ./lapwing-run "$@" "$work/run_errors.so" > "$work/out" 2> "$work/err"
	status=$?
	sed '/^PARTIAL\|^WARNING: Number of errors/,$d' "$work/err" > "$work/said"
}
said
[ $status -eq 1 ] || fail "exit status $status: $(cat "$work/err")"
diff testsuite/diag/run_errors.expected "$work/said" || fail "lines differ"
said -v
grep -qx 'WARNING: probe two skipped: this kernel has no such function' "$work/err" || fail "-v does not name all: $(cat "$work/err")"
grep -qx 'lapwing-run: 0 probes armed, 4 skipped' "$work/err" || fail "not 4 skipped: $(cat "$work/err")"
said --no-partial
grep -q 'hint:\|source:\|explain' "$work/err" && fail "--no-partial explains: $(cat "$work/err")"
DAMAGED=1 said
[ $status -eq 1 ] && grep -qx "ERROR: the module's stream of messages is damaged: a part is lost .lapwing explain E0975." "$work/err" ||
	fail "a damaged message: $status: $(cat "$work/err")"

# A module of another version, by what the file has and by what the module says.
for where in 'const struct wire_module' 'struct wire_hello h'; do
	sed "/$where/,/;/s/WIRE_VERSION/&-1/" testsuite/diag/run_errors.c |
		${CC:-cc} -std=gnu11 -O1 -shared -fPIC -I. -Iruntime -o "$work/other.so" -xc - || exit 1
	timeout 20 ./lapwing-run "$work/other.so" > "$work/out" 2> "$work/err"
	[ $? -eq 1 ] && grep -qx "ERROR: $work/other.so does not load: another version of lapwing built it .lapwing explain E0991." "$work/err" &&
		grep -qx '        hint: build it again with this version' "$work/err" || fail "another version, $where: $(cat "$work/err")"
done
# What lapwing-run finds itself has its number and hint too.
timeout 20 ./lapwing --runtime=user -e 'probe begin { println(1) exit() }' > /dev/full 2> "$work/err"
[ $? -eq 1 ] && grep -qx 'ERROR: cannot write the output: No space left on device .lapwing explain E0973.' "$work/err" &&
	grep -q '^        hint: make room' "$work/err" || fail "a full disk: $(cat "$work/err")"
echo "run errors: $failed failed"
[ $failed -eq 0 ]
