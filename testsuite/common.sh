# SPDX-License-Identifier: GPL-2.0-or-later
# common.sh - common start of check scripts, sourced by them: changes to the top directory, creates
# a temporary directory that is removed at exit, counts failures. It does not exit: a script's last
# line is [ $failed -eq 0 ].
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
# The CPU has four debug registers, for all tests that run: the others wait.
take_registers() { exec 9> /tmp/lapwing-debug-registers && flock 9; }
leave_registers() { exec 9>&-; }
fail() { echo "FAIL $*"; failed=$((failed + 1)); }
