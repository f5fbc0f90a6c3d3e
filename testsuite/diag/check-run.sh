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
said -v -v
grep -qx 'WARNING: probe two skipped: this kernel has no such function' "$work/err" || fail "-v does not name all: $(cat "$work/err")"
grep -qx 'lapwing-run: 0 probes armed, 4 skipped' "$work/err" || fail "not 4 skipped: $(cat "$work/err")"
said --no-partial
grep -q 'hint:\|source:\|explain' "$work/err" && fail "--no-partial explains: $(cat "$work/err")"
DAMAGED=1 said
[ $status -eq 1 ] && grep -qx "ERROR: the module's stream of messages is damaged: a part is lost .lapwing explain E0975." "$work/err" ||
	fail "a damaged message: $status: $(cat "$work/err")"

# Optional tracepoints that this kernel does not have are counted, and the others armed: two names are changed in the module.
if [ "$(id -u)" = 0 ]; then
	(cd "$work" && "$OLDPWD/lapwing" --runtime=user -p4 -m t_skips -e 'probe kernel.trace("sched:sched_process_exec")?,
		kernel.trace("sched:sched_process_fork")? { gone++ } probe kernel.trace("sched:sched_process_exit") { exits++ }
		probe end { println(gone > 0, " ", exits > 0) } global gone, exits') > "$work/out" 2>&1 || fail "$(cat "$work/out")"
	sed 's/sched_process_exec/sched_process_ex3c/g; s/sched_process_fork/sched_process_f0rk/g' "$work/t_skips.so" > "$work/less.so"
	for file in t_skips less; do
		timeout 20 ./lapwing-run -v -v -c '(:); :' "$work/$file.so" 2>&1 | grep '^[01] [01]$\|armed\|skipped'
	done > "$work/said"
	diff "$work/said" - << 'END' || fail "optional tracepoints"
lapwing-run: 4 probes armed, 0 skipped
1 1
WARNING: probe kernel.trace("sched:sched_process_ex3c") skipped: this kernel has no such tracepoint
WARNING: probe kernel.trace("sched:sched_process_f0rk") skipped: this kernel has no such tracepoint
lapwing-run: 2 probes armed, 2 skipped
0 1
END
fi
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
