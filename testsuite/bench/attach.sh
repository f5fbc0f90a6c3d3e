#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# attach.sh - how long 1,000 functions take to attach and to detach, as a TSV, in guests that count instructions.
# Guest time is exact and repeatable: -icount shift=0 makes one instruction one nanosecond, a machine of 1,000 MIPS.
# attach: from the end of the begin probe to the start of the -c command; detach: from the command's end to the end probe, when no handler
# runs any more; removed: from the same to the end of lapwing-run, when the module is gone. So the start and end of processes are part of
# all. Removal waits until every thread of the machine has slept once: that is how the kernel lets go of a callback (RCU tasks). Not a test.
set -eu
cd "$(dirname "$0")/../.."
vm=runtime/vm/lapwing-vm
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
functions=1000

# script KVER RETURN: the first functions of the kernel's list whose names are unique and plain, one probe
script() {
	"$vm" path "$1" symbols > "$work/symbols"
	awk -v n=$functions -v way="$2" 'NF == 1 && /^[a-d][a-z0-9_]+$/ && !/^(arch|bpf|asm)_/ { name[count++] = $1; seen[$1]++ }
		END {
			printf "global n\nprobe begin { printf(\"begin %%d\\n\", gettimeofday_ns()) }\nprobe "
			for (i = 0; i < count && done < n; i++)
				if (seen[name[i]] == 1)
					printf "%skernel.function(\"%s\")%s?", done++ ? ", " : "", name[i], way
			print " { n++ }\nprobe end { printf(\"end %d\\n\", gettimeofday_ns()); if (n < 0) println(n) }"
		}' "$(cat "$work/symbols")/available_filter_functions"
}

cat > "$work/now.c" <<'END'
#include <stdio.h>
#include <time.h>
int main(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return printf("now %lld\n", t.tv_sec * 1000000000LL + t.tv_nsec) < 0;
}
END
gcc -O1 -static -o "$work/now" "$work/now.c"

printf 'kernel\tway\tfunctions\tattach ms\tdetach ms\tremoved ms\n'
for kver in ${*:-6.1 6.12}; do
	for way in entry return; do
		script "$kver" "$([ $way = entry ] || echo .return)" > "$work/s.stp"
		release=$("$vm" path "$kver" release)
		(cd "$work" && "$OLDPWD/lapwing" -p4 -r "$release" -m attach_bench s.stp > out 2>&1 || { tail -5 out >&2; exit 1; })
		"$vm" run --icount --mem 1024 --timeout 86400 --file "$PWD/lapwing-run-static:/bin/lapwing-run" \
			--file "$work/attach_bench.ko:/tmp/m.ko" \
			--file "$work/now:/bin/now" "$kver" -- sh -c "lapwing-run -c now /tmp/m.ko; now" < /dev/null > "$work/out" 2> "$work/err"
		awk -v kver="$kver" -v way=$way -v n=$functions '{ at[$1, ++seen[$1]] = $2 / 1e6 }
			END { printf "%s\t%s\t%d\t%.1f\t%.1f\t%.1f\n", kver, way, n, at["now", 1] - at["begin", 1], at["end", 1] - at["now", 1],
				at["now", 2] - at["now", 1] }' "$work/out"
		grep -i 'skipped\|error' "$work/err" >&2 || :
	done
done
