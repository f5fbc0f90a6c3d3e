#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# faults.sh - do the tests see faults? Plants those of testsuite/faults into a copy of the commit, one at a time, builds it and runs the
# tests that ought to see it, then the rest of the gate, until one fails. At least nine in ten have to be caught.
#
# A fault is a file: `what:` says what is wrong with it, `first:` has the tests that ought to see it, by the names that ./runtests takes,
# the quickest first; then come `--- old`, text that is once in all tracked files, and `--- new`, what takes its place. One whose text is
# not found, or that does not build, is an error and not caught. So is one whose first tests fail without it, which is tried before.
#
# Input: the commit that is checked out; changes that are not committed are not in the copy, but for the faults themselves. Output: a line
# for each fault. Results are kept, by commit and fault, in testsuite/results.faults: where it was stopped it goes on. The copy has the
# results and logs of the last test.
# Usage: testsuite/faults.sh [--quick] [--tree FOLDER] [NAME...]   names are those of the files
#        --quick          no tests but those that ought to see the fault
#        --tree FOLDER    the copy is made there, or is there, and stays; else it is a temporary one
set -u
cd "$(dirname "$0")/.." || exit 2
top=$PWD results=$PWD/testsuite/results.faults commit=$(git rev-parse HEAD) || exit 2
quick= tree= names=()
while [ $# -gt 0 ]; do
	case $1 in
	--quick) quick=1;;
	--tree) [ $# -ge 2 ] || exit 2; tree=$2; shift;;
	-*) sed -n 's/^# \(Usage: \|       \)//p' "$0" >&2; exit 2;;
	*) names+=("$1");;
	esac
	shift
done
[ ${#names[@]} -gt 0 ] || names=($(ls testsuite/faults))
if [ -z "$tree" ]; then
	tree=$(mktemp -d) && chmod 755 "$tree" || exit 2		# tests run its programs as nobody
	trap 'rm -rf "$tree"' EXIT
fi
errors=0 caught=0 survivors=()
touch "$results"

field() { sed -n "s/^$2: *//p" "$top/testsuite/faults/$1" | head -1; }	# field NAME what|first
key() { echo "$commit $1 $(sha1sum < "$top/testsuite/faults/$1" | cut -c1-8)"; }
keep() { echo "$*" >> "$results"; }
error() { echo "ERROR $*"; errors=$((errors + 1)); }

# plant NAME: changes the copy; what is in the way of that, on standard output.
plant() {
	python3 - "$top/testsuite/faults/$1" <<'END'
import subprocess, sys
head, _, change = open(sys.argv[1]).read().partition("\n--- old\n")
old, _, new = change.partition("\n--- new\n")
new = new.removesuffix("\n")
found = []
for path in subprocess.check_output(["git", "ls-files", "-z"], text=True).split("\0"):
    if not path or path.startswith("testsuite/faults/"):
        continue
    try:
        text = open(path).read()
    except (UnicodeDecodeError, OSError):
        continue
    found += [path] * text.count(old)
if not old or len(found) != 1:
    sys.exit("its text is found %d times: %s" % (len(found), " ".join(found)))
text = open(found[0]).read().replace(old, new)
open(found[0], "w").write(text)
END
}

# The copy, as the commit has it, built.
make_tree() {
	if [ ! -e "$tree/.git" ]; then
		git clone -q --shared --no-checkout "$top" "$tree" || exit 2
	fi
	cd "$tree" && git checkout -q -f "$commit" 2> /dev/null || { git fetch -q "$top" "$commit" && git checkout -q -f "$commit"; } || exit 2
	.ci/build --enable-werror || exit 2
}

# see TEST: 0: it fails, and so sees the fault. Its words are in $tree/testsuite/results.said.
see() {
	./runtests "$1" > testsuite/results.said 2>&1
	case $? in
	0) return 1;;
	2) cat testsuite/results.said; exit 2;;
	esac
}

# The tests of these faults pass without them. Else they are errors.
sound() {	# sound TEST...
	local test
	for test; do
		grep -qxF "$commit sound $test" "$results" && continue
		if see "$test"; then
			error "$test fails without a fault: $(grep -m 1 '^FAIL' testsuite/results.said)"
		else
			keep "$commit sound $test"
		fi
	done
}

seconds() { echo $(($(date +%s) - began)); }

# first_sees NAME: does one of the tests that ought to see the fault, which is in the copy?
first_sees() {
	local test
	for test in $(field "$1" first); do
		see "$test" || continue
		keep "$(key "$1") caught $test $(seconds)"
		return 0
	done
	return 1
}

# gate_sees NAME: does another test of the gate, and again by itself? Else it was something else that failed.
gate_sees() {
	local stage test
	for stage in style native kernel/6.1; do
		see "$stage" || continue
		for test in $(sed -n 's/^FAIL \([^ ]*\).*/\1/p' testsuite/results.judged); do
			see "$test" || continue
			keep "$(key "$1") caught $test $(seconds)"
			return 0
		done
	done
	return 1
}

try() {		# try NAME: what becomes of it is kept
	local why
	began=$(date +%s)
	git checkout -q -f "$commit"
	why=$(plant "$1" 2>&1) || { error "$1: $why"; return; }
	.ci/build > testsuite/results.said 2>&1 || { error "$1: it does not build: $(head -3 testsuite/results.said)"; return; }
	if ! grep -qF "$(key "$1") unseen" "$results"; then
		first_sees "$1" && return
		keep "$(key "$1") unseen"
	fi
	[ -z "$quick" ] || return
	gate_sees "$1" || keep "$(key "$1") survived"
}

# known NAME: is it decided? Says so.
known() {
	local line
	line=$(grep -F "$(key "$1") " "$results" | grep ' caught \| survived' | tail -1)
	case $line in
	*" caught "*) caught=$((caught + 1)); echo "$1: caught by $(set -- $line; echo "$5 in $6 s")";;
	*" survived") survivors+=("$1"); echo "$1: SURVIVED";;
	*) return 1;;
	esac
}

make_tree
for name in "${names[@]}"; do
	[ -f "$top/testsuite/faults/$name" ] || { error "there is no fault '$name'"; continue; }
	known "$name" && continue
	git checkout -q -f "$commit" && .ci/build || exit 2
	before=$errors
	sound $(field "$name" first)
	[ $errors -eq $before ] || continue
	try "$name"
	known "$name" || [ $errors -ne $before ] || { survivors+=("$name"); echo "$name: SURVIVED its first tests"; }
done
git checkout -q -f "$commit"
for name in "${survivors[@]}"; do
	echo "survived: $name: $(field "$name" what)"
done
echo "$caught caught, ${#survivors[@]} survived, $errors errors"
[ $errors -eq 0 ] && [ $((caught * 10)) -ge $((${#names[@]} * 9)) ]
