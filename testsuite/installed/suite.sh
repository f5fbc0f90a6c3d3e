#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# suite.sh - the tests of the commands, with those of an installed Lapwing. In a mount namespace of their own, where the source tree has
# gone: in its place are the tests, what they compile, and links to the installed programs.
# Usage: suite.sh PREFIX SOURCES TEST...		from the build tree
# Results: PASS|FAIL|SKIP installed/TEST on stdout and in $LAPWING_TEST_RESULTS.
set -u
prefix=$(realpath "$1") sources=$(realpath "$2") || exit 2
shift 2
if [ -z "${suite_tree:-}" ]; then
	suite_tree=$(mktemp -d -p /var/tmp) || exit 2
	trap 'rm -rf "$suite_tree"' EXIT
	chmod 755 "$suite_tree"
	cp -RL testsuite doc examples "$suite_tree" || exit 2
	(cd "$sources" && cp --parents -t "$suite_tree" README.md NEWS packaging/{kernel,systemd}/*.in report/*.proto tapsets/*.tbl \
		$(find ./*/ -name '*.def' -o -name local.mk ! -path ./runtime/vm/local.mk)) || exit 2
	mkdir -p "$suite_tree/installed" "$suite_tree/runtime"
	(cd "$prefix" && printf 'installed/%s\n' bin/lapwing* libexec/lapwing/lapwing*) | xargs ln -st "$suite_tree"
	ln -s ../installed/include/lapwing-note.h "$suite_tree/runtime"
	ln -s ../installed/libexec/lapwing "$suite_tree/runtime/vm"
	export suite_tree
	unshare --mount --propagation private "$0" "$prefix" "$sources" "$@" | tee -a "${LAPWING_TEST_RESULTS:-/dev/null}"
	exit "${PIPESTATUS[0]}"
fi
top=$PWD
mount --bind "$prefix" "$suite_tree/installed" || exit 2
# `make distcheck` has the build tree and the prefix in the source tree.
[ "$sources" = "$top" ] || { mount -t tmpfs tmpfs "$sources" && mkdir -p "$top"; } || exit 2
mount --rbind "$suite_tree" "$top" && cd "$top" || exit 2
failed=0
for name; do
	LAPWING_TEST_SECONDS='' testsuite/apart.sh "$name" > "$name.log" 2>&1
	case $? in
	0) result=PASS why=;;
	77) result=SKIP why=" $(sed -n "s/^SKIP //p" "$name.log" | tail -1)";;
	*) result=FAIL why= failed=1; cat "$name.log" >&2;;
	esac
	echo "$result installed/$name$why"
done
exit $failed
