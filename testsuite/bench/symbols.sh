#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# symbols.sh - what naming costs: a TSV of samples, distinct addresses, images, unnamed, seconds of CPU time (limit: 2), for 1,000,000
# samples on 200,000 addresses in 50 images whose files are in the page cache.
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
awk 'BEGIN { for (i = 0; i < 4000; i++) printf "int function_number_%d(int x) { return x * %d + 1; }\n", i, i }' > "$work/wide.c"
${CC:-cc} -O1 -shared -fPIC -o "$work/image.so" "$work/wide.c" || exit 1
i=0
while [ $i -lt 50 ]; do
	cp "$work/image.so" "$work/image$i.so"
	i=$((i + 1))
done
${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -I. -o "$work/symbols" testsuite/bench/symbols.c \
	$(ls symbolize/*.c | grep -v '/lines\.c\|/xz\.c') runtime/core/symbol.c runtime/core/fmt.c \
	lib/ksyms.c || exit 1
"$work/symbols" "$work"/image[0-9]*.so
