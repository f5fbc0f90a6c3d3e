#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# apart.sh - runs a native test with a /run and a /tmp of its own, so that it meets nothing of other
# tests and leaves nothing to them, in a mount namespace that goes when it ends. The tests of a tree
# run one after the other, under `make -j` too. Each may take ten minutes. Without root it runs as it
# is. How long it took is added to $LAPWING_TEST_SECONDS.
# Usage: apart.sh TEST
set -u
# run TEST: not longer than that
run() {
	local began status
	exec 9< "${LAPWING_TEST_LOCK:-$0}" && flock 9
	began=${EPOCHREALTIME/./}
	timeout -k 10 600 "$@" 9<&-
	status=$?
	awk -v name="$1" -v us=$((${EPOCHREALTIME/./} - began)) 'BEGIN { sub(/^[.]\//, "", name); printf "%s %.1f\n", name, us / 1e6 }' \
		>> "${LAPWING_TEST_SECONDS:-/dev/null}"
	exit $status
}

[ "$(id -u)" = 0 ] || run "$@"
if [ "$1" != --inside ]; then
	exec unshare --mount --propagation private "$0" --inside "$@"
fi
shift
top=$PWD sources=$(realpath "$0") new=/mnt
mount -t tmpfs -o mode=1777 tmpfs $new || exit 99
# The source tree and the build tree may be in /tmp itself: they are seen there as before.
for tree in "${sources%/testsuite/*}" "$top"; do
	case $tree in
	/tmp/*)
		mkdir -p "$new/${tree#/tmp/}" && mount --rbind "$tree" "$new/${tree#/tmp/}" || exit 99;;
	esac
done
mount --move $new /tmp && mount -t tmpfs -o mode=755 tmpfs /run && cd "$top" || exit 99
unset TMPDIR XDG_RUNTIME_DIR
run "$@"
