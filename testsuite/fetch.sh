#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fetch.sh - kernels for the tests into the cache of lapwing-vm, before any test runs: the releases that testsuite/kernels names, so that
# the same commit is tested on the same kernels. Where one has gone from the archive the next of its series is taken, and that is said.
# Prints the lines KVER RELEASE that LAPWING_VM_RELEASES takes; what it does, and "cannot fetch: ...", goes to stderr. Exit status 1: not
# all are there, after three tries.
# Usage: fetch.sh KVER...
#        fetch.sh --newer     which newer releases the archive has; --renew writes them into testsuite/kernels
set -u
cd "$(dirname "$0")/.." || exit 1
vm=runtime/vm/lapwing-vm
pinned() { awk -v kver="$1" '$1 == kver { print $2 }' testsuite/kernels; }

# alike KVER RELEASE: the releases of the series in the archive, of the same Debian, oldest first
alike() {
	local shape='s/(deb[0-9]+)|[0-9]+/\1N/g'
	$vm releases "$1" 2> /dev/null | while read -r each; do
		[ "$(sed -E "$shape" <<< "$each")" != "$(sed -E "$shape" <<< "$2")" ] || echo "$each"
	done
}

renew() {
	local kver release newest
	while read -r kver release; do
		case $kver in '#'* | '') echo "$kver${release:+ $release}"; continue;; esac
		newest=$(alike "$kver" "$release" | tail -1)
		[ "${newest:-$release}" = "$release" ] || echo "$kver: $newest instead of $release" >&2
		echo "$kver ${newest:-$release}"
	done < testsuite/kernels > testsuite/results.renewed
	[ "$1" != --renew ] || cat testsuite/results.renewed > testsuite/kernels
}

# next_of KVER RELEASE: the next newer one in the archive, or its newest; nothing when it has RELEASE, or nobody answers
next_of() {
	alike "$1" "$2" > testsuite/results.releases
	grep -qxF -e "$2" testsuite/results.releases && return
	{ cat testsuite/results.releases; echo "$2"; } | sort -V | grep -xF -A 1 -e "$2" | sed -n 2p | grep . || tail -1 testsuite/results.releases
}

# fetch KVER: prints its line
fetch() {
	local release try next
	release=$(pinned "$1")
	[ -n "$release" ] || { echo "cannot fetch: testsuite/kernels has no release for $1" >&2; return 1; }
	for try in 0 5 20; do
		sleep $try
		if $vm fetch "$release" > /dev/null 2> testsuite/results.fetch; then
			echo "$1 $release"
			return
		fi
		next=$(next_of "$1" "$release")
		[ -z "$next" ] || { echo "$1: $release has gone from the archive; $next is taken" >&2; release=$next; }
	done
	echo "cannot fetch: Linux $release: $(tail -1 testsuite/results.fetch)" >&2
	return 1
}

case ${1:-} in
--newer | --renew) renew "$1"; exit;;
esac
failed=0
for kver; do
	fetch "$kver" || failed=1
done
exit $failed
