#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# kernels.sh - doc/kernels.md with its tables: of what was run on each kernel
# (testsuite/run-kernel/recorded.tsv), of what the library cannot have there (testsuite/library/lacks),
# and of hardened kernels (testsuite/run-kernel/hardened). With --write the page is written;
# testsuite/bench/check-recorded.sh compares.
# --record RESULTS writes recorded.tsv anew, of the kernels that a run of ./runtests left results of
# (testsuite/results); what a run of the guests alone says nothing of stays as it was.
cd "$(dirname "$0")/.." || exit 2
. doc/tables.sh
recorded=testsuite/run-kernel/recorded.tsv

# Release, date, do the modules of testsuite/emit and the library's points build, how many scripts passed, of how many
record() {
	{ echo "# kernel, release, date, modules, library, scripts that passed, scripts"
	while read -r kernel release; do
		case $kernel in '#'*) continue;; esac
		grep -q "^[A-Z]* kernel/$kernel/" "$1" || { grep "^$kernel	" "$recorded"; continue; }
		awk -v kernel="$kernel" -v release="$release" -v day="$(date +%F)" -v OFS='\t' \
			-v before="$(grep "^$kernel	" "$recorded")" '
			$2 == "kbuild/" kernel { modules = $1 }
			$2 == "library/" kernel { library = $1 }
			index($2, "kernel/" kernel "/") == 1 && $1 != "SKIP" { all++; passed += $1 != "FAIL" }
			function said(verdict, was) { return verdict == "PASS" ? "yes" : verdict == "FAIL" ? "no" : was ? was : "not run" }
			END {
				split(before, was, "\t")
				print kernel, release, day, said(modules, was[4]), said(library, was[5]), passed + 0, all
			}' "$1"
	done < testsuite/kernels; } > $recorded.new && mv $recorded.new $recorded
}

kernels() {
	echo '| kernel | release | tested on | modules build | library | scripts passed |'
	echo '|---|---|---|---|---|---|'
	awk '
		FNR == NR { if (!/^#/) { split($0, field, "\t"); row[field[1]] = $0 }; next }
		/^#/ { next }
		!($1 in row) { printf "| %s | %s | not recorded yet | | | |\n", $1, $2; next }
		{ split(row[$1], f, "\t"); printf "| %s | %s | %s | %s | %s | %s of %s |\n", f[1], f[2], f[3], f[4], f[5], f[6], f[7] }
	' $recorded testsuite/kernels
}

lacks() {
	echo '| kernels | probe point or function | why |'
	echo '|---|---|---|'
	awk -F '\t' '!/^#/ {
		span = $1
		if (sub(/-$/, "", span)) span = span " and later"
		else if (sub(/^-/, "", span)) span = "up to " span
		printf "| %s | `%s` | %s |\n", span, $2, $3
	}' testsuite/library/lacks
}

hardened() {
	echo '| kernel | a module | samples in the user runtime | events of the kernel there |'
	echo '|---|---|---|---|'
	grep -v '^#' testsuite/run-kernel/hardened | while IFS='|' read -r name boot setup module samples events; do
		how=${boot:-$(echo "$setup" | sed -n 's,^echo \(.*\) > /proc/sys/kernel/\(.*\),kernel.\2=\1,p')}
		case $name in users*) how="$how, not root";; esac
		printf '| %s |' "$how"
		for said in "$module" "$samples" "$events"; do
			case $said in
			-) printf ' works |';;
			'') printf ' root only |';;
			*) printf ' "%s" |' "$said";;
			esac
		done
		echo
	done
}

case ${1:-} in
--record) record "$2" && "$0" --write;;
--write) write_page doc/kernels.md eval;;
*) page doc/kernels.md eval;;
esac
