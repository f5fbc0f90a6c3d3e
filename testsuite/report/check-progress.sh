#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check-progress.sh - naming that takes long shows how far it is, on a terminal only. It takes as long as we like: the debug information of
# the program is a pipe.
. "$(dirname "$0")/../common.sh"
. testsuite/report/build-load || exit 2
split() {
	objcopy --only-keep-debug "$work/load" "$work/load.debug" && objcopy --strip-debug --add-gnu-debuglink="$work/load.debug" "$work/load" &&
		rm "$work/load.debug"
}
split || exit 2
mkfifo "$work/load.debug"
python3 testsuite/report/check-progress.py "$work/load.debug" ./lapwing record -o "$work/c" -- "$work/load" 50 > "$work/out" ||
	fail "record: exit status $?"
cleared='\\r\\x1b\[K'
grep -qE "${cleared}naming: image [0-9]+ of [0-9]+ .*${cleared}lapwing record: [0-9]+ samples in " "$work/out" ||
	fail "progress: $(cat "$work/out")"
./lapwing report "$work/c" | grep -q heavy || fail "no names"
[ "$(id -u)" = 0 ] || export XDG_RUNTIME_DIR="$work"
./lapwing record -o "$work/c" -- sh -c '"$1/load" 50 && ./lapwing ctl flush $PPID && cp "$1/c" "$1/cut"' x "$work" > "$work/out" 2>&1
grep -q naming "$work/out" && fail "progress where there is no terminal"
# The same of a report, where a capture was cut off before it had names.
mkfifo "$work/load.debug"
python3 testsuite/report/check-progress.py "$work/load.debug" ./lapwing report "$work/cut" > "$work/out" || fail "report: exit status $?"
grep -q 'naming: image .* heavy ' "$work/out" || fail "a report's progress: $(cat "$work/out")"
[ $failed -eq 0 ] && echo "progress: passed"
exit $((failed > 0))
