# SPDX-License-Identifier: GPL-2.0-or-later
# common.sh - how check scripts begin, sourced by them: in the top folder, with a folder of their own that goes when they do, counting
# what fails. It ends nothing: a script's last line is [ $failed -eq 0 ].
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "FAIL $*"; failed=$((failed + 1)); }
