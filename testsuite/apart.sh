#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# apart.sh - runs a native test with a /run and a /tmp of its own, so that it meets nothing of other tests and leaves nothing to them, in a
# mount namespace that goes when it ends. It may take ten minutes. Without root it runs as it is.
# Usage: apart.sh TEST
set -u
if [ "$(id -u)" != 0 ]; then
	exec timeout -k 10 600 "$@"
fi
if [ "$1" != --inside ]; then
	exec unshare --mount --propagation private "$0" --inside "$@"
fi
shift
# The tree may be in /tmp itself: it is seen there as before.
top=$PWD
new=/mnt
mount -t tmpfs -o mode=1777 tmpfs $new || exit 99
case $top in
/tmp/*)
	mkdir -p "$new/${top#/tmp/}" && mount --bind "$top" "$new/${top#/tmp/}" || exit 99;;
esac
mount --move $new /tmp && mount -t tmpfs -o mode=755 tmpfs /run && cd "$top" || exit 99
unset TMPDIR XDG_RUNTIME_DIR
exec timeout -k 10 600 "$@"
