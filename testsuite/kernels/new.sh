#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# new.sh - runs all checks that find what a new kernel changes, in order; all run even if one fails.
# Usage: new.sh KVER  (doc/kernels.md says what to do about failures)
cd "$(dirname "$0")/../.." || exit 2
[ $# -eq 1 ] || { echo "usage: $0 KVER, as for lapwing-vm: 7.4, 7.4-arm64" >&2; exit 2; }
runtime/vm/lapwing-vm fetch --renew "$1" || exit 2
failed=0
testsuite/kernels/check-names.sh "$1" || failed=1
testsuite/emit/check-kbuild.sh "$1" || failed=1
testsuite/run-kernel/check-kernel.sh -c "$1" || failed=1
testsuite/kernels/table.sh "$1" || failed=1
exit $failed
