#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# uprobe_kernel.sh - what a hit in a user program costs in the kernel runtime: a TSV of site (sites.c), handler, kernel, added (guest
# instructions per call, exact: the guest's clock counts them), perf (a counting uprobe event at the same address, in the same boot), ratio
# (at most 1.15 for a count). Kernels as arguments; else 6.1 6.12.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD vm=runtime/vm/lapwing-vm work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- 6.1 6.12
mkdir "$work/root" && ${CC:-gcc} -O2 -static -o "$work/root/sites" testsuite/bench/sites.c || exit 2

cat > "$work/measure" << 'END'
ln -s /tmp/bench/sites /sites
cd /tmp/bench
calls=2000
for s in push lea; do
	offset=$(cat $s.offset)
	./sites $s $calls 0 > warm
	echo "$s none $(./sites $s $calls 0)"
	echo "$s perf $(./sites $s $calls $offset)"
	for m in count args; do
		echo "$s $m $(HOME=/tmp lapwing-run -c "/sites $s $calls 0" ./${m}_$s.ko 2>> err | head -n 1)"
	done
done
END

guest() {	# guest KERNEL: prints the numbers
	local release dir=$work/$1 s
	release=$("$vm" path "$1" release) || return 1
	mkdir -p "$dir" && cp "$work/measure" "$work/root/sites" "$dir/" || return 1
	for s in push lea; do
		local p="process(\"/sites\").function(\"site_$s\")"
		(cd "$dir" && "$top/lapwing" --runtime=kernel --sysroot="$work/root" -p4 -r "$release" -m "count_$s" -e "global n probe $p { n++ }" &&
			"$top/lapwing" --runtime=kernel --sysroot="$work/root" -p4 -r "$release" -m "args_$s" \
			-e "global n probe $p { n <<< int_arg(1) } probe end { println(@count(n)) }") > "$dir/log" 2>&1 || { cat "$dir/log" >&2; return 1; }
		"$top/lapwing" --runtime=kernel --sysroot="$work/root" -p3 -e "probe $p { exit() }" 2> "$dir/log" |
			sed -n 's/.*{ &probes\[0\], "\/sites", \(0x[0-9a-f]*\),.*/\1/p' > "$dir/$s.offset"
	done
	"$vm" run --icount --timeout 86400 --file "$top/lapwing-run-static:/bin/lapwing-run" --file "$dir:/tmp/bench" "$1" -- \
		sh /tmp/bench/measure < /dev/null
}

printf 'site\thandler\tkernel\tadded\tperf\tratio\n'
for kernel; do
	guest "$kernel" > "$work/numbers" ||
		{ status=$?; cat "$work/numbers" >&2; echo "uprobe_kernel.sh: $kernel: no numbers, status $status" >&2; exit 1; }
	awk -v kernel="$kernel" -v calls=2000 '
		{ v[$1 " " $2] = $3; if ($2 == "count" || $2 == "args") rows[++n] = $1 " " $2 }
		END {
			for (i = 1; i <= n; i++) {
				split(rows[i], f, " ")
				added = (v[rows[i]] - v[f[1] " none"]) / calls; perf = (v[f[1] " perf"] - v[f[1] " none"]) / calls
				printf "%s\t%s\t%s\t%.0f\t%.0f\t%.2f\n", f[1], f[2], kernel, added, perf, perf ? added / perf : 0
			}
		}' "$work/numbers"
done
