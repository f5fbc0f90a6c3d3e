#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - user programs in the user runtime, on this machine: what is taken at the hit and what is refused, counts beside perf's, what
# killed runs leave, what a reader that stands still loses.
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
	echo "FAIL uprobe: $*"
	failed=1
}

refused() {	# refused TEXT SCRIPT
	./lapwing --runtime=user -p3 -e "$2" > "$work/out" 2>&1 && fail "accepted: $2"
	grep -qF -- "$1" "$work/out" || { fail "not '$1': $2"; cat "$work/out"; }
}

row() {		# row TEXT SCRIPT: the first uprobe's row ends so
	./lapwing --runtime=user -p3 -e "$2" 2> "$work/err" | grep -A1 'uprobe_rows\[\]' | grep -qF -- "$1" ||
		{ fail "row without '$1': $2"; cat "$work/err"; }
}

gcc -O1 -pthread -o "$work/works" testsuite/triggers/works.c || exit 1
p="process(\"$work/works\").function(\"work\")"

# ---- what is taken ----
if [ "$(uname -m)" = x86_64 ]; then
	row '.take = { 0x20 } }' "probe $p { println(int_arg(1)) }"
	row '.take = { 0x20, (const struct rt_piece[]){ { "%di", 8, 8 }, }, 1 }' "probe $p { at = pointer_arg(1) + 8; println(user_long(at)) }"
	row '{ "+16(%di)", -4, 0 }, }, 2 }' "probe $p { println(user_string(user_pointer(pointer_arg(1) + 16) - 4)) }"
	row '.take = { 0x80, (const struct rt_piece[]){ { "%sp", 16, 8 }, }, 1 }' "probe $p { println(long_arg(8)) }"
	row '{ "%si", 0, 64 }, { "%si", 64, 36 }, }, 2 }' "probe $p { println(user_buffer_quoted(pointer_arg(2), 100)) }"
fi
row '.counter = &g_n, .step = -2 }' "global n probe $p { n -= 2 }"
for uses in '{ n++ } probe timer.s(1) { println(n) }' 'if (n < 3) { n++ }'; do
	./lapwing --runtime=user -p3 -e "global n probe $p $uses" | grep -q '\.counter =' && fail "counted by the kernel: $uses"
done
refused '[E0609]' "global last probe $p { println(user_string(last[tid()])); last[tid()] = pointer_arg(2) }"
refused '--target=vm' "probe $p { at = pointer_arg(1); while (at) at = user_long(at) }"

[ $failed -eq 0 ] && echo 'uprobe: all as it should be'
exit $failed
