#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh - the check tests: names, types, rules. Input: ok/NAME.stp with NAME.dump (whole output and warnings),
# bad/CODE.what.stp with .err (the whole message), NAME.opt (options, if any).
# Output: one line per case that differs, with the diff; exit 1 then. --bless records what is printed now.
set -u
here=$(cd "$(dirname "$0")" && pwd)
driver=$(pwd)/testsuite/unit/check_driver
got=$(mktemp) || exit 2
trap 'rm -f "$got"' EXIT
n=0 failed=0

# one DIRECTORY SCRIPT EXPECTED STATUS
one() {
	options=
	base=${2%.stp}
	[ ! -f "$1/$base.opt" ] || options=$(cat "$1/$base.opt")
	(cd "$1" && ulimit -t 60 && "$driver" $options "$2") > "$got" 2>&1
	status=$?
	n=$((n + 1))
	[ "$bless" = 0 ] || cp "$got" "$1/$3"
	if [ $status -ne "$4" ]; then
		echo "$2: exit status $status, expected $4"; cat "$got"; failed=$((failed + 1))
	elif ! diff -u "$1/$3" "$got"; then
		echo "$2: output differs"; failed=$((failed + 1))
	fi
}

bless=0
[ "${1-}" != --bless ] || bless=1
for f in "$here"/ok/*.stp; do one "$here/ok" "$(basename "$f")" "$(basename "$f" .stp).dump" 0; done
for f in "$here"/bad/*.stp; do one "$here/bad" "$(basename "$f")" "$(basename "$f" .stp).err" 1; done

echo "check: $n cases, $failed failed"
[ $failed -eq 0 ]
