#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check-progress.sh - naming that takes long shows how far it is, on a terminal only. It takes as long as we like: who opens the debug
# information of the program waits for a pipe.
. "$(dirname "$0")/../common.sh"
. testsuite/report/build-load || exit 2
split() {
	objcopy --only-keep-debug "$work/load" "$work/load.debug" && objcopy --strip-debug --add-gnu-debuglink="$work/load.debug" "$work/load"
}
split || exit 2
${CC:-cc} -shared -fPIC -o "$work/stall.so" testsuite/hostile/stall.c -ldl || exit 2
stalled="env LD_PRELOAD=$work/stall.so STALL=$work/pipe STALL_NAME=/load.debug STALL_SOFT=1"
mkfifo "$work/pipe"
$stalled python3 testsuite/progress.py "naming: image" "$work/pipe" ./lapwing record -o "$work/c" -- "$work/load" 50 > "$work/out" ||
	fail "record: exit status $?"
cleared='\\r\\x1b\[K'
# A tick is lost where the machine stalls: record says so behind the number.
grep -qE "${cleared}naming: image [0-9]+ of [0-9]+ .*${cleared}lapwing record: [0-9]+ samples( \(PARTIAL: [^)]*\))? in " "$work/out" ||
	fail "progress: $(cat "$work/out")"
./lapwing report "$work/c" | grep -q heavy || fail "no names"
[ "$(id -u)" = 0 ] || export XDG_RUNTIME_DIR="$work"
cp "$work/load" "$work/later"		# another image, which is named behind it
./lapwing record -o "$work/c" -- sh -c '"$1/load" 50 && "$1/later" 50 && ./lapwing ctl flush $PPID && cp "$1/c" "$1/cut"' x "$work" \
	> "$work/out" 2>&1
grep -q naming "$work/out" && fail "progress where there is no terminal"
# The same of a report, where a capture was cut off before it had names.
mkfifo "$work/pipe"
$stalled python3 testsuite/progress.py "naming: image" "$work/pipe" ./lapwing report "$work/cut" > "$work/out" ||
	fail "report: exit status $?"
grep -q 'naming: image .* heavy ' "$work/out" || fail "a report's progress: $(cat "$work/out")"
# ^C meanwhile: the table is shown with the names that there are.
mkfifo "$work/pipe"
$stalled python3 testsuite/progress.py --interrupt "naming: image" "$work/pipe" ./lapwing report "$work/cut" > "$work/out" ||
	fail "an interrupted report: exit status $?"
grep -qE 'interrupted: [1-9][0-9]* of [0-9]+ images are shown without names' "$work/out" &&
	grep -q 'count  percent .* heavy .*/load' "$work/out" ||
	fail "an interrupted report: $(cat "$work/out")"
[ $failed -eq 0 ] && echo "progress: passed"
exit $((failed > 0))
