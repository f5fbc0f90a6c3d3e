#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - probe families on a fake kernel: the points of NAME/points resolve as in NAME/expected.
# NAME/kernel describes the kernel, or else the file kernel in this folder. BLESS=1 rewrites
# NAME/expected.
cd "$(dirname "$0")" || exit 2
driver=${DRIVER:-../unit/family_driver}
[ -x "$driver" ] || driver=$OLDPWD/testsuite/unit/family_driver
got=$(mktemp) || exit 2
trap 'rm -f "$got"' EXIT
failed=0
for dir in */; do
	name=${dir%/}
	kernel=kernel
	[ ! -f "$name/kernel" ] || kernel=$name/kernel
	"$driver" "$kernel" "$name/points" > "$got" 2>&1 ||
		{ echo "FAIL family/$name: exit status $?"; failed=1; }
	[ -z "${BLESS-}" ] || cp "$got" "$name/expected"
	diff -u "$name/expected" "$got" || { echo "FAIL family/$name: differs"; failed=1; }
done
exit $failed
