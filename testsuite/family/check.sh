#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - families on a kernel made of text. NAME/points resolve as NAME/expected says; NAME/kernel describes the kernel
# (else kernel here does). BLESS=1 records what comes out.
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
	"$driver" "$kernel" "$name/points" > "$got" 2>&1 || { echo "FAIL family/$name: exit status $?"; failed=1; }
	[ -z "${BLESS-}" ] || cp "$got" "$name/expected"
	diff -u "$name/expected" "$got" || { echo "FAIL family/$name: differs"; failed=1; }
done
# Each has a script that every kernel runs.
for family in $(sed -n 's/^FAMILY(\(.*\))$/\1/p' ../../translator/families/families.def); do
	grep -q "^$family	" ../run-kernel/families || { echo "FAIL family/$family: no script in run-kernel/families"; failed=1; }
done
exit $failed
