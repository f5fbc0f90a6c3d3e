#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-strace.sh - the text of system calls that run-kernel/syscalls expects, compared with strace's
# of the same program: each constant, string and decimal number that we show as an argument is in
# strace's line, in our order. Pointers are not compared (strace shows what they point to), nor
# results, which depend on the machine.
. "$(dirname "$0")/../common.sh"
want=$PWD/testsuite/run-kernel/syscalls.out
gcc -O1 -static -o "$work/calls" testsuite/triggers/calls.c || exit 2
(cd "$work" && strace -o trace ./calls > /dev/null 2>&1)
grep -q '^openat(AT_FDCWD, "calls.data"' "$work/trace" || { fail "strace shows no calls"; exit 1; }

# strace's names: of the kernel's functions, and shorter words for some constants.
sed -n '/^getsid(30583)/,$p' "$work/trace" | sed 1d > "$work/theirs"
sed -e 's/^\(pread\|pwrite\)(/\164(/; s/^fstatat/newfstatat/; s/PF_LOCAL/AF_UNIX/; s/PF_INET/AF_INET/' \
	-e 's/FUTEX_WAIT|FUTEX_PRIVATE_FLAG/FUTEX_WAIT_PRIVATE/; s/\[SIGHUP|SIGUSR2\]/[HUP|USR2]/' \
	-e 's/^ioctl(3, 4660, /ioctl(3, /' "$want" > "$work/ours"
awk '
	# The text of a call without its result.
	function call(line) { sub(/ += [^=]*$/, "", line); return line }
	NR == FNR { theirs[NR] = $0; next }
	{
		rest = call(theirs[FNR])
		line = call($0)
		if (match(line, /^[a-z0-9_]+\(/) && index(rest, substr(line, 1, RLENGTH)) == 1) {
			line = substr(line, RLENGTH + 1)
		} else {
			print "FAIL line " FNR ": " $0 ": strace has " theirs[FNR]
			failed = 1
			next
		}
		while (match(line, /"[^"]*"|[A-Z][A-Z0-9_]*|0x[0-9a-f]+|-?[0-9][0-9.]*/)) {
			word = substr(line, RSTART, RLENGTH)
			line = substr(line, RSTART + RLENGTH)
			if (word ~ /^0x/ || word ~ /\./)
				continue
			words++
			at = index(rest, word)
			if (!at) {
				print "FAIL " word " of " $0 ": strace has " theirs[FNR]
				failed = 1
				break
			}
			rest = substr(rest, at + length(word))
		}
	}
	END {
		print words + 0 " words of " FNR " calls compared"
		exit failed || words < 180 || FNR < 80
	}' "$work/theirs" "$work/ours" || failed=1
exit $failed
